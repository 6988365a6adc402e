"""What the service answers with: plain dictionaries, with the names and types of its OpenAPI document."""

from typing import List, Literal, Optional, TypedDict, Union

PerformanceGrade = Literal["strong", "healthy", "break_even_or_unclear", "weak"]

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
    "negative_roi",
    "missing_deal_value",
    "missing_campaign_cost",
    "zero_campaign_cost",
    "rates_look_like_fractions",
]


class Usage(TypedDict):
    """What the key has used in the month (UTC) and has left, after a forecast."""

    month: str
    requests: int
    credits_remaining: int


class StageOutlook(TypedDict):
    """The number of people at a stage in such campaigns: expected, and the 10, 50 and 90 % quantiles."""

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


class _UncertaintyFromChance(TypedDict):
    chance: float


class UncertaintyFrom(_UncertaintyFromChance, total=False):
    """Shares of the variance of the number of clients, which sum to 1; a rate is there if it has evidence."""

    delivery_rate: float
    reply_rate: float
    positive_reply_rate: float
    meeting_booking_rate: float
    show_rate: float
    close_rate: float


class _OutlookOfRates(TypedDict):
    basis: Literal["assumed_rates", "evidence"]
    interval_percent: Literal[80]
    replies: StageOutlook
    positive_replies: StageOutlook
    meetings: StageOutlook
    clients: StageOutlook
    revenue: Optional[AmountRange]
    roi_multiple: Optional[AmountRange]
    chance_of_no_client: float
    clients_to_break_even: Optional[float]
    chance_to_break_even: Optional[float]


class Outlook(_OutlookOfRates, total=False):
    """How sure a forecast is; `uncertainty_from` is there with evidence only."""

    uncertainty_from: Optional[UncertaintyFrom]


class _BreakEvenOfRates(TypedDict):
    emails_sent: Optional[float]
    reply_rate: Optional[float]
    positive_reply_rate: Optional[float]
    meeting_booking_rate: Optional[float]
    close_rate: Optional[float]
    average_deal_value: Optional[float]
    campaign_cost: Optional[float]


class BreakEven(_BreakEvenOfRates, total=False):
    """For each input the value at which revenue covers the cost; None where no value is enough."""

    delivery_rate: Optional[float]
    show_rate: Optional[float]


class _Figures(TypedDict):
    estimated_replies: float
    estimated_positive_replies: float
    estimated_meetings: float
    estimated_clients: float
    estimated_revenue: Optional[float]
    roi_multiple: Optional[float]
    cost_per_reply: Optional[float]
    cost_per_meeting: Optional[float]
    cost_per_client: Optional[float]
    estimated_profit: Optional[float]
    roi_percent: Optional[float]
    estimated_delivered: Optional[float]
    estimated_meetings_held: Optional[float]
    outlook: Outlook
    break_even: BreakEven
    performance_grade: PerformanceGrade
    risk_flags: List[RiskFlag]
    recommendations: List[str]
    calculation_notes: List[str]


class Forecast(_Figures):
    """The forecast of a campaign. What cannot be computed is None, and `calculation_notes` says why."""

    usage: Usage


class CampaignForecast(_Figures):
    """The forecast of one campaign among many; its name is None where the request has none."""

    name: Optional[str]


class PortfolioTotals(TypedDict):
    """What campaigns bring together. What cannot be computed is None."""

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
    chance_of_no_client: float
    chance_to_break_even: Optional[float]


class Neighbours(TypedDict):
    """A campaign and the next one of a ranking, by name or place in the request; None where one has evidence."""

    first: Union[str, int]
    second: Union[str, int]
    chance_first_is_better: Optional[float]
    chance_equal: Optional[float]


class Ranking(TypedDict):
    """Campaigns from the best expectation down, by name or place in the request, from 0."""

    by: Literal["profit", "clients"]
    order: List[Union[str, int]]
    neighbours: List[Neighbours]


