# Generated from the OpenAPI document by `npm run fix`. Do not edit.
"""The requests and the responses of the service: dictionaries with the names of its OpenAPI document."""

from __future__ import annotations

from decimal import Decimal
from typing import List, Literal, Optional, SupportsIndex, TypedDict, Union

__all__ = [
    "Number",
    "Assumptions",
    "ForecastRequest",
    "ForecastAnswer",
    "LegacyForecastAnswer",
    "GoalRequest",
    "GoalAnswer",
    "ProgressRequest",
    "ProgressAnswer",
    "CampaignsRequest",
    "CampaignsAnswer",
    "Benchmarks",
    "KeyUsage",
    "UsageTable",
    "LedgerPage",
    "CreditPacks",
    "Rotation",
    "RotatedKey",
    "SubKeys",
    "SubKeyInput",
    "CreatedSubKey",
    "SubKey",
    "SubKeyChange",
    "FieldError",
    "MinimalForecast",
    "PastCampaign",
    "Outlook",
    "TrackRecord",
    "BreakEven",
    "TestFirst",
    "Usage",
    "Goal",
    "GoalAnswerGoal",
    "GoalAnswerNeeded",
    "SoFar",
    "OpenCounts",
    "ProgressAnswerEnd",
    "ProgressAnswerPlan",
    "ProgressAnswerIfYouStopNow",
    "IfYouSend",
    "ProgressAnswerAgainstThePlan",
    "RateOutlooks",
    "Campaign",
    "CampaignForecast",
    "PortfolioTotals",
    "Ranking",
    "Benchmark",
    "BenchmarkThreshold",
    "BenchmarkReference",
    "KeyUsageRequestsByMonth",
    "UsageRow",
    "LedgerEntry",
    "CreditPack",
    "MinimalOutlook",
    "StageOutlook",
    "AmountRange",
    "MeetingCost",
    "ChanceAlone",
    "RecordedCampaign",
    "NeededInput",
    "NeededRate",
    "StageEnd",
    "ProgressAnswerIfYouStopNowClients",
    "RateAgainstPlan",
    "RateOutlook",
    "ReplyRateOutlook",
    "RankingNeighbour",
    "BenchmarkRange",
    "ChanceAloneClients",
    "ForecastCount",
]

Number = Union[float, Decimal, SupportsIndex]
"""A number in a request. A Decimal is sent as the nearest float, as the service reads it."""


class _AssumptionsRequired(TypedDict):
    emails_sent: Number
    """Number of emails sent. An integer from 1 to 100,000,000."""
    reply_rate: Number
    """Percentage of emails that a person replies to, without automatic replies such as out of office; of delivered emails where delivery_rate is given. 5 means 5 percent. A number from 0 to 100."""
    positive_reply_rate: Number
    """Percentage of replies that are positive. 5 means 5 percent. A number from 0 to 100."""
    meeting_booking_rate: Number
    """Percentage of positive replies that become booked meetings. 5 means 5 percent. A number from 0 to 100."""
    close_rate: Number
    """Percentage of booked meetings that become clients; of held ones where show_rate is given. 5 means 5 percent. A number from 0 to 100."""


class Assumptions(_AssumptionsRequired, total=False):
    """The numbers that a campaign is forecast from. Rates are percentages: 5 means 5 percent."""

    average_deal_value: Optional[Number]
    """Revenue per client, in your currency. A number from 0 to 1,000,000,000."""
    campaign_cost: Optional[Number]
    """Total cost of the campaign, in the same currency. A number from 0 to 1,000,000,000."""
    delivery_rate: Optional[Number]
    """Percentage of emails that are delivered: 100 minus the bounce rate. 5 means 5 percent. A number from 0 to 100."""
    show_rate: Optional[Number]
    """Percentage of booked meetings that are held. 5 means 5 percent. A number from 0 to 100."""
    emails_per_contact: Optional[Number]
    """How many of the emails go to one contact, follow-ups included. Makes the reply rate comparable, and bounds it: it is at most 100 divided by this. An integer from 1 to 20."""


class _ForecastRequestRequired(TypedDict):
    emails_sent: Number
    """Number of emails sent. An integer from 1 to 100,000,000."""
    reply_rate: Number
    """Percentage of emails that a person replies to, without automatic replies such as out of office; of delivered emails where delivery_rate is given. 5 means 5 percent. A number from 0 to 100."""
    positive_reply_rate: Number
    """Percentage of replies that are positive. 5 means 5 percent. A number from 0 to 100."""
    meeting_booking_rate: Number
    """Percentage of positive replies that become booked meetings. 5 means 5 percent. A number from 0 to 100."""
    close_rate: Number
    """Percentage of booked meetings that become clients; of held ones where show_rate is given. 5 means 5 percent. A number from 0 to 100."""


class ForecastRequest(_ForecastRequestRequired, total=False):
    """The assumptions of a campaign. Rates are percentages from 0 to 100, not fractions. The camelCase spellings of the first seven fields (emailsSent, replyRate, …) are accepted too; a field that is not listed here is an error. A number has at most 40 decimal places."""

    average_deal_value: Optional[Number]
    """Revenue per client, in your currency. A number from 0 to 1,000,000,000."""
    campaign_cost: Optional[Number]
    """Total cost of the campaign, in the same currency. A number from 0 to 1,000,000,000."""
    delivery_rate: Optional[Number]
    """Percentage of emails that are delivered: 100 minus the bounce rate. 5 means 5 percent. A number from 0 to 100."""
    show_rate: Optional[Number]
    """Percentage of booked meetings that are held. 5 means 5 percent. A number from 0 to 100."""
    emails_per_contact: Optional[Number]
    """How many of the emails go to one contact, follow-ups included. Makes the reply rate comparable, and bounds it: it is at most 100 divided by this. An integer from 1 to 20."""
    spread: Optional[Literal["published", "none"]]
    """How much rates vary between campaigns. published, the default: the reply rate varies around its value as in 556 published campaigns. none: every rate is exactly as given. Rates learned from history vary in either case."""
    history: Optional[List[PastCampaign]]
    """All your past campaigns, 1 to 100, also those that failed; this one goes to POST /api/v1/progress."""


