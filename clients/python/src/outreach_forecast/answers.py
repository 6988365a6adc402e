"""The responses of the service: dictionaries with the names and types of its OpenAPI document.

A call returns an `Answer`, a dictionary that also has the headers; it contains plain dictionaries.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union, overload

from ._notebook import campaigns_html, forecast_html
from ._tables import flat

if TYPE_CHECKING:
    import pandas


# The overloads of `__getitem__` make an unknown key an error for type checkers, although a dictionary accepts any. Subclasses
# narrow the keys of their base, which mypy reports but understands.


class Answer(Dict[str, Any]):
    """A response from the service: a dictionary that also has its headers."""

    headers: Mapping[str, str] = MappingProxyType({})
    """The headers of the response. Their names are case-insensitive."""
    request_id: Optional[str] = None
    """The ID of the request, to quote to the operator of the service."""


PerformanceGrade = Literal["strong", "healthy", "break_even_or_unclear", "weak"]

RiskLevel = Literal["low", "medium", "high"]

RiskFlag = Literal[
    "low_reply_rate",
    "optimistic_reply_rate",
    "low_positive_reply_rate",
    "optimistic_positive_reply_rate",
    "low_meeting_booking_rate",
    "optimistic_meeting_booking_rate",
    "low_close_rate",
    "optimistic_close_rate",
    "high_volume",
    "small_sample",
    "high_bounce_rate",
    "negative_roi",
    "missing_deal_value",
    "missing_campaign_cost",
    "zero_campaign_cost",
    "cost_looks_incomplete",
    "rates_look_like_fractions",
]


class _UsageOfKey(TypedDict):
    month: str
    requests: int
    credits_remaining: int


class Usage(_UsageOfKey, total=False):
    """
    What the key or sub-key has used in the month (UTC) and has left, after a forecast; only a sub-key with a limit has
    `sub_key_credits_remaining`.
    """

    sub_key_credits_remaining: int


class StageOutlook(TypedDict):
    """The number of people at a stage in such campaigns: expected, and the 10, 50 and 90% quantiles."""

    expected: float
    low: int
    median: int
    high: int
    chance_within: float


class AmountRange(TypedDict):
    """An amount at the low, median and high number of clients."""

    low: float
    median: float
    high: float


Basis = Literal["as_given", "published_spread", "history", "so_far"]


class RateOutlook(TypedDict):
    """What is known about a rate, in percent: its expected value, and its 10 and 90% quantiles."""

    basis: Basis
    expected: float
    low: float
    high: float


class ReplyRateOutlook(RateOutlook):
    """The same of the reply rate, and how many of 100 published campaigns get fewer replies per email sent."""

    published_percentile: int


class _RateOutlooksOfAll(TypedDict):
    reply_rate: ReplyRateOutlook
    positive_reply_rate: RateOutlook
    meeting_booking_rate: RateOutlook
    close_rate: RateOutlook


class RateOutlooks(_RateOutlooksOfAll, total=False):
    """What the ranges assume about each rate."""

    delivery_rate: RateOutlook
    show_rate: RateOutlook


class ClientRange(TypedDict):
    """The 10, 50 and 90% quantiles of the number of clients."""

    low: int
    median: int
    high: int


class ChanceAlone(TypedDict):
    """The outlook if every rate were exactly as expected: the narrowest possible range."""

    clients: ClientRange
    chance_of_no_client: float
    chance_to_break_even: Optional[float]


class ForecastCount(TypedDict):
    """The 80% range forecast for a past campaign from the others, and its result."""

    low: int
    high: int
    observed: int


class RecordedCampaign(TypedDict):
    """The ranges forecast for a past campaign from the others, and what came."""

    name: Optional[str]
    replies: ForecastCount
    clients: Optional[ForecastCount]


class TrackRecord(TypedDict):
    """How often past campaigns ended within the 80% ranges forecast for them from the others."""

    campaigns: int
    replies_within: int
    clients_of: int
    clients_within: int
    each: List[RecordedCampaign]


class Outlook(TypedDict):
    """How certain a forecast is."""

    basis: Basis
    interval_percent: Literal[80]
    rates: RateOutlooks
    replies: StageOutlook
    positive_replies: StageOutlook
    meetings: StageOutlook
    clients: StageOutlook
    revenue: Optional[AmountRange]
    profit: Optional[AmountRange]
    roi_multiple: Optional[AmountRange]
    chance_of_no_client: float
    clients_to_break_even: Optional[float]
    chance_to_break_even: Optional[float]
    chance_alone: Optional[ChanceAlone]


class _BreakEvenOfRates(TypedDict):
    emails_sent: Optional[float]
    reply_rate: Optional[float]
    positive_reply_rate: Optional[float]
    meeting_booking_rate: Optional[float]
    close_rate: Optional[float]
    average_deal_value: Optional[float]
    campaign_cost: Optional[float]


class BreakEven(_BreakEvenOfRates, total=False):
    """For each input, the value at which revenue covers the cost; None if no value is sufficient."""

    delivery_rate: Optional[float]
    show_rate: Optional[float]


class TestFirst(TypedDict):
    """A test of some lists, after which all other emails go to the list with the most replies."""

    lists: int
    emails_each: int
    replies: float
    factor: float


class _Figures(Dict[str, Any]):
    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(
            self,
            key: Literal["estimated_replies", "estimated_positive_replies", "estimated_meetings", "estimated_clients"],
        ) -> float: ...
        @overload
        def __getitem__(
            self,
            key: Literal[
                "estimated_revenue",
                "roi_multiple",
                "cost_per_reply",
                "cost_per_meeting",
                "cost_per_client",
                "estimated_profit",
                "roi_percent",
                "estimated_delivered",
                "estimated_meetings_held",
            ],
        ) -> Optional[float]: ...
        @overload
        def __getitem__(self, key: Literal["outlook"]) -> Outlook: ...
        @overload
        def __getitem__(self, key: Literal["break_even"]) -> BreakEven: ...
        @overload
        def __getitem__(self, key: Literal["performance_grade"]) -> PerformanceGrade: ...
        @overload
        def __getitem__(self, key: Literal["risk_flags"]) -> List[RiskFlag]: ...
        @overload
        def __getitem__(self, key: Literal["recommendations", "calculation_notes"]) -> List[str]: ...
        @overload
        def __getitem__(self, key: Literal["model_version"]) -> str: ...
        @overload
        def __getitem__(self: Forecast, key: Literal["track_record"]) -> Optional[TrackRecord]: ...  # type: ignore[misc]
        @overload
        def __getitem__(self: Forecast, key: Literal["test_first"]) -> Optional[List[TestFirst]]: ...  # type: ignore[misc]
        @overload
        def __getitem__(self: Forecast, key: Literal["usage"]) -> Usage: ...  # type: ignore[misc]
        @overload
        def __getitem__(self: LegacyForecast, key: Literal["campaign_score"]) -> int: ...  # type: ignore[misc]
        @overload
        def __getitem__(self: LegacyForecast, key: Literal["risk_level"]) -> RiskLevel: ...  # type: ignore[misc]
        @overload
        def __getitem__(self: CampaignForecast, key: Literal["name"]) -> Optional[str]: ...  # type: ignore[misc]
        def __getitem__(self, key: Any) -> Any: ...

    def _repr_html_(self) -> str:
        """The funnel for a notebook, with the range that holds in 80 of 100 such campaigns."""
        return forecast_html(self)


class Forecast(_Figures, Answer):
    """The forecast of a campaign. What cannot be computed is None, and `calculation_notes` says why."""


class LegacyForecast(Forecast):
    """A forecast with a campaign score (0 to 100) and a risk level."""


class CampaignForecast(_Figures):
    """The forecast of one campaign among many; its name is None if the request gave none."""


class PortfolioTotals(TypedDict):
    """The totals of all campaigns. What cannot be computed is None."""

    campaigns: int
    emails_sent: int
    estimated_replies: float
    estimated_positive_replies: float
    estimated_meetings: float
    estimated_clients: float
    estimated_revenue: Optional[float]
    campaign_cost: Optional[float]
    estimated_profit: Optional[float]
    roi_multiple: Optional[float]
    clients: Optional[StageOutlook]
    profit: Optional[AmountRange]
    chance_of_no_client: float
    chance_to_break_even: Optional[float]


class Neighbours(TypedDict):
    """A campaign and the next one of a ranking, by name or position in the request, from 0."""

    first: Union[str, int]
    second: Union[str, int]
    chance_first_is_better: float
    chance_equal: float


class Ranking(TypedDict):
    """Campaigns, best expected result first, by name or by position in the request, from 0."""

    by: Literal["profit", "clients"]
    order: List[Union[str, int]]
    neighbours: List[Neighbours]


class CampaignForecasts(Answer):
    """The forecasts of many campaigns, their totals, and which is best."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["forecasts"]) -> List[CampaignForecast]: ...
        @overload
        def __getitem__(self, key: Literal["totals"]) -> PortfolioTotals: ...
        @overload
        def __getitem__(self, key: Literal["track_record"]) -> Optional[TrackRecord]: ...
        @overload
        def __getitem__(self, key: Literal["ranking"]) -> Ranking: ...
        @overload
        def __getitem__(self, key: Literal["calculation_notes"]) -> List[str]: ...
        @overload
        def __getitem__(self, key: Literal["usage"]) -> Usage: ...
        def __getitem__(self, key: Any) -> Any: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        forecasts: List[Dict[str, Any]] = self.get("forecasts", [])
        self["forecasts"] = [CampaignForecast(forecast) for forecast in forecasts]

    def to_dataframe(self) -> pandas.DataFrame:
        """A row for each campaign, in the order of the request, with the columns of the service's CSV.

        What cannot be computed is NaN. Raises ImportError without pandas, which this package does not install.
        """
        import pandas

        ranking = self["ranking"]
        ranks = {called: rank for rank, called in enumerate(ranking["order"], 1)}
        chances = {neighbours["first"]: neighbours for neighbours in ranking["neighbours"]}
        rows: List[Dict[str, object]] = []
        for i, forecast in enumerate(self["forecasts"]):
            name = forecast["name"]
            called = i if name is None else name
            better = chances.get(called)
            rows.append(
                {
                    "name": name,
                    "rank": ranks[called],
                    "chance_better_than_next": better and better["chance_first_is_better"],
                    "chance_equal_to_next": better and better["chance_equal"],
                    **flat({key: value for key, value in forecast.items() if key not in ("name", "calculation_notes")}),
                }
            )
        return pandas.DataFrame(rows)

    def _repr_html_(self) -> str:
        """The totals of the campaigns for a notebook, and the best of them."""
        return campaigns_html(self)