class CampaignForecasts(TypedDict):
    """The forecasts of many campaigns, what they come to together, and which is the best."""

    forecasts: List[CampaignForecast]
    totals: PortfolioTotals
    ranking: Ranking
    calculation_notes: List[str]
    usage: Usage


class LegacyForecast(Forecast):
    """A forecast with a campaign score (0 to 100) and a risk level."""

    campaign_score: int
    risk_level: Literal["low", "medium", "high"]


class AskedGoal(TypedDict, total=False):
    """A goal as it was asked for: one aim, and the chance where one was given."""

    replies: float
    meetings: float
    clients: float
    revenue: float
    profit: float
    roi_multiple: float
    chance: float


class NeededInput(TypedDict):
    """What an input alone has to become; `needed` is None where no value within its bounds is enough."""

    current: Optional[float]
    needed: Optional[float]
    factor: Optional[float]


class _NeededEmails(TypedDict):
    emails_sent: NeededInput


class NeededInputs(_NeededEmails, total=False):
    """What each input alone has to become; those that cannot move the goal are left out."""

    delivery_rate: NeededInput
    reply_rate: NeededInput
    positive_reply_rate: NeededInput
    meeting_booking_rate: NeededInput
    show_rate: NeededInput
    close_rate: NeededInput
    average_deal_value: NeededInput
    campaign_cost: NeededInput


class GoalAnswer(TypedDict):
    """What it takes to reach a goal, for each input alone, and whether the campaign reaches it as it is."""

    goal: AskedGoal
    expected_now: Optional[float]
    chance_now: Optional[float]
    reached: bool
    needed: NeededInputs
    calculation_notes: List[str]
    usage: Usage


class BenchmarkRange(TypedDict):
    """The ends of a range that was published."""

    low: float
    high: float


BenchmarkUnit = Literal["%", "USD", "emails"]


class Benchmark(TypedDict):
    """A figure that was published: a `value` or a `range`; figures with the same `row` were published together."""

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
    seen: Literal["primary", "quoted"]


# `from` is a keyword of Python.
_OwnOfBound = TypedDict("_OwnOfBound", {"from": Optional[str]})


class BenchmarkReference(_OwnOfBound):
    """A number that advice compares with, and the rows that it stands on."""

    of: str
    value: float
    unit: BenchmarkUnit
    per: Optional[str]
    because: str
    rows: List[int]


class BenchmarkThreshold(BenchmarkReference):
    """A number beyond which a risk flag is raised, and the rows that it stands on."""

    flag: RiskFlag
    raised: Literal["below", "above"]


class Benchmarks(TypedDict):
    """What has been published on cold outreach, and what of it forecasts use."""

    rows: List[Benchmark]
    thresholds: List[BenchmarkThreshold]
    references: List[BenchmarkReference]


class MonthlyRequests(TypedDict):
    """How many forecasts succeeded in a month (UTC)."""

    month: str
    requests: int


class KeyUsage(TypedDict):
    """What a key has used and has left; months are newest first."""

    key_prefix: str
    state: Literal["unconfirmed", "usable", "revoked"]
    plan: Literal["active", "inactive"]
    credits_remaining: int
    credits_granted: int
    month: str
    requests: int
    requests_by_month: List[MonthlyRequests]


class LedgerEntry(TypedDict):
    """One change of a key's credits; `created_at` is ISO 8601 in UTC."""

    kind: Literal["preview_grant", "forecast", "credit_pack", "adjustment"]
    delta: int
    balance_after: int
    reference: str
    created_at: str


class LedgerPage(TypedDict):
    """Changes of a key's credits, newest first, and the cursor of the page after them, None on the last."""

    entries: List[LedgerEntry]
    next_cursor: Optional[str]


class CreditPack(TypedDict):
    """Credits that can be ordered at once; the price is in major units of the currency."""

    id: str
    credits: int
    price: float
    currency: str


class CreditPacks(TypedDict):
    """The credit packs that can be ordered."""

    packs: List[CreditPack]


class RotatedKey(TypedDict):
    """A new key, shown this once, and when the old one ends, in ISO 8601 in UTC."""

    api_key: str
    old_key_valid_until: str