class ForecastAnswer(TypedDict):
    """The forecast of a campaign, and the usage and remaining credits of the key."""

    summary: str
    """One to three sentences to pass on: what is doubtful, the range of clients, and what to do first. Money is rounded."""
    estimated_replies: float
    """Forecast replies, to 4 decimals."""
    estimated_positive_replies: float
    """Forecast positive replies, to 4 decimals."""
    estimated_meetings: float
    """Forecast booked meetings, to 4 decimals."""
    estimated_clients: float
    """Forecast clients, to 4 decimals; may be fractional."""
    estimated_revenue: Optional[float]
    """Forecast revenue, to 2 decimals. Null when it cannot be computed."""
    roi_multiple: Optional[float]
    """Revenue over campaign cost, to 1 decimal. Null when it cannot be computed."""
    cost_per_reply: Optional[float]
    """Campaign cost per reply, to 2 decimals. Null when it cannot be computed."""
    cost_per_meeting: Optional[float]
    """Campaign cost per meeting, to 2 decimals. Null when it cannot be computed."""
    cost_per_client: Optional[float]
    """Campaign cost per client, to 2 decimals. Null when it cannot be computed."""
    estimated_profit: Optional[float]
    """Forecast revenue less campaign cost, to 2 decimals. Null when it cannot be computed."""
    roi_percent: Optional[float]
    """Profit as a percentage of campaign cost, to 1 decimal. Null when it cannot be computed."""
    estimated_delivered: Optional[float]
    """Forecast delivered emails, to 4 decimals, where delivery_rate is given. Null when it cannot be computed."""
    estimated_meetings_held: Optional[float]
    """Forecast held meetings, to 4 decimals, where show_rate is given. Null when it cannot be computed."""
    outlook: Outlook
    """How certain the forecast is: how much the results of such campaigns vary."""
    track_record: Optional[TrackRecord]
    """Null without a history, or with fewer than 3 past campaigns that have replies."""
    break_even: BreakEven
    """For each input, the value at which the expected revenue covers the cost if all other inputs stay the same. Null if no value is enough, or if an input that it depends on is missing. The delivery rate and the show rate are present only if the request has them."""
    test_first: Optional[List[TestFirst]]
    """What it brings on average to test 2, 3 or 5 lists, or first emails, and to send the rest to the one with the most replies. To win more clients, count positive replies twice. Null if the reply rate does not vary, or with fewer than 1,000 emails."""
    performance_grade: Literal["strong", "healthy", "break_even_or_unclear", "weak"]
    """By the exact ROI: weak below 1, break_even_or_unclear below 3, healthy below 10, strong from 10 up; break_even_or_unclear too when the ROI is unknown, or when it is 3 or more with small_sample or cost_looks_incomplete. By the ROI of the median if the expected replies are above their range."""
    risk_flags: List[Literal["low_reply_rate", "optimistic_reply_rate", "low_positive_reply_rate", "optimistic_positive_reply_rate", "low_meeting_booking_rate", "optimistic_meeting_booking_rate", "low_close_rate", "optimistic_close_rate", "high_volume", "small_sample", "high_bounce_rate", "negative_roi", "missing_deal_value", "missing_campaign_cost", "zero_campaign_cost", "cost_looks_incomplete", "rates_look_like_fractions"]]
    """Risks of the assumptions or the result; empty if there are none."""
    recommendations: List[str]
    """What to do, most valuable first: a few sentences, each with a number in it."""
    calculation_notes: List[str]
    """How each figure was computed from this request, why a figure is null, and the limits of a forecast."""
    model_version: str
    """The date of the last change of the figures: it changes when the same request gives different figures. /docs/changes explains each change."""
    usage: Usage
    """The usage and the remaining credits of the key."""


class LegacyForecastAnswer(TypedDict):
    """The forecast of a campaign with a campaign score and a risk level."""

    estimated_replies: float
    """Forecast replies, to 4 decimals."""
    estimated_positive_replies: float
    """Forecast positive replies, to 4 decimals."""
    estimated_meetings: float
    """Forecast booked meetings, to 4 decimals."""
    estimated_clients: float
    """Forecast clients, to 4 decimals; may be fractional."""
    estimated_revenue: Optional[float]
    """Forecast revenue, to 2 decimals. Null when it cannot be computed."""
    roi_multiple: Optional[float]
    """Revenue over campaign cost, to 1 decimal. Null when it cannot be computed."""
    cost_per_reply: Optional[float]
    """Campaign cost per reply, to 2 decimals. Null when it cannot be computed."""
    cost_per_meeting: Optional[float]
    """Campaign cost per meeting, to 2 decimals. Null when it cannot be computed."""
    cost_per_client: Optional[float]
    """Campaign cost per client, to 2 decimals. Null when it cannot be computed."""
    estimated_profit: Optional[float]
    """Forecast revenue less campaign cost, to 2 decimals. Null when it cannot be computed."""
    roi_percent: Optional[float]
    """Profit as a percentage of campaign cost, to 1 decimal. Null when it cannot be computed."""
    estimated_delivered: Optional[float]
    """Forecast delivered emails, to 4 decimals, where delivery_rate is given. Null when it cannot be computed."""
    estimated_meetings_held: Optional[float]
    """Forecast held meetings, to 4 decimals, where show_rate is given. Null when it cannot be computed."""
    outlook: Outlook
    """How certain the forecast is: how much the results of such campaigns vary."""
    track_record: Optional[TrackRecord]
    """Null without a history, or with fewer than 3 past campaigns that have replies."""
    break_even: BreakEven
    """For each input, the value at which the expected revenue covers the cost if all other inputs stay the same. Null if no value is enough, or if an input that it depends on is missing. The delivery rate and the show rate are present only if the request has them."""
    test_first: Optional[List[TestFirst]]
    """What it brings on average to test 2, 3 or 5 lists, or first emails, and to send the rest to the one with the most replies. To win more clients, count positive replies twice. Null if the reply rate does not vary, or with fewer than 1,000 emails."""
    performance_grade: Literal["strong", "healthy", "break_even_or_unclear", "weak"]
    """By the exact ROI: weak below 1, break_even_or_unclear below 3, healthy below 10, strong from 10 up; break_even_or_unclear too when the ROI is unknown, or when it is 3 or more with small_sample or cost_looks_incomplete. By the ROI of the median if the expected replies are above their range."""
    risk_flags: List[Literal["low_reply_rate", "optimistic_reply_rate", "low_positive_reply_rate", "optimistic_positive_reply_rate", "low_meeting_booking_rate", "optimistic_meeting_booking_rate", "low_close_rate", "optimistic_close_rate", "high_volume", "small_sample", "high_bounce_rate", "negative_roi", "missing_deal_value", "missing_campaign_cost", "zero_campaign_cost", "cost_looks_incomplete", "rates_look_like_fractions"]]
    """Risks of the assumptions or the result; empty if there are none."""
    recommendations: List[str]
    """What to do, most valuable first: a few sentences, each with a number in it."""
    calculation_notes: List[str]
    """How each figure was computed from this request, why a figure is null, and the limits of a forecast."""
    model_version: str
    """The date of the last change of the figures: it changes when the same request gives different figures. /docs/changes explains each change."""
    campaign_score: int
    """Score from 0 to 100, with weights of our own. An integer from 0 to 100."""
    risk_level: Literal["low", "medium", "high"]
    """Risk level, from the number and kind of the risk flags."""
    usage: Usage
    """The usage and the remaining credits of the key."""


class _GoalRequestRequired(TypedDict):
    emails_sent: Number
    """Number of emails sent. An integer from 1 to 100,000,000."""
    reply_rate: Number
    """Percentage of emails that a person replies to, without automatic replies such as out of office; of delivered emails where delivery_rate is given. 5 means 5 percent. A number from 0 to 100."""
    positive_reply_rate: Number
    """Percentage of replies that are positive. 5 means 5 percent. A number from 0 to 100."""
    meeting_booking_rate: Number
    """Percentage of positive replies that become booked meetings. 5 means 5 percent. A number from 0 to 100."""
    close_rate: Number
    """Percentage of booked meetings that become clients; of held ones where show_rate is given. 5 means 5 percent. A number from 0 to 100."""
    goal: Goal
    """The goal of the campaign: exactly one aim, and optionally the chance of reaching it."""


class GoalRequest(_GoalRequestRequired, total=False):
    """The assumptions of a campaign, as for a forecast, and its goal."""

    average_deal_value: Optional[Number]
    """Revenue per client, in your currency. A number from 0 to 1,000,000,000."""
    campaign_cost: Optional[Number]
    """Total cost of the campaign, in the same currency. A number from 0 to 1,000,000,000."""
    delivery_rate: Optional[Number]
    """Percentage of emails that are delivered: 100 minus the bounce rate. 5 means 5 percent. A number from 0 to 100."""
    show_rate: Optional[Number]
    """Percentage of booked meetings that are held. 5 means 5 percent. A number from 0 to 100."""
    emails_per_contact: Optional[Number]
    """How many of the emails go to one contact, follow-ups included. Makes the reply rate comparable, and bounds it: it is at most 100 divided by this. An integer from 1 to 20."""
    spread: Optional[Literal["published", "none"]]
    """How much rates vary between campaigns. published, the default: the reply rate varies around its value as in 556 published campaigns. none: every rate is exactly as given. Rates learned from history vary in either case."""
    history: Optional[List[PastCampaign]]
    """All your past campaigns, 1 to 100, also those that failed; this one goes to POST /api/v1/progress."""