class AskedGoal(TypedDict, total=False):
    """A goal as it was requested: one aim, and the chance if one was given."""

    replies: float
    meetings: float
    clients: float
    revenue: float
    profit: float
    roi_multiple: float
    chance: float


class NeededInput(TypedDict):
    """The value that an input alone needs; `needed` is None if no value within its bounds is sufficient."""

    current: Optional[float]
    needed: Optional[float]
    factor: Optional[float]


class NeededRate(NeededInput):
    """The same of a rate; ``beyond_published`` is None for a rate without a published bound."""

    beyond_published: Optional[bool]


class _NeededEmails(TypedDict):
    emails_sent: NeededInput


class NeededInputs(_NeededEmails, total=False):
    """The value that each input alone needs; inputs that do not affect the goal are left out."""

    delivery_rate: NeededRate
    reply_rate: NeededRate
    positive_reply_rate: NeededRate
    meeting_booking_rate: NeededRate
    show_rate: NeededRate
    close_rate: NeededRate
    average_deal_value: NeededInput
    campaign_cost: NeededInput


class GoalAnswer(Answer):
    """The value that each input alone needs to reach a goal, and whether the unchanged campaign reaches it."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["goal"]) -> AskedGoal: ...
        @overload
        def __getitem__(self, key: Literal["expected_now", "chance_now"]) -> Optional[float]: ...
        @overload
        def __getitem__(self, key: Literal["model_version"]) -> str: ...
        @overload
        def __getitem__(self, key: Literal["reached"]) -> bool: ...
        @overload
        def __getitem__(self, key: Literal["needed"]) -> NeededInputs: ...
        @overload
        def __getitem__(self, key: Literal["calculation_notes"]) -> List[str]: ...
        @overload
        def __getitem__(self, key: Literal["usage"]) -> Usage: ...
        def __getitem__(self, key: Any) -> Any: ...


class StageEnd(StageOutlook):
    """The number of people at a stage when the campaign is over, and how many have reached it so far."""

    so_far: int


class ProgressEnd(TypedDict):
    """Where a campaign ends if all remaining emails are sent."""

    replies: StageEnd
    positive_replies: StageEnd
    meetings: StageEnd
    clients: StageEnd
    revenue: Optional[AmountRange]
    roi_multiple: Optional[AmountRange]
    chance_of_no_client: float
    chance_to_break_even: Optional[float]


class PlannedClients(TypedDict):
    """The expected clients of the plan, rounded up, and the chance of as many or more."""

    clients: int
    chance_of_at_least: float


class ClientsIfStopped(TypedDict):
    """Clients at the end if no further email is sent."""

    expected: float
    low: int
    median: int
    high: int


class IfYouStopNow(TypedDict):
    """Where a campaign ends without another email."""

    clients: ClientsIfStopped
    chance_of_another_client: float


class IfYouSend(TypedDict):
    """Clients at the end if this many further emails are sent."""

    emails: int
    expected: float
    low: int
    high: int


class RateAgainstPlan(TypedDict):
    """An observed rate, and whether it may be bad luck; all None if nothing is decided."""

    planned: float
    observed: Optional[float]
    chance_by_chance_alone: Optional[float]
    chance_as_campaigns_vary: Optional[float]
    verdict: Optional[Literal["below", "above", "as_planned"]]


class _RatesAgainstPlan(TypedDict):
    reply_rate: RateAgainstPlan
    positive_reply_rate: RateAgainstPlan
    meeting_booking_rate: RateAgainstPlan
    close_rate: RateAgainstPlan


class RatesAgainstPlan(_RatesAgainstPlan, total=False):
    """Each rate of the plan, compared with what was observed."""

    delivery_rate: RateAgainstPlan
    show_rate: RateAgainstPlan


RateName = Literal[
    "delivery_rate", "reply_rate", "positive_reply_rate", "meeting_booking_rate", "show_rate", "close_rate"
]


class Progress(Answer):
    """Where a campaign in flight ends, compared with its plan."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["end"]) -> ProgressEnd: ...
        @overload
        def __getitem__(self, key: Literal["plan"]) -> PlannedClients: ...
        @overload
        def __getitem__(self, key: Literal["if_you_stop_now"]) -> IfYouStopNow: ...
        @overload
        def __getitem__(self, key: Literal["if_you_send"]) -> List[IfYouSend]: ...
        @overload
        def __getitem__(self, key: Literal["against_the_plan"]) -> RatesAgainstPlan: ...
        @overload
        def __getitem__(self, key: Literal["weakest"]) -> Optional[RateName]: ...
        @overload
        def __getitem__(self, key: Literal["rates"]) -> RateOutlooks: ...
        @overload
        def __getitem__(self, key: Literal["recommendations", "calculation_notes"]) -> List[str]: ...
        @overload
        def __getitem__(self, key: Literal["model_version"]) -> str: ...
        @overload
        def __getitem__(self, key: Literal["usage"]) -> Usage: ...
        def __getitem__(self, key: Any) -> Any: ...


