from __future__ import annotations

import os
import re

from ._calls import Calls
from ._route import route_to
from ._secret import Secret

_visible = re.compile(r"[\x21-\x7e]+")


def _is(value: object, kinds: type | tuple[type, ...]) -> bool:
    """Whether a setting is of a kind that it should be, for callers whose types nobody checks."""
    return isinstance(value, kinds)


def calls_with(key: Secret | None, base_url: str, timeout: float, max_retries: int) -> Calls:
    """Calls with these settings; without a key, with that of SERVICE_API_KEY.

    Raises ValueError for a setting that cannot work, without the key in its message.
    """
    if key is None:
        key = Secret(os.environ.get("SERVICE_API_KEY", ""))
    if not _is(key.reveal(), str):
        raise ValueError("The API key must be a str.")
    if not key.reveal():
        raise ValueError("There is no API key: set the environment variable SERVICE_API_KEY, or pass api_key.")
    if _visible.fullmatch(key.reveal()) is None:
        raise ValueError("The API key has a space, a line break or another character that no key has.")
    if not _is(timeout, (int, float)) or not timeout > 0:
        raise ValueError(f"timeout must be a number of seconds above 0, not {timeout!r}.")
    if not _is(max_retries, int) or max_retries < 0:
        raise ValueError(f"max_retries must be an integer, 0 or more, not {max_retries!r}.")
    if not _is(base_url, str):
        raise ValueError(f"base_url must be a str, not {base_url!r}.")
    return Calls(key, route_to(base_url), timeout, max_retries)