class GoalAnswer(TypedDict):
    """What it takes to reach a goal by changing one input at a time, and the usage and remaining credits of the key."""

    summary: str
    """One to three sentences to pass on: what is doubtful, the range of clients, and what to do first. Money is rounded."""
    goal: GoalAnswerGoal
    """The goal of the request."""
    expected_now: Optional[float]
    """The average result of the campaign without changes. Null when it cannot be computed."""
    chance_now: Optional[float]
    """Chance that the campaign reaches the goal without changes, to 4 decimals. Null when it cannot be computed."""
    reached: bool
    """True if the campaign reaches the goal without changes: on average, or with the requested chance."""
    needed: GoalAnswerNeeded
    """The value that each input needs if it alone is changed; inputs that do not affect the goal are left out."""
    calculation_notes: List[str]
    """How the answer was computed, why a figure is null, and what the answer cannot know."""
    model_version: str
    """The date of the last change of the figures: it changes when the same request gives different figures. /docs/changes explains each change."""
    usage: Usage
    """The usage and the remaining credits of the key."""


class _ProgressRequestRequired(TypedDict):
    emails_sent: Number
    """Number of emails sent. An integer from 1 to 100,000,000."""
    reply_rate: Number
    """Percentage of emails that a person replies to, without automatic replies such as out of office; of delivered emails where delivery_rate is given. 5 means 5 percent. A number from 0 to 100."""
    positive_reply_rate: Number
    """Percentage of replies that are positive. 5 means 5 percent. A number from 0 to 100."""
    meeting_booking_rate: Number
    """Percentage of positive replies that become booked meetings. 5 means 5 percent. A number from 0 to 100."""
    close_rate: Number
    """Percentage of booked meetings that become clients; of held ones where show_rate is given. 5 means 5 percent. A number from 0 to 100."""
    so_far: SoFar
    """The results so far: whole numbers, none greater than the one before it."""


class ProgressRequest(_ProgressRequestRequired, total=False):
    """The plan of a campaign, as for a forecast, and its results so far. It may include a history of other campaigns: so_far holds the results of this one."""

    average_deal_value: Optional[Number]
    """Revenue per client, in your currency. A number from 0 to 1,000,000,000."""
    campaign_cost: Optional[Number]
    """Total cost of the campaign, in the same currency. A number from 0 to 1,000,000,000."""
    delivery_rate: Optional[Number]
    """Percentage of emails that are delivered: 100 minus the bounce rate. 5 means 5 percent. A number from 0 to 100."""
    show_rate: Optional[Number]
    """Percentage of booked meetings that are held. 5 means 5 percent. A number from 0 to 100."""
    emails_per_contact: Optional[Number]
    """How many of the emails go to one contact, follow-ups included. Makes the reply rate comparable, and bounds it: it is at most 100 divided by this. An integer from 1 to 20."""
    spread: Optional[Literal["published", "none"]]
    """How much rates vary between campaigns. published, the default: the reply rate varies around its value as in 556 published campaigns. none: every rate is exactly as given. Rates learned from history vary in either case."""
    history: Optional[List[PastCampaign]]
    """All your past campaigns, 1 to 100, also those that failed; this one goes to POST /api/v1/progress."""
    open: Optional[OpenCounts]
    """The part of each count that is undecided, 0 by default: at most those that have not reached the next count. All others count as decided."""
    emails_left: Optional[Number]
    """Emails still to be sent. By default, emails_sent of the plan less those sent so far. An integer from 0 to 100,000."""


class ProgressAnswer(TypedDict):
    """Where a campaign in flight ends compared with its plan, and the usage and remaining credits of the key."""

    summary: str
    """One to three sentences to pass on: what is doubtful, the range of clients, and what to do first. Money is rounded."""
    end: ProgressAnswerEnd
    """The end of the campaign if all remaining emails are sent."""
    plan: ProgressAnswerPlan
    """The planned clients, and the chance of still reaching them."""
    if_you_stop_now: ProgressAnswerIfYouStopNow
    """The end of the campaign without another email."""
    if_you_send: List[IfYouSend]
    """Clients at the end if none, a quarter, half, three quarters or all of the remaining emails are sent."""
    against_the_plan: ProgressAnswerAgainstThePlan
    """Each rate of the plan, compared with what was observed."""
    weakest: Optional[Literal["delivery_rate", "reply_rate", "positive_reply_rate", "meeting_booking_rate", "show_rate", "close_rate"]]
    """The rate that is below its plan with the smallest chance. Null if none is."""
    rates: RateOutlooks
    """What the ranges assume about each rate. The delivery rate and the show rate are present only if the request has them."""
    recommendations: List[str]
    """What to do, at most three sentences."""
    calculation_notes: List[str]
    """The counts that were taken as decided, how the answer was computed, and its limits."""
    model_version: str
    """The date of the last change of the figures: it changes when the same request gives different figures. /docs/changes explains each change."""
    usage: Usage
    """The usage and the remaining credits of the key."""


class _CampaignsRequestRequired(TypedDict):
    campaigns: List[Campaign]
    """The campaigns, 1 to 1,000."""


class CampaignsRequest(_CampaignsRequestRequired, total=False):
    """Campaigns to be forecast together, with or without names, and the history that their rates are learned from, if you have one. With a history, the campaigns may have at most 20 distinct sets of rates, and each set is learned once. A field that is not listed here is an error."""

    history: Optional[List[PastCampaign]]
    """All your past campaigns, 1 to 100, also those that failed; this one goes to POST /api/v1/progress."""
    independent: Optional[bool]
    """true for the campaigns of different clients, which have nothing in common. By default they are one sender's: if the reply rate of one is lower than planned, so are those of the others, as far as reply rates vary as published. It changes totals and ranking only. Not with a history, which is one sender's."""


class CampaignsAnswer(TypedDict):
    """The forecasts of many campaigns, their totals, and their ranking."""

    forecasts: List[CampaignForecast]
    """The forecast of each campaign, in the order of the request."""
    totals: PortfolioTotals
    """The total of the campaigns: of one sender, if the request does not say that they are independent."""
    track_record: Optional[TrackRecord]
    """Of the history, at the first campaign's rates. Null without a history, or with fewer than 3 past campaigns that have replies."""
    ranking: Ranking
    """The campaigns by expected result, best first, and how certain each rank is."""
    calculation_notes: List[str]
    """How the totals and the ranking were computed, why a figure is null, and what they assume."""
    usage: Usage
    """The usage and the remaining credits of the key."""


class Benchmarks(TypedDict):
    """Published figures on cold outreach, and the ones that the service compares requests with."""

    rows: List[Benchmark]
    """The published figures and ranges."""
    thresholds: List[BenchmarkThreshold]
    """The numbers beyond which risk flags are raised."""
    references: List[BenchmarkReference]
    """The numbers that recommendations compare with."""


class _KeyUsageRequired(TypedDict):
    key_prefix: str
    """The first characters of the key."""
    state: Literal["unconfirmed", "usable", "revoked"]
    """The state of the key."""
    plan: Literal["active", "inactive"]
    """active if the key may be used."""
    credits_remaining: int
    """Credits left on the key; they never expire. For a sub-key with a limit, those of them that it may still spend in the month."""
    month: str
    """The current month in UTC."""
    requests: int
    """Successful forecasts of this key or sub-key in the month."""
    requests_by_month: List[KeyUsageRequestsByMonth]
    """Successful forecasts by month, newest first."""


class KeyUsage(_KeyUsageRequired, total=False):
    """The usage and the remaining credits of a key."""

    name: str
    """The name of the sub-key; only for a sub-key."""
    monthly_limit: Optional[int]
    """The credits that the sub-key may spend in a month, null if there is no limit; only for a sub-key."""
    credits_granted: int
    """The total number of credits ever added to the key; not for a sub-key with a limit."""
    sub_key_credits_remaining: int
    """Credits that this sub-key may still spend in the month; only if it has a limit."""