class BenchmarkRange(TypedDict):
    """The ends of a published range."""

    low: float
    high: float


BenchmarkUnit = Literal["%", "USD", "emails"]


class Benchmark(TypedDict):
    """A published figure: a `value` or a `range`; figures with the same `row` were published together."""

    row: int
    measure: str
    tier: str
    value: Optional[float]
    range: Optional[BenchmarkRange]
    unit: BenchmarkUnit
    per: Optional[str]
    publisher: str
    year: Optional[str]
    sample: Optional[str]
    url: Optional[str]
    license: Optional[str]
    seen: Literal["primary", "quoted"]


# `from` is a keyword of Python.
_OwnOfBound = TypedDict("_OwnOfBound", {"from": Optional[str]})


class BenchmarkReference(_OwnOfBound):
    """A number that recommendations compare with, and the rows that it is based on."""

    of: str
    value: float
    unit: BenchmarkUnit
    per: Optional[str]
    because: str
    rows: List[int]


class BenchmarkThreshold(BenchmarkReference):
    """A number beyond which a risk flag is raised, and the rows that it is based on."""

    flag: RiskFlag
    raised: Literal["below", "above"]


class Benchmarks(Answer):
    """Figures published on cold outreach, and which of them forecasts use."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["rows"]) -> List[Benchmark]: ...
        @overload
        def __getitem__(self, key: Literal["thresholds"]) -> List[BenchmarkThreshold]: ...
        @overload
        def __getitem__(self, key: Literal["references"]) -> List[BenchmarkReference]: ...
        def __getitem__(self, key: Any) -> Any: ...


class MonthlyRequests(TypedDict):
    """How many forecasts succeeded in a month (UTC)."""

    month: str
    requests: int


class KeyUsage(Answer):
    """
    What a key has used and has left; months are newest first. Only a sub-key has `name` and `monthly_limit`; only one with
    a limit has `sub_key_credits_remaining`, and it has no `credits_granted`.
    """

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["key_prefix", "name", "month"]) -> str: ...
        @overload
        def __getitem__(self, key: Literal["monthly_limit"]) -> Optional[int]: ...
        @overload
        def __getitem__(self, key: Literal["state"]) -> Literal["unconfirmed", "usable", "revoked"]: ...
        @overload
        def __getitem__(self, key: Literal["plan"]) -> Literal["active", "inactive"]: ...
        @overload
        def __getitem__(
            self, key: Literal["credits_remaining", "credits_granted", "sub_key_credits_remaining", "requests"]
        ) -> int: ...
        @overload
        def __getitem__(self, key: Literal["requests_by_month"]) -> List[MonthlyRequests]: ...
        def __getitem__(self, key: Any) -> Any: ...


class LedgerEntry(TypedDict):
    """
    One change to a key's credits; `sub_key` is the name of the sub-key that made it, if one did, and `created_at` is in ISO
    8601 in UTC.
    """

    kind: Literal["preview_grant", "forecast", "credit_pack", "adjustment"]
    delta: int
    balance_after: int
    reference: str
    sub_key: Optional[str]
    created_at: str


class LedgerPage(Answer):
    """Changes to a key's credits, newest first, and the cursor of the next page, None on the last."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["entries"]) -> List[LedgerEntry]: ...
        @overload
        def __getitem__(self, key: Literal["next_cursor"]) -> Optional[str]: ...
        def __getitem__(self, key: Any) -> Any: ...


