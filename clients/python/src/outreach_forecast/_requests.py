from __future__ import annotations

import json
import math
import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, List, Literal, Optional, SupportsIndex, TypedDict, TypeVar, Union, cast
from uuid import uuid4

from ._tables import Fields, Table, rows_of
from .answers import Answer
from .errors import InvalidArgumentError

A = TypeVar("A", bound=Answer)

Number = Union[float, Decimal, SupportsIndex]
"""A number in a request. A Decimal is sent as the nearest float, as the service reads it."""


class _Funnel(TypedDict):
    emails_sent: Number
    reply_rate: Number
    positive_reply_rate: Number
    meeting_booking_rate: Number
    close_rate: Number


class Assumptions(_Funnel, total=False):
    """The numbers that a campaign is forecast from. Rates are percentages: 5 means 5 percent."""

    average_deal_value: Optional[Number]
    campaign_cost: Optional[Number]
    delivery_rate: Optional[Number]
    show_rate: Optional[Number]
    emails_per_contact: Optional[Number]


class _PastEmails(TypedDict):
    emails_sent: Number


class PastCampaign(_PastEmails, total=False):
    """The counts of a completed campaign: whole numbers, none greater than the one before it."""

    name: Optional[str]
    delivered: Optional[Number]
    replies: Optional[Number]
    positive_replies: Optional[Number]
    meetings: Optional[Number]
    meetings_held: Optional[Number]
    clients: Optional[Number]


Spread = Literal["published", "none"]
"""How much rates vary between campaigns: as much as published figures do, or not at all."""

History = Union[Iterable[PastCampaign], Iterable[Mapping[str, object]], Table]
"""Past campaigns: a list, or a DataFrame with a row for each."""


class _Varying(Assumptions, total=False):
    spread: Optional[Spread]


class ForecastRequest(_Varying, total=False):
    """The assumptions of a campaign as a dictionary, for `client.forecast(**campaign)`."""

    history: Optional[List[PastCampaign]]


class Goal(TypedDict, total=False):
    """What a campaign should reach: exactly one aim, and optionally the `chance` of reaching it, 0.5 to 0.999."""

    replies: Optional[Number]
    meetings: Optional[Number]
    clients: Optional[Number]
    revenue: Optional[Number]
    profit: Optional[Number]
    roi_multiple: Optional[Number]
    chance: Optional[Number]


class _RequiredCounts(TypedDict):
    emails_sent: Number
    replies: Number
    positive_replies: Number
    meetings: Number
    clients: Number


class SoFar(_RequiredCounts, total=False):
    """The results of a campaign so far: whole numbers, none greater than the one before it."""

    delivered: Optional[Number]
    meetings_held: Optional[Number]


class OpenCounts(TypedDict, total=False):
    """How many of each count are undecided; the others count as decided."""

    emails: Optional[Number]
    replies: Optional[Number]
    positive_replies: Optional[Number]
    meetings: Optional[Number]
    meetings_held: Optional[Number]


class Campaign(_Varying, total=False):
    """The assumptions of one campaign among many, and its name in the response."""

    name: Optional[str]


_idempotency_key = re.compile(r"[\x21-\x7e]{1,255}")


@dataclass(frozen=True)
class Request(Generic[A]):
    """A request, without the host and key that all requests share."""

    kind: type[A]
    """The type of its response."""
    method: str
    path: str
    body: Optional[str] = None
    idempotency_key: Optional[str] = None
    is_repeatable: bool = True
    """True if it may be retried when it is unknown whether it was carried out."""


def paid_request(kind: type[A], path: str, idempotency_key: object, fields: Mapping[str, object]) -> Request[A]:
    """A request that costs credits, with one Idempotency-Key for all its attempts, so that they are charged once.

    Raises InvalidArgumentError for a number that is not finite, and for a key that is not 1 to 255 visible ASCII
    characters.
    """
    key = str(uuid4()) if idempotency_key is None else idempotency_key
    if not isinstance(key, str) or _idempotency_key.fullmatch(key) is None:
        raise InvalidArgumentError("idempotency_key must be 1 to 255 visible ASCII characters.")
    return Request(kind, "POST", path, json_object(fields), key)


def campaigns_in(
    campaigns: Iterable[Mapping[str, object]] | Table, name: str = "campaigns", fields: type[Campaign | PastCampaign] = Campaign
) -> list[Mapping[str, object]]:
    """The campaigns of a list, or of a DataFrame.

    Raises InvalidArgumentError for anything else, and for a DataFrame with a column that is wrong as a whole.
    """
    return rows_of(campaigns, cast("Fields", fields), name)


def history_in(history: Any) -> list[Mapping[str, object]] | None:
    """The past campaigns of a list or DataFrame; None if there are none."""
    return None if history is None else campaigns_in(history, "history", PastCampaign)


def json_object(fields: Mapping[str, object], place: str = "") -> str:
    """A JSON object of numbers, nested objects and lists, without losing a digit.

    None and NaN are left out, as in a row of a table. Everything else is left for the service to refuse.
    """
    numbers = ((str(name), _unboxed(value)) for name, value in fields.items())
    given = ((name, value) for name, value in numbers if not _is_nothing(value))
    return "{" + ", ".join(f"{json.dumps(name)}: {_json(place + name, value)}" for name, value in given) + "}"


def _unboxed(value: Any) -> object:
    """A NumPy scalar as a Python value."""
    return value.item() if hasattr(value, "dtype") and getattr(value, "shape", None) == () else value


def _is_nothing(value: object) -> bool:
    if isinstance(value, (float, Decimal)):
        return math.isnan(value) if isinstance(value, float) else value.is_nan()
    # The missing values of pandas are not equal to themselves.
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _json(name: str, value: object) -> str:
    if isinstance(value, Mapping):
        return json_object(cast("Mapping[str, object]", value), f"{name}.")
    if isinstance(value, list):
        items = enumerate(cast("list[object]", value))
        return "[" + ", ".join(_json(f"{name}[{i}]", item) for i, item in items) + "]"
    if isinstance(value, (float, Decimal)):
        if not math.isfinite(value):
            raise InvalidArgumentError(f"{name} must be a finite number, not {value}.")
        return json.dumps(float(value))
    # The integers of NumPy and others are not ints. True is one, but is sent as true, which the service refuses.
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        return str(operator.index(value))
    try:
        return json.dumps(value)
    except TypeError:
        raise TypeError(f"{name} must be an int, float or Decimal, not {type(value).__name__}.") from None