class UsageTable(TypedDict):
    """The forecasts of a month by day and sub-key, or by sub-key."""

    month: str
    """The month in UTC."""
    by: Literal["day", "sub_key"]
    """How the forecasts are grouped."""
    rows: List[UsageRow]
    """Only days and sub-keys with forecasts."""


class LedgerPage(TypedDict):
    """A page of the changes of a key's credits."""

    entries: List[LedgerEntry]
    """The changes, newest first."""
    next_cursor: Optional[str]
    """Pass it as cursor to get the next page; null on the last page."""


class CreditPacks(TypedDict):
    """The credit packs for sale."""

    packs: List[CreditPack]
    """The packs."""


class Rotation(TypedDict, total=False):
    """Options for replacing a key. The body is optional."""

    grace_hours: Optional[Number]
    """The number of hours that the old key stays valid, 0 to 72; 24 by default. An integer from 0 to 72."""


class RotatedKey(TypedDict):
    """A new key that replaces the one in the request."""

    api_key: str
    """The new key. It is shown only this once."""
    old_key_valid_until: str
    """The time when the old key stops working, in UTC."""


class SubKeys(TypedDict):
    """A page of the sub-keys of a key."""

    sub_keys: List[SubKey]
    """Oldest first, including those revoked in the last 90 days."""
    next_cursor: Optional[str]
    """Pass it as cursor to get the next page; null on the last page."""


class _SubKeyInputRequired(TypedDict):
    name: str
    """The name of the sub-key: 1 to 50 characters. No two usable sub-keys of a key have names that look the same, whatever their case."""


class SubKeyInput(_SubKeyInputRequired, total=False):
    """A new sub-key."""

    monthly_limit: Optional[Number]
    """The most credits that it may spend in a UTC month; no limit if null. An integer from 1 to 1,000,000,000."""


class CreatedSubKey(TypedDict):
    """A new sub-key with its secret."""

    sub_key_id: str
    """The ID of the sub-key; not a secret."""
    name: str
    """The name of the sub-key."""
    key_prefix: str
    """The first characters of its secret."""
    monthly_limit: Optional[int]
    """The most credits that it may spend in a UTC month; null if there is no limit."""
    state: Literal["usable", "revoked"]
    """A revoked sub-key is listed for 90 days."""
    created_at: str
    """The time of its creation, in UTC."""
    last_used_at: Optional[str]
    """The time when it last spent a credit, in UTC; null if it never did."""
    month: str
    """The current month in UTC."""
    requests: int
    """Its successful forecasts in the month."""
    api_key: str
    """The secret of the sub-key. It is shown only this once."""


class SubKey(TypedDict):
    """A sub-key."""

    sub_key_id: str
    """The ID of the sub-key; not a secret."""
    name: str
    """The name of the sub-key."""
    key_prefix: str
    """The first characters of its secret."""
    monthly_limit: Optional[int]
    """The most credits that it may spend in a UTC month; null if there is no limit."""
    state: Literal["usable", "revoked"]
    """A revoked sub-key is listed for 90 days."""
    created_at: str
    """The time of its creation, in UTC."""
    last_used_at: Optional[str]
    """The time when it last spent a credit, in UTC; null if it never did."""
    month: str
    """The current month in UTC."""
    requests: int
    """Its successful forecasts in the month."""


class SubKeyChange(TypedDict, total=False):
    """A new name, a new limit, or both; a monthly_limit of null removes the limit. What is left out stays as it is."""

    name: Optional[str]
    """The name of the sub-key: 1 to 50 characters. No two usable sub-keys of a key have names that look the same, whatever their case."""
    monthly_limit: Optional[Number]
    """The most credits that it may spend in a UTC month; no limit if null. An integer from 1 to 1,000,000,000."""


class FieldError(TypedDict):
    """An error in the request."""

    pointer: str
    """JSON Pointer (RFC 6901) to the field of the body, in your own spelling, or / and the name of the query parameter or header; empty for the body or the query as a whole."""
    message: str
    """The error and what to do."""
    code: Literal["required", "wrong_type", "out_of_range", "not_an_integer", "invalid_format", "unknown_field", "duplicate_field"]
    """Stable code for programs."""


class MinimalForecast(TypedDict):
    """The short form of a forecast, with Prefer: return=minimal."""

    summary: str
    """One to three sentences to pass on: what is doubtful, the range of clients, and what to do first. Money is rounded."""
    estimated_replies: float
    """Forecast replies, to 4 decimals."""
    estimated_positive_replies: float
    """Forecast positive replies, to 4 decimals."""
    estimated_meetings: float
    """Forecast booked meetings, to 4 decimals."""
    estimated_clients: float
    """Forecast clients, to 4 decimals; may be fractional."""
    estimated_revenue: Optional[float]
    """Forecast revenue, to 2 decimals. Null when it cannot be computed."""
    roi_multiple: Optional[float]
    """Revenue over campaign cost, to 1 decimal. Null when it cannot be computed."""
    cost_per_reply: Optional[float]
    """Campaign cost per reply, to 2 decimals. Null when it cannot be computed."""
    cost_per_meeting: Optional[float]
    """Campaign cost per meeting, to 2 decimals. Null when it cannot be computed."""
    cost_per_client: Optional[float]
    """Campaign cost per client, to 2 decimals. Null when it cannot be computed."""
    performance_grade: Literal["strong", "healthy", "break_even_or_unclear", "weak"]
    """By the exact ROI: weak below 1, break_even_or_unclear below 3, healthy below 10, strong from 10 up; break_even_or_unclear too when the ROI is unknown, or when it is 3 or more with small_sample or cost_looks_incomplete. By the ROI of the median if the expected replies are above their range."""
    risk_flags: List[Literal["low_reply_rate", "optimistic_reply_rate", "low_positive_reply_rate", "optimistic_positive_reply_rate", "low_meeting_booking_rate", "optimistic_meeting_booking_rate", "low_close_rate", "optimistic_close_rate", "high_volume", "small_sample", "high_bounce_rate", "negative_roi", "missing_deal_value", "missing_campaign_cost", "zero_campaign_cost", "cost_looks_incomplete", "rates_look_like_fractions"]]
    """Risks of the assumptions or the result; empty if there are none."""
    recommendations: List[str]
    """What to do, most valuable first: a few sentences, each with a number in it."""
    model_version: str
    """The date of the last change of the figures: it changes when the same request gives different figures. /docs/changes explains each change."""
    outlook: MinimalOutlook
    """The range of the clients, and the chance to break even."""
    usage: Usage
    """The usage and the remaining credits of the key."""


class _PastCampaignRequired(TypedDict):
    emails_sent: Number
    """Emails that were sent. An integer from 1 to 100,000,000."""


class PastCampaign(_PastCampaignRequired, total=False):
    """The counts of a completed campaign: whole numbers, none above the one before it. An unknown count may be left out."""

    name: Optional[str]
    """Your name for it, at most 100 characters. It does not affect the forecast."""
    delivered: Optional[Number]
    """Emails delivered; for requests with delivery_rate. An integer from 0 to 100,000,000."""
    replies: Optional[Number]
    """Replies of people, without automatic ones. An integer from 0 to 100,000,000."""
    positive_replies: Optional[Number]
    """Positive replies among them. An integer from 0 to 100,000,000."""
    meetings: Optional[Number]
    """Meetings booked. An integer from 0 to 100,000,000."""
    meetings_held: Optional[Number]
    """Meetings held; for requests with show_rate. An integer from 0 to 100,000,000."""
    clients: Optional[Number]
    """Clients won. An integer from 0 to 100,000,000."""