class CreditPack(TypedDict):
    """Credits that can be ordered together; the price is in major units of the currency."""

    id: str
    credits: int
    price: float
    currency: str


class CreditPacks(Answer):
    """The credit packs for sale."""

    if TYPE_CHECKING:

        def __getitem__(self, key: Literal["packs"]) -> List[CreditPack]: ...  # type: ignore[override]


class RotatedKey(Answer):
    """A new key, shown only once, and when the old one expires, in ISO 8601 in UTC."""

    if TYPE_CHECKING:

        def __getitem__(self, key: Literal["api_key", "old_key_valid_until"]) -> str: ...  # type: ignore[override]


class NoContent(Answer):
    """A response without a body."""


class _UsageRow(TypedDict):
    sub_key_id: Optional[str]
    name: Optional[str]
    requests: int


class UsageRow(_UsageRow, total=False):
    """The forecasts of a sub-key, or of the key itself, for which ID and name are None; only by day with a `day`."""

    day: str


class UsageTable(Answer):
    """The forecasts of a month (UTC) by day and sub-key, or by sub-key alone."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["month"]) -> str: ...
        @overload
        def __getitem__(self, key: Literal["by"]) -> Literal["day", "sub_key"]: ...
        @overload
        def __getitem__(self, key: Literal["rows"]) -> List[UsageRow]: ...
        def __getitem__(self, key: Any) -> Any: ...


class ListedSubKey(TypedDict):
    """A sub-key in a list; times are ISO 8601 in UTC, and `requests` are its forecasts in the current `month`."""

    sub_key_id: str
    name: str
    key_prefix: str
    monthly_limit: Optional[int]
    state: Literal["usable", "revoked"]
    created_at: str
    last_used_at: Optional[str]
    month: str
    requests: int


class SubKeys(Answer):
    """A page of the sub-keys of a key; pass `next_cursor` as `cursor` for the next one, unless it is None."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["sub_keys"]) -> List[ListedSubKey]: ...
        @overload
        def __getitem__(self, key: Literal["next_cursor"]) -> Optional[str]: ...
        def __getitem__(self, key: Any) -> Any: ...


