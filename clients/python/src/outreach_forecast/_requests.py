from __future__ import annotations

import json
import math
import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Optional, SupportsIndex, TypedDict, Union
from uuid import uuid4

Number = Union[float, Decimal, SupportsIndex]
"""A number of a request. A Decimal is sent digit by digit, a float as Python prints it."""


class _Funnel(TypedDict):
    emails_sent: Number
    reply_rate: Number
    positive_reply_rate: Number
    meeting_booking_rate: Number
    close_rate: Number


class ForecastRequest(_Funnel, total=False):
    """The assumptions of a campaign, to be kept and passed on: `client.forecast(**campaign)`. Rates are percentages."""

    average_deal_value: Optional[Number]
    campaign_cost: Optional[Number]


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


def forecast_request(path: str, idempotency_key: str | None, **assumptions: Number | None) -> Request:
    """A forecast, with an Idempotency-Key that all its attempts share, so that they cost one credit together.

    Raises ValueError for a number that is not finite, and for a key that is not 1 to 255 visible ASCII characters.
    """
    key = str(uuid4()) if idempotency_key is None else idempotency_key
    if _idempotency_key.fullmatch(key) is None:
        raise ValueError("idempotency_key must be 1 to 255 visible ASCII characters.")
    return Request("POST", path, json_object(assumptions), key)


def json_object(fields: Mapping[str, Number | None]) -> str:
    """A JSON object of numbers that loses no digit. What is no number is left for the service to refuse."""
    return "{" + ", ".join(f'"{name}": {_json(name, value)}' for name, value in fields.items()) + "}"


def _json(name: str, value: Number | None) -> str:
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