class Outlook(TypedDict):
    """How certain the forecast is: how much the results of such campaigns vary."""

    basis: Literal["as_given", "published_spread", "history", "so_far"]
    """The basis of the ranges: the strongest basis of any rate, history before published_spread and as_given."""
    interval_percent: Literal[80]
    """The percentage of campaigns that the range from low to high covers at least."""
    rates: RateOutlooks
    """What the ranges assume about each rate. The delivery rate and the show rate are present only if the request has them."""
    replies: StageOutlook
    """The number of people at a stage in such campaigns."""
    positive_replies: StageOutlook
    """The number of people at a stage in such campaigns."""
    meetings: StageOutlook
    """The number of people at a stage in such campaigns."""
    clients: StageOutlook
    """The number of people at a stage in such campaigns."""
    revenue: Optional[AmountRange]
    """Revenue of low, median and high clients, to 2 decimals. Null when it cannot be computed."""
    profit: Optional[AmountRange]
    """The same revenue less campaign cost, to 2 decimals. Null when it cannot be computed."""
    roi_multiple: Optional[AmountRange]
    """The same revenue over campaign cost, to 1 decimal. Null when it cannot be computed."""
    cost_per_meeting: MeetingCost
    """Campaign cost per booked meeting, to 2 decimals."""
    cost_per_meeting_held: Optional[MeetingCost]
    """The same per held meeting. Null without show_rate."""
    chance_of_no_client: float
    """Chance that the campaign brings no client at all. From 0 to 1, to 4 decimals. A number from 0 to 1."""
    clients_to_break_even: Optional[float]
    """The fewest clients whose deals cover the cost. Null if it cannot be computed, or if no number does."""
    chance_to_break_even: Optional[float]
    """Chance that revenue covers the cost. From 0 to 1, to 4 decimals. Null without a deal value or a cost."""
    chance_alone: Optional[ChanceAlone]
    """The outlook if every rate were exactly as expected: the narrowest possible range. Null if no rate varies."""


class TrackRecord(TypedDict):
    """How often past campaigns ended within the 80% ranges forecast for them from the others."""

    campaigns: int
    """Past campaigns with replies, each forecast from the others at this request's rates."""
    replies_within: int
    """The number of them that ended within their 80% range of replies."""
    clients_of: int
    """The number of them with all counts."""
    clients_within: int
    """The number of these that ended within their 80% range of clients."""
    each: List[RecordedCampaign]
    """Each of the campaigns, in the order of the history."""


class _BreakEvenRequired(TypedDict):
    emails_sent: Optional[float]
    """Fewest sufficient emails. Null if there is none."""
    reply_rate: Optional[float]
    """Lowest sufficient reply rate, in percent, rounded up. Null if there is none."""
    positive_reply_rate: Optional[float]
    """Lowest sufficient positive reply rate, in percent, rounded up. Null if there is none."""
    meeting_booking_rate: Optional[float]
    """Lowest sufficient meeting booking rate, in percent, rounded up. Null if there is none."""
    close_rate: Optional[float]
    """Lowest sufficient close rate, in percent, rounded up. Null if there is none."""
    average_deal_value: Optional[float]
    """Lowest sufficient deal value, to 2 decimals, rounded up. Null if there is none."""
    campaign_cost: Optional[float]
    """Highest cost that is covered, to 2 decimals, rounded down. Null if there is none."""


class BreakEven(_BreakEvenRequired, total=False):
    """For each input, the value at which the expected revenue covers the cost if all other inputs stay the same. Null if no value is enough, or if an input that it depends on is missing. The delivery rate and the show rate are present only if the request has them."""

    delivery_rate: Optional[float]
    """Lowest sufficient delivery rate, in percent, rounded up. Null if there is none."""
    show_rate: Optional[float]
    """Lowest sufficient show rate, in percent, rounded up. Null if there is none."""


class TestFirst(TypedDict):
    """A test of some lists, after which all other emails go to the list with the most replies."""

    lists: int
    """Number of lists, or of first emails, that are tested."""
    emails_each: int
    """Emails sent to each of them in the test."""
    replies: float
    """Expected replies of the whole campaign, if replies choose the list, to 4 decimals."""
    factor: float
    """The same divided by the expected replies without a test, to 4 decimals."""


class _UsageRequired(TypedDict):
    month: str
    """The current month in UTC."""
    requests: int
    """Successful forecasts of this key or sub-key in the month."""
    credits_remaining: int
    """Credits left on the key; they never expire. For a sub-key with a limit, those of them that it may still spend in the month."""


class Usage(_UsageRequired, total=False):
    """The usage and the remaining credits of the key."""

    sub_key_credits_remaining: int
    """Credits that this sub-key may still spend in the month; only if it has a limit."""


class Goal(TypedDict, total=False):
    """The goal of the campaign: exactly one aim, and optionally the chance of reaching it."""

    replies: Optional[Number]
    """Minimum number of replies. A number above 0, at most 100,000,000."""
    meetings: Optional[Number]
    """Minimum number of booked meetings. A number above 0, at most 100,000,000."""
    clients: Optional[Number]
    """Minimum number of clients. A number above 0, at most 100,000,000."""
    revenue: Optional[Number]
    """Minimum revenue. A number above 0, at most 1,000,000,000,000."""
    profit: Optional[Number]
    """Minimum profit: revenue less campaign cost. A number above 0, at most 1,000,000,000,000."""
    roi_multiple: Optional[Number]
    """Minimum revenue as a multiple of the campaign cost. A number above 0, at most 1,000,000,000."""
    chance: Optional[Number]
    """The chance of reaching it. Without one, the goal is to reach it on average. A number from 0.5 to 0.999."""


class GoalAnswerGoal(TypedDict, total=False):
    """The goal of the request."""

    replies: float
    meetings: float
    clients: float
    revenue: float
    profit: float
    roi_multiple: float
    chance: float


class _GoalAnswerNeededRequired(TypedDict):
    emails_sent: NeededInput
    """The value that an input would need if all others stay the same."""


class GoalAnswerNeeded(_GoalAnswerNeededRequired, total=False):
    """The value that each input needs if it alone is changed; inputs that do not affect the goal are left out."""

    delivery_rate: NeededRate
    """The value that a rate would need, and whether it is beyond what is published."""
    reply_rate: NeededRate
    """The value that a rate would need, and whether it is beyond what is published."""
    positive_reply_rate: NeededRate
    """The value that a rate would need, and whether it is beyond what is published."""
    meeting_booking_rate: NeededRate
    """The value that a rate would need, and whether it is beyond what is published."""
    show_rate: NeededRate
    """The value that a rate would need, and whether it is beyond what is published."""
    close_rate: NeededRate
    """The value that a rate would need, and whether it is beyond what is published."""
    average_deal_value: NeededInput
    """The value that an input would need if all others stay the same."""
    campaign_cost: NeededInput
    """The value that an input would need if all others stay the same."""


class _SoFarRequired(TypedDict):
    emails_sent: Number
    """Emails sent so far. An integer from 0 to 100,000,000."""
    replies: Number
    """Replies of people, without automatic ones. An integer from 0 to 100,000,000."""
    positive_replies: Number
    """Positive replies among them. An integer from 0 to 100,000,000."""
    meetings: Number
    """Meetings booked. An integer from 0 to 100,000,000."""
    clients: Number
    """Clients won. An integer from 0 to 100,000,000."""


class SoFar(_SoFarRequired, total=False):
    """The results so far: whole numbers, none greater than the one before it."""

    delivered: Optional[Number]
    """Emails delivered; required with delivery_rate, and only then. An integer from 0 to 100,000,000."""
    meetings_held: Optional[Number]
    """Meetings held; required with show_rate, and only then. An integer from 0 to 100,000,000."""


