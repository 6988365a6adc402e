"""What the service answers with: plain dictionaries, with the names and types of its OpenAPI document."""

from typing import List, Literal, Optional, TypedDict

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


class Forecast(TypedDict):
    """The forecast of a campaign. What cannot be computed is None, and `calculation_notes` says why."""

    estimated_replies: float
    estimated_positive_replies: float
    estimated_meetings: float
    estimated_clients: float
    estimated_revenue: Optional[float]
    roi_multiple: Optional[float]
    cost_per_reply: Optional[float]
    cost_per_meeting: Optional[float]
    cost_per_client: Optional[float]
    performance_grade: PerformanceGrade
    risk_flags: List[RiskFlag]
    recommendations: List[str]
    calculation_notes: List[str]
    usage: Usage


class LegacyForecast(Forecast):
    """A forecast with a campaign score (0 to 100) and a risk level."""

    campaign_score: int
    risk_level: Literal["low", "medium", "high"]


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
