from __future__ import annotations

import json
import math
import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Optional, SupportsIndex, TypedDict, Union, cast
from uuid import uuid4

Number = Union[float, Decimal, SupportsIndex]
"""A number of a request. A Decimal is sent digit by digit, a float as Python prints it."""


class _Funnel(TypedDict):
    emails_sent: Number
    reply_rate: Number
    positive_reply_rate: Number
    meeting_booking_rate: Number
    close_rate: Number


class Measurement(TypedDict):
    """What a rate was measured on: how often it was `observed`, and `out_of` how many."""

    observed: Number
    out_of: Number


class Evidence(TypedDict, total=False):
    """What rates were measured on, at least one of them."""

    reply_rate: Optional[Measurement]
    positive_reply_rate: Optional[Measurement]
    meeting_booking_rate: Optional[Measurement]
    close_rate: Optional[Measurement]
    delivery_rate: Optional[Measurement]
    show_rate: Optional[Measurement]


class ForecastRequest(_Funnel, total=False):
    """The assumptions of a campaign, to be kept and passed on: `client.forecast(**campaign)`. Rates are percentages."""

    average_deal_value: Optional[Number]
    campaign_cost: Optional[Number]
    delivery_rate: Optional[Number]
    show_rate: Optional[Number]
    emails_per_contact: Optional[Number]
    evidence: Optional[Evidence]


class Goal(TypedDict, total=False):
    """What a campaign is to reach: exactly one aim, and optionally the `chance` to reach it with, 0.5 to 0.999."""

    replies: Optional[Number]
    meetings: Optional[Number]
    clients: Optional[Number]
    revenue: Optional[Number]
    profit: Optional[Number]
    roi_multiple: Optional[Number]
    chance: Optional[Number]


class Campaign(ForecastRequest, total=False):
    """The assumptions of one campaign among many, and the name that the answer calls it by."""

    name: Optional[str]


_idempotency_key = re.compile(r"[\x21-\x7e]{1,255}")


@dataclass(frozen=True)
class Request:
    """A request without what every request has: host and key."""

    method: str
    path: str
    body: str | None = None
    idempotency_key: str | None = None
    is_repeatable: bool = True
    """Whether it may be sent again where nobody knows if it was carried out."""


def forecast_request(path: str, idempotency_key: str | None, **fields: Number | Evidence | Goal | None) -> Request:
    """A forecast or a goal, with an Idempotency-Key that all its attempts share, so that they cost one credit together.

    Raises ValueError for a number that is not finite, and for a key that is not 1 to 255 visible ASCII characters.
    """
    given = {name: value for name, value in fields.items() if value is not None}
    return Request("POST", path, json_object(given), _key(idempotency_key))


def campaigns_request(campaigns: Iterable[Campaign], idempotency_key: str | None) -> Request:
    """Forecasts of many campaigns in one request; else as `forecast_request`."""
    body = json_object({"campaigns": list(campaigns)})
    return Request("POST", "/api/v1/forecasts", body, _key(idempotency_key))


def _key(chosen: str | None) -> str:
    key = str(uuid4()) if chosen is None else chosen
    if _idempotency_key.fullmatch(key) is None:
        raise ValueError("idempotency_key must be 1 to 255 visible ASCII characters.")
    return key


def json_object(fields: Mapping[str, object]) -> str:
    """A JSON object of numbers, or of such objects and lists of them, that loses no digit. All else is left for the service to refuse."""
    return "{" + ", ".join(f"{json.dumps(name)}: {_json(name, value)}" for name, value in fields.items()) + "}"


def _json(name: str, value: object) -> str:
    if isinstance(value, Mapping):
        return json_object(cast("Mapping[str, object]", value))
    if isinstance(value, list):
        return "[" + ", ".join(_json(name, each) for each in cast("list[object]", value)) + "]"
    if isinstance(value, Decimal):
        is_finite = value.is_finite()
    else:
        is_finite = not isinstance(value, float) or math.isfinite(value)
    if not is_finite:
        raise ValueError(f"{name} must be a finite number, not {value}.")
    if isinstance(value, Decimal):
        return str(value)
    # Integers of NumPy and the like are no int; True, which is one, stays true, which the service refuses.
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        return str(operator.index(value))
    try:
        return json.dumps(value)
    except TypeError:
        raise TypeError(f"{name} must be an int, float or Decimal, not {type(value).__name__}.") from None