class OpenCounts(TypedDict, total=False):
    """The part of each count that is undecided, 0 by default: at most those that have not reached the next count. All others count as decided."""

    emails: Optional[Number]
    """Emails that are too recent to have been answered. An integer from 0 to 100,000."""
    replies: Optional[Number]
    """Replies that have not been read yet. An integer from 0 to 100,000."""
    positive_replies: Optional[Number]
    """Positive replies without an answer about a meeting. An integer from 0 to 100,000."""
    meetings: Optional[Number]
    """Meetings without a decision; with show_rate, those that have yet to take place. An integer from 0 to 100,000."""
    meetings_held: Optional[Number]
    """Held meetings without a decision; only with show_rate. An integer from 0 to 100,000."""


class ProgressAnswerEnd(TypedDict):
    """The end of the campaign if all remaining emails are sent."""

    replies: StageEnd
    """The number of people at a stage when the campaign is over."""
    positive_replies: StageEnd
    """The number of people at a stage when the campaign is over."""
    meetings: StageEnd
    """The number of people at a stage when the campaign is over."""
    clients: StageEnd
    """The number of people at a stage when the campaign is over."""
    revenue: Optional[AmountRange]
    """Revenue of low, median and high clients, to 2 decimals. Null when it cannot be computed."""
    roi_multiple: Optional[AmountRange]
    """The same revenue over campaign cost, to 1 decimal. Null when it cannot be computed."""
    chance_of_no_client: float
    """Chance that the campaign brings no client at all. From 0 to 1, to 4 decimals. A number from 0 to 1."""
    chance_to_break_even: Optional[float]
    """Chance that revenue covers the cost. From 0 to 1, to 4 decimals. Null without a deal value or a cost."""


class ProgressAnswerPlan(TypedDict):
    """The planned clients, and the chance of still reaching them."""

    clients: int
    """The expected clients of the plan, rounded up."""
    chance_of_at_least: float
    """Chance that the campaign ends with as many or more. From 0 to 1, to 4 decimals. A number from 0 to 1."""


class ProgressAnswerIfYouStopNow(TypedDict):
    """The end of the campaign without another email."""

    clients: ProgressAnswerIfYouStopNowClients
    """Clients at the end if no further email is sent: those already won, and those from open cases."""
    chance_of_another_client: float
    """Chance of at least one more client. From 0 to 1, to 4 decimals. A number from 0 to 1."""


class IfYouSend(TypedDict):
    """Clients at the end if this many further emails are sent."""

    emails: int
    """Further emails."""
    expected: float
    """Expected number, to 4 decimals."""
    low: int
    """The 10% quantile: at most 10 of 100 such campaigns have fewer."""
    high: int
    """The 90% quantile: at most 10 of 100 such campaigns have more."""


class _ProgressAnswerAgainstThePlanRequired(TypedDict):
    reply_rate: RateAgainstPlan
    """An observed rate, and whether its deviation may be bad luck."""
    positive_reply_rate: RateAgainstPlan
    """An observed rate, and whether its deviation may be bad luck."""
    meeting_booking_rate: RateAgainstPlan
    """An observed rate, and whether its deviation may be bad luck."""
    close_rate: RateAgainstPlan
    """An observed rate, and whether its deviation may be bad luck."""


class ProgressAnswerAgainstThePlan(_ProgressAnswerAgainstThePlanRequired, total=False):
    """Each rate of the plan, compared with what was observed."""

    delivery_rate: RateAgainstPlan
    """An observed rate, and whether its deviation may be bad luck."""
    show_rate: RateAgainstPlan
    """An observed rate, and whether its deviation may be bad luck."""


class _RateOutlooksRequired(TypedDict):
    reply_rate: ReplyRateOutlook
    """The uncertainty of the reply rate, and how ambitious it is."""
    positive_reply_rate: RateOutlook
    """The uncertainty of a rate: in 80 of 100 such campaigns it is from low to high."""
    meeting_booking_rate: RateOutlook
    """The uncertainty of a rate: in 80 of 100 such campaigns it is from low to high."""
    close_rate: RateOutlook
    """The uncertainty of a rate: in 80 of 100 such campaigns it is from low to high."""


class RateOutlooks(_RateOutlooksRequired, total=False):
    """What the ranges assume about each rate. The delivery rate and the show rate are present only if the request has them."""

    delivery_rate: RateOutlook
    """The uncertainty of a rate: in 80 of 100 such campaigns it is from low to high."""
    show_rate: RateOutlook
    """The uncertainty of a rate: in 80 of 100 such campaigns it is from low to high."""


class _CampaignRequired(TypedDict):
    emails_sent: Number
    """Number of emails sent. An integer from 1 to 100,000,000."""
    reply_rate: Number
    """Percentage of emails that a person replies to, without automatic replies such as out of office; of delivered emails where delivery_rate is given. 5 means 5 percent. A number from 0 to 100."""
    positive_reply_rate: Number
    """Percentage of replies that are positive. 5 means 5 percent. A number from 0 to 100."""
    meeting_booking_rate: Number
    """Percentage of positive replies that become booked meetings. 5 means 5 percent. A number from 0 to 100."""
    close_rate: Number
    """Percentage of booked meetings that become clients; of held ones where show_rate is given. 5 means 5 percent. A number from 0 to 100."""


class Campaign(_CampaignRequired, total=False):
    """The assumptions of a campaign, as POST /api/v1/forecast takes them, and a name."""

    name: Optional[str]
    """The name of the campaign in the answer, 1 to 200 characters. No two campaigns may have the same name."""
    average_deal_value: Optional[Number]
    """Revenue per client, in your currency. A number from 0 to 1,000,000,000."""
    campaign_cost: Optional[Number]
    """Total cost of the campaign, in the same currency. A number from 0 to 1,000,000,000."""
    delivery_rate: Optional[Number]
    """Percentage of emails that are delivered: 100 minus the bounce rate. 5 means 5 percent. A number from 0 to 100."""
    show_rate: Optional[Number]
    """Percentage of booked meetings that are held. 5 means 5 percent. A number from 0 to 100."""
    emails_per_contact: Optional[Number]
    """How many of the emails go to one contact, follow-ups included. Makes the reply rate comparable, and bounds it: it is at most 100 divided by this. An integer from 1 to 20."""
    spread: Optional[Literal["published", "none"]]
    """How much rates vary between campaigns. published, the default: the reply rate varies around its value as in 556 published campaigns. none: every rate is exactly as given. Rates learned from history vary in either case."""


