from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from urllib.parse import SplitResult, urlsplit

from ._secret import Secret
from .errors import InvalidArgumentError

# The address of the service, unless a setting names another one.
_default_url = "http://127.0.0.1:3000"

# In seconds. A timeout in milliseconds, the unit of other clients, would mean hours instead of seconds.
_longest_timeout = 600

_visible = re.compile(r"[\x21-\x7e]+")
_authority = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")


@dataclass(frozen=True, repr=False)
class Settings:
    """The validated settings of a client."""

    key: Secret
    base_url: str
    """Without a trailing slash."""
    timeout: float
    max_retries: int

    def __repr__(self) -> str:
        return ", ".join(f"{name}={value!r}" for name, value in vars(self).items() if name != "key")

    def with_changes(self, timeout: float | None, max_retries: int | None) -> Settings:
        """The same settings, except for values that are not None. Raises InvalidArgumentError for an invalid one."""
        return replace(
            self,
            timeout=self.timeout if timeout is None else _checked_timeout(timeout),
            max_retries=self.max_retries if max_retries is None else _checked_max_retries(max_retries),
        )


def settings_from(key: Secret | None, base_url: str | None, timeout: float, max_retries: int) -> Settings:
    """The settings of a client; if None, the key and the URL are read from SERVICE_API_KEY and SERVICE_BASE_URL.

    Raises InvalidArgumentError for an invalid setting, without the key in its message.
    """
    url = os.environ.get("SERVICE_BASE_URL") or _default_url if base_url is None else base_url
    return Settings(_checked_key(key), _checked_url(url), _checked_timeout(timeout), _checked_max_retries(max_retries))


def split_url(url: str) -> SplitResult | None:
    """The parts of a URL with a host and without a user, spaces or control characters; None for any other."""
    # urlsplit silently drops line breaks, so they are checked first.
    if _visible.fullmatch(url) is None:
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port
        (parts.hostname or "").encode("idna")
    except ValueError:
        return None
    return parts if _authority.fullmatch(parts.netloc) else None


def _is(value: object, kinds: type | tuple[type, ...]) -> bool:
    """True if a setting has an allowed type, for callers without a type checker."""
    return isinstance(value, kinds)


def _checked_key(given: Secret | None) -> Secret:
    key = Secret(os.environ.get("SERVICE_API_KEY", "")) if given is None else given
    if not _is(key.reveal(), str):
        raise InvalidArgumentError("The API key must be a str.")
    if not key.reveal():
        raise InvalidArgumentError(
            "There is no API key: set the environment variable SERVICE_API_KEY, or pass api_key."
        )
    if _visible.fullmatch(key.reveal()) is None:
        raise InvalidArgumentError("The API key has a space, a line break or another character that keys never contain.")
    return key


def _checked_url(url: str) -> str:
    if not _is(url, str):
        raise InvalidArgumentError(f"base_url must be a str, not {url!r}.")
    parts = split_url(url)
    if parts is None or parts.scheme not in ("http", "https") or "?" in url or "#" in url:
        # The URL may contain a password, so the message omits it.
        raise InvalidArgumentError(
            "base_url must look like https://forecast.example or https://forecast.example/prefix, "
            "without user, query, fragment or spaces."
        )
    path = parts.path.rstrip("/")
    if path.endswith("/api/v1"):
        raise InvalidArgumentError("base_url is the address in front of /api/v1: leave that out.")
    return f"{parts.scheme}://{parts.netloc}{path}"


def _checked_timeout(timeout: float) -> float:
    if not _is(timeout, (int, float)) or not 0 < timeout <= _longest_timeout:
        raise InvalidArgumentError(
            f"timeout must be a number of seconds (not of milliseconds) above 0 and at most {_longest_timeout}, "
            f"not {timeout!r}."
        )
    return timeout


def _checked_max_retries(max_retries: int) -> int:
    if not _is(max_retries, int) or max_retries < 0:
        raise InvalidArgumentError(f"max_retries must be an integer, 0 or more, not {max_retries!r}.")
    return max_retries
