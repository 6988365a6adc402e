from __future__ import annotations

import json
import math
import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Generic, Literal, Optional, SupportsIndex, TypeVar, Union, cast
from urllib.parse import quote, urlencode
from uuid import UUID, uuid4

from ._operations import Operations
from ._tables import Fields, Table, rows_of
from .errors import InvalidArgumentError
from .types import Campaign, PastCampaign

A = TypeVar("A")

Spread = Literal["published", "none"]
"""How much rates vary between campaigns: as much as published figures do, or not at all."""

History = Union[Iterable[PastCampaign], Iterable[Mapping[str, object]], Table]
"""Past campaigns: a list, or a DataFrame with a row for each."""

NULL = object()
"""A field that is sent as null; None would leave it out."""

_idempotency_key = re.compile(r"[\x21-\x7e]{1,255}")


@dataclass(frozen=True)
class Request(Generic[A]):
    """A request with a response of type A, without the host and key that all requests share."""

    method: str
    path: str
    body: Optional[str] = None
    idempotency_key: Optional[str] = None
    is_minimal: bool = False
    """True if the short form of the response is preferred."""

    @property
    def is_repeatable(self) -> bool:
        """True if it may be retried when it is unknown whether it was carried out."""
        return self.method != "POST" or self.idempotency_key is not None


def _request(
    operation: str,
    fields: Mapping[str, object] | None = None,
    *,
    idempotency_key: str | None = None,
    **parameters: object,
) -> Request[Any]:
    method, path = operation.split(" ")
    query = {name: value for name, value in parameters.items() if f"{{{name}}}" not in path and value is not None}
    path = path.format_map({name: quote(str(value), safe="") for name, value in parameters.items()})
    body = None if fields is None else json_object(fields)
    return Request(method, f"{path}?{urlencode(query)}" if query else path, body, idempotency_key)


request: Operations = _request
"""The request of an operation, from the fields of its body, and the parameters of its path and query by name.

Raises InvalidArgumentError for a number that is not finite.
"""


def checked_key(idempotency_key: object) -> str:
    """The idempotency key that all attempts of a call share, so that they are charged once; a new one if it is None.

    Raises InvalidArgumentError for a key that is not 1 to 255 visible ASCII characters.
    """
    key = str(uuid4()) if idempotency_key is None else idempotency_key
    if not isinstance(key, str) or _idempotency_key.fullmatch(key) is None:
        raise InvalidArgumentError("idempotency_key must be 1 to 255 visible ASCII characters.")
    return key


def checked_flag(name: str, value: object) -> bool:
    """An argument that is True or False. Raises InvalidArgumentError for anything else."""
    if not isinstance(value, bool):
        raise InvalidArgumentError(f"{name} must be True or False.")
    return value


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
    if value is NULL:
        return "null"
    if isinstance(value, Mapping):
        return json_object(cast("Mapping[str, object]", value), f"{name}.")
    if isinstance(value, list):
        items = enumerate(cast("list[object]", value))
        return "[" + ", ".join(_json(f"{name}[{i}]", item) for i, item in items) + "]"
    if isinstance(value, (float, Decimal)):
        if not math.isfinite(value):
            raise InvalidArgumentError(f"{name} must be a finite number, not {value}.")
        return json.dumps(float(value))
    if isinstance(value, datetime) and value.time() == time() and value.tzinfo is None:
        return json.dumps(str(value.date()))
    if isinstance(value, (date, UUID)):
        return json.dumps(str(value))
    # The integers of NumPy and others are not ints. True is one, but is sent as true, which the service refuses.
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        return str(operator.index(value))
    try:
        return json.dumps(value)
    except TypeError:
        raise TypeError(f"{name} must be an int, float or Decimal, not {type(value).__name__}.") from None