class CampaignForecast(TypedDict):
    """The forecast of one campaign: its name, and the response of POST /api/v1/forecast without the usage."""

    name: Optional[str]
    """The campaign's name in the request; null if it has none."""
    estimated_replies: float
    """Forecast replies, to 4 decimals."""
    estimated_positive_replies: float
    """Forecast positive replies, to 4 decimals."""
    estimated_meetings: float
    """Forecast booked meetings, to 4 decimals."""
    estimated_clients: float
    """Forecast clients, to 4 decimals; may be fractional."""
    estimated_revenue: Optional[float]
    """Forecast revenue, to 2 decimals. Null when it cannot be computed."""
    roi_multiple: Optional[float]
    """Revenue over campaign cost, to 1 decimal. Null when it cannot be computed."""
    cost_per_reply: Optional[float]
    """Campaign cost per reply, to 2 decimals. Null when it cannot be computed."""
    cost_per_meeting: Optional[float]
    """Campaign cost per meeting, to 2 decimals. Null when it cannot be computed."""
    cost_per_client: Optional[float]
    """Campaign cost per client, to 2 decimals. Null when it cannot be computed."""
    estimated_profit: Optional[float]
    """Forecast revenue less campaign cost, to 2 decimals. Null when it cannot be computed."""
    roi_percent: Optional[float]
    """Profit as a percentage of campaign cost, to 1 decimal. Null when it cannot be computed."""
    estimated_delivered: Optional[float]
    """Forecast delivered emails, to 4 decimals, where delivery_rate is given. Null when it cannot be computed."""
    estimated_meetings_held: Optional[float]
    """Forecast held meetings, to 4 decimals, where show_rate is given. Null when it cannot be computed."""
    outlook: Outlook
    """How certain the forecast is: how much the results of such campaigns vary."""
    break_even: BreakEven
    """For each input, the value at which the expected revenue covers the cost if all other inputs stay the same. Null if no value is enough, or if an input that it depends on is missing. The delivery rate and the show rate are present only if the request has them."""
    performance_grade: Literal["strong", "healthy", "break_even_or_unclear", "weak"]
    """By the exact ROI: weak below 1, break_even_or_unclear below 3, healthy below 10, strong from 10 up; break_even_or_unclear too when the ROI is unknown, or when it is 3 or more with small_sample or cost_looks_incomplete. By the ROI of the median if the expected replies are above their range."""
    risk_flags: List[Literal["low_reply_rate", "optimistic_reply_rate", "low_positive_reply_rate", "optimistic_positive_reply_rate", "low_meeting_booking_rate", "optimistic_meeting_booking_rate", "low_close_rate", "optimistic_close_rate", "high_volume", "small_sample", "high_bounce_rate", "negative_roi", "missing_deal_value", "missing_campaign_cost", "zero_campaign_cost", "cost_looks_incomplete", "rates_look_like_fractions"]]
    """Risks of the assumptions or the result; empty if there are none."""
    recommendations: List[str]
    """What to do, most valuable first: a few sentences, each with a number in it."""
    calculation_notes: List[str]
    """How each figure was computed from this request, why a figure is null, and the limits of a forecast."""
    model_version: str
    """The date of the last change of the figures: it changes when the same request gives different figures. /docs/changes explains each change."""


class PortfolioTotals(TypedDict):
    """The total of the campaigns: of one sender, if the request does not say that they are independent."""

    summary: str
    """One to three sentences to pass on: what is doubtful, the range of clients, and what to do first. Money is rounded."""
    campaigns: int
    """Number of campaigns."""
    emails_sent: int
    """Total emails."""
    estimated_replies: float
    """Total forecast replies, to 4 decimals."""
    estimated_positive_replies: float
    """Total forecast positive replies, to 4 decimals."""
    estimated_meetings: float
    """Total forecast booked meetings, to 4 decimals."""
    estimated_clients: float
    """Total forecast clients, to 4 decimals."""
    estimated_revenue: Optional[float]
    """Total forecast revenue, to 2 decimals. Null when it cannot be computed."""
    campaign_cost: Optional[float]
    """Total cost, to 2 decimals. Null when it cannot be computed."""
    estimated_profit: Optional[float]
    """Total revenue less total cost, to 2 decimals. Null when it cannot be computed."""
    roi_multiple: Optional[float]
    """Total revenue over total cost, to 1 decimal. Null when it cannot be computed."""
    clients: Optional[StageOutlook]
    """The range of the clients of all campaigns together. Only for up to 250 campaigns, otherwise null. Unless they are independent, the level of their rates is the same for all, as far as it is unknown."""
    profit: Optional[AmountRange]
    """Total revenue less total cost at low, median and high clients, to 2 decimals; only for up to 250 campaigns with the same deal value. Null when it cannot be computed."""
    chance_of_no_client: float
    """Chance that none of them brings a client, to 4 decimals."""
    chance_to_break_even: Optional[float]
    """Chance that the total revenue covers the total cost, to 4 decimals; only for up to 20 campaigns with the same deal value. Null when it cannot be computed."""


class Ranking(TypedDict):
    """The campaigns by expected result, best first, and how certain each rank is."""

    by: Literal["profit", "clients"]
    """profit if every campaign has a deal value and a cost, otherwise clients."""
    order: List[Union[str, int]]
    """Names, or positions in the request counted from 0, best first; ties keep the order of the request."""
    neighbours: List[RankingNeighbour]
    """How certain each rank is: each campaign compared with the next. Unless they are independent, the level of their rates is the same for both, as far as it is unknown."""


class Benchmark(TypedDict):
    """A published figure or range."""

    row: int
    """Number of the row; figures published together have the same number."""
    measure: str
    """What is counted or measured."""
    tier: str
    """Percentile, tier or circumstance."""
    value: Optional[float]
    """The figure. Null for a range."""
    range: Optional[BenchmarkRange]
    """The ends of a range. Null for a single figure."""
    unit: Literal["%", "USD", "emails"]
    """The unit of the figure."""
    per: Optional[str]
    """The denominator: what the figure is counted per. Null if the publisher does not say."""
    publisher: str
    """Publisher."""
    year: Optional[str]
    """Year or years of publication. Null if there is none."""
    sample: Optional[str]
    """The sample that it was measured on. Null if unknown."""
    url: Optional[str]
    """Address of the publication. Null if only a quotation or the publisher's name is available."""
    license: Optional[str]
    """The licence of the figure, which asks you to name the publisher and the licence and to link to both. Null if the publisher names none."""
    seen: Literal["primary", "quoted"]
    """primary: seen on the publisher's own page; quoted: seen only where another source quotes it."""


_BenchmarkThresholdKeywords = TypedDict("_BenchmarkThresholdKeywords", {"from": Optional[str]})


class BenchmarkThreshold(_BenchmarkThresholdKeywords):
    """A number beyond which a risk flag is raised."""

    flag: Literal["low_reply_rate", "optimistic_reply_rate", "low_positive_reply_rate", "optimistic_positive_reply_rate", "low_meeting_booking_rate", "optimistic_meeting_booking_rate", "low_close_rate", "optimistic_close_rate", "high_volume", "small_sample", "high_bounce_rate", "negative_roi", "missing_deal_value", "missing_campaign_cost", "zero_campaign_cost", "cost_looks_incomplete", "rates_look_like_fractions"]
    """The risk flag that is raised."""
    raised: Literal["below", "above"]
    """Which side of the value raises the flag."""
    of: str
    """The figure of a forecast that it is compared with."""
    value: float
    """The number."""
    unit: Literal["%", "USD", "emails"]
    """The unit of the figure."""
    per: Optional[str]
    """The denominator: what the figure is counted per. Null if the publisher does not say."""
    because: str
    """The kind of number, or the reason for it."""
    rows: List[int]
    """The rows that it is based on; empty if it is this service's own."""


_BenchmarkReferenceKeywords = TypedDict("_BenchmarkReferenceKeywords", {"from": Optional[str]})


class BenchmarkReference(_BenchmarkReferenceKeywords):
    """A number that recommendations compare with."""

    of: str
    """The figure of a forecast that it is compared with."""
    value: float
    """The number."""
    unit: Literal["%", "USD", "emails"]
    """The unit of the figure."""
    per: Optional[str]
    """The denominator: what the figure is counted per. Null if the publisher does not say."""
    because: str
    """The kind of number, or the reason for it."""
    rows: List[int]
    """The rows that it is based on; empty if it is this service's own."""


class KeyUsageRequestsByMonth(TypedDict):
    """The type of requests_by_month in KeyUsage."""

    month: str
    """A month in UTC."""
    requests: int
    """Successful forecasts in it."""


class _UsageRowRequired(TypedDict):
    sub_key_id: Optional[str]
    """The sub-key; null for the key itself."""
    name: Optional[str]
    """The name of the sub-key, or its ID 90 days after it was revoked; null for the key itself."""
    requests: int
    """Successful forecasts."""


class UsageRow(_UsageRowRequired, total=False):
    """The type of rows in UsageTable."""

    day: str
    """The day in UTC; only with by=day."""