class SubKey(Answer):
    """A sub-key; times are ISO 8601 in UTC, and `requests` are its forecasts in the current `month`."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, key: Literal["sub_key_id", "name", "key_prefix", "created_at", "month"]) -> str: ...
        @overload
        def __getitem__(self, key: Literal["monthly_limit"]) -> Optional[int]: ...
        @overload
        def __getitem__(self, key: Literal["state"]) -> Literal["usable", "revoked"]: ...
        @overload
        def __getitem__(self, key: Literal["last_used_at"]) -> Optional[str]: ...
        @overload
        def __getitem__(self, key: Literal["requests"]) -> int: ...
        def __getitem__(self, key: Any) -> Any: ...


class CreatedSubKey(SubKey):
    """A new sub-key with its secret, shown only once."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(
            self, key: Literal["sub_key_id", "name", "key_prefix", "created_at", "month", "api_key"]
        ) -> str: ...
        @overload
        def __getitem__(self, key: Literal["monthly_limit"]) -> Optional[int]: ...
        @overload
        def __getitem__(self, key: Literal["state"]) -> Literal["usable", "revoked"]: ...
        @overload
        def __getitem__(self, key: Literal["last_used_at"]) -> Optional[str]: ...
        @overload
        def __getitem__(self, key: Literal["requests"]) -> int: ...
        def __getitem__(self, key: Any) -> Any: ...