class LedgerEntry(TypedDict):
    """The type of entries in LedgerPage."""

    kind: Literal["preview_grant", "forecast", "credit_pack", "adjustment"]
    """The reason for the change."""
    delta: int
    """The change in credits."""
    balance_after: int
    """The balance after it."""
    reference: str
    """A unique reference of the change."""
    sub_key: Optional[str]
    """The name of the sub-key that requested the forecast, or its ID 90 days after it was revoked; null if none did."""
    created_at: str
    """The time of the change, in UTC."""


class CreditPack(TypedDict):
    """The type of packs in CreditPacks."""

    id: str
    """The ID to order it with."""
    credits: int
    """Forecast credits in the pack."""
    price: float
    """Price in major units of the currency."""
    currency: str
    """ISO 4217 code."""


class MinimalOutlook(TypedDict):
    """The range of the clients, and the chance to break even."""

    clients: StageOutlook
    """The number of people at a stage in such campaigns."""
    chance_to_break_even: Optional[float]
    """Chance that revenue covers the cost. From 0 to 1, to 4 decimals. Null without a deal value or a cost."""


class StageOutlook(TypedDict):
    """The number of people at a stage in such campaigns."""

    expected: float
    """Expected number, to 4 decimals."""
    low: int
    """The 10% quantile: at most 10 of 100 such campaigns have fewer."""
    median: int
    """The 50% quantile: the number in the middle."""
    high: int
    """The 90% quantile: at most 10 of 100 such campaigns have more."""
    chance_within: float
    """Chance of low to high. Counts are whole numbers, so it is at least 0.8, and often more. From 0 to 1, to 4 decimals. A number from 0 to 1."""


class AmountRange(TypedDict):
    """An amount at the low, median and high number of clients."""

    low: float
    """At the low number of clients."""
    median: float
    """At the median."""
    high: float
    """At the high number."""


class MeetingCost(TypedDict):
    """Campaign cost per booked meeting, to 2 decimals."""

    low: Optional[float]
    """At the high number of meetings. Null without a cost or a meeting."""
    median: Optional[float]
    """At the median. Null without a cost or a meeting."""
    high: Optional[float]
    """At the low number: this price per meeting covers the cost in 90 of 100. Null without a cost or a meeting."""


class ChanceAlone(TypedDict):
    """The outlook if every rate were exactly as expected: the narrowest possible range."""

    clients: ChanceAloneClients
    chance_of_no_client: float
    """Chance of no client. From 0 to 1, to 4 decimals. A number from 0 to 1."""
    chance_to_break_even: Optional[float]
    """Chance that revenue covers the cost. From 0 to 1, to 4 decimals. Null without a deal value or a cost."""


class RecordedCampaign(TypedDict):
    """The ranges forecast for a past campaign from the others, and what came."""

    name: Optional[str]
    """The campaign's name in the history; null if it has none."""
    replies: ForecastCount
    """The 80% range forecast for a past campaign from the others, and its result."""
    clients: Optional[ForecastCount]
    """Null unless the campaign has all counts."""


class NeededInput(TypedDict):
    """The value that an input would need if all others stay the same."""

    current: Optional[float]
    """The current value of the input. Null if it is missing."""
    needed: Optional[float]
    """The value that it needs. Null if no value within its bounds is enough."""
    factor: Optional[float]
    """needed ÷ current, to 4 decimals. Null if either is null, or current is 0."""


class NeededRate(TypedDict):
    """The value that a rate would need, and whether it is beyond what is published."""

    current: Optional[float]
    """The current value of the input. Null if it is missing."""
    needed: Optional[float]
    """The value that it needs. Null if no value within its bounds is enough."""
    factor: Optional[float]
    """needed ÷ current, to 4 decimals. Null if either is null, or current is 0."""
    beyond_published: Optional[bool]
    """True if the needed rate is above the bound of its optimistic flag, or if no rate is enough. Null for a rate without such a bound."""


class StageEnd(TypedDict):
    """The number of people at a stage when the campaign is over."""

    so_far: int
    """The number so far."""
    expected: float
    """Expected number, to 4 decimals."""
    low: int
    """The 10% quantile: at most 10 of 100 such campaigns have fewer."""
    median: int
    """The 50% quantile: the number in the middle."""
    high: int
    """The 90% quantile: at most 10 of 100 such campaigns have more."""
    chance_within: float
    """Chance of low to high. Counts are whole numbers, so it is at least 0.8, and often more. From 0 to 1, to 4 decimals. A number from 0 to 1."""


class ProgressAnswerIfYouStopNowClients(TypedDict):
    """Clients at the end if no further email is sent: those already won, and those from open cases."""

    expected: float
    """Expected number, to 4 decimals."""
    low: int
    """The 10% quantile: at most 10 of 100 such campaigns have fewer."""
    median: int
    """The 50% quantile: the number in the middle."""
    high: int
    """The 90% quantile: at most 10 of 100 such campaigns have more."""


class RateAgainstPlan(TypedDict):
    """An observed rate, and whether its deviation may be bad luck."""

    planned: float
    """The rate of the plan. In percent."""
    observed: Optional[float]
    """The decided cases that passed, in percent, to 4 decimals. Null if nothing is decided."""
    chance_by_chance_alone: Optional[float]
    """If the planned rate were exact, the chance of this result or one further from the plan; 1 if the plan is met. From 0 to 1, to 4 decimals. Null if nothing is decided."""
    chance_as_campaigns_vary: Optional[float]
    """The same, given how rates vary between campaigns, as published or in your history. From 0 to 1, to 4 decimals. Null too if that is unknown."""
    verdict: Optional[Literal["below", "above", "as_planned"]]
    """below or above if a result this far from the plan is seen in fewer than 10 of 100 campaigns as they vary or, where the variation is unknown, in fewer than 1 of 100 by chance alone. Null if nothing is decided."""


class RateOutlook(TypedDict):
    """The uncertainty of a rate: in 80 of 100 such campaigns it is from low to high."""

    basis: Literal["as_given", "published_spread", "history", "so_far"]
    """as_given: exactly the rate of the request. published_spread: it varies around that rate as published. history: learned from past campaigns. so_far, in POST /api/v1/progress: the results of this campaign count too."""
    expected: float
    """The average, to 4 decimals. In percent."""
    low: float
    """The 10% quantile, to 2 decimals. In percent."""
    high: float
    """The 90% quantile, to 2 decimals. In percent."""


class ReplyRateOutlook(TypedDict):
    """The uncertainty of the reply rate, and how ambitious it is."""

    basis: Literal["as_given", "published_spread", "history", "so_far"]
    """as_given: exactly the rate of the request. published_spread: it varies around that rate as published. history: learned from past campaigns. so_far, in POST /api/v1/progress: the results of this campaign count too."""
    expected: float
    """The average, to 4 decimals. In percent."""
    low: float
    """The 10% quantile, to 2 decimals. In percent."""
    high: float
    """The 90% quantile, to 2 decimals. In percent."""
    published_percentile: int
    """How many of 100 published campaigns get fewer replies per email sent: 50 is usual, above 90 is rare (556 campaigns of 500 emails or more; Clientium, CC BY 4.0). An integer from 1 to 99."""


class RankingNeighbour(TypedDict):
    """The type of neighbours in Ranking."""

    first: Union[str, int]
    second: Union[str, int]
    chance_first_is_better: float
    """Chance that the first ends better than the second, to 4 decimals."""
    chance_equal: float
    """Chance that both end the same, to 4 decimals."""


class BenchmarkRange(TypedDict):
    """The type of range in Benchmark."""

    low: float
    high: float


class ChanceAloneClients(TypedDict):
    """The type of clients in ChanceAlone."""

    low: int
    """The 10% quantile."""
    median: int
    """The 50% quantile."""
    high: int
    """The 90% quantile."""


class ForecastCount(TypedDict):
    """The 80% range forecast for a past campaign from the others, and its result."""

    low: int
    """The 10% quantile of the forecast."""
    high: int
    """The 90% quantile of the forecast."""
    observed: int
    """The result of the campaign."""
