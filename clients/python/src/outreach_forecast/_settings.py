from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from urllib.parse import SplitResult, urlsplit

from ._secret import Secret
from .errors import InvalidArgumentError

_visible = re.compile(r"[\x21-\x7e]+")
_authority = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")


@dataclass(frozen=True, repr=False)
class Settings:
    """What holds for the calls of a client."""

    key: Secret
    base_url: str
    """Without a slash at its end."""
    timeout: float
    max_retries: int

    def __repr__(self) -> str:
        return ", ".join(f"{name}={value!r}" for name, value in vars(self).items() if name != "key")

    def with_changes(self, timeout: float | None, max_retries: int | None) -> Settings:
        """The same with what is not None. Raises InvalidArgumentError for what cannot work."""
        return replace(
            self,
            timeout=self.timeout if timeout is None else _checked_timeout(timeout),
            max_retries=self.max_retries if max_retries is None else _checked_max_retries(max_retries),
        )


def settings_from(key: Secret | None, base_url: str | None, timeout: float, max_retries: int) -> Settings:
    """The settings of a client; what is None comes from SERVICE_API_KEY and SERVICE_BASE_URL.

    Raises InvalidArgumentError for a setting that cannot work, without the key in its message.
    """
    url = os.environ.get("SERVICE_BASE_URL") or "http://127.0.0.1:3000" if base_url is None else base_url
    return Settings(_checked_key(key), _checked_url(url), _checked_timeout(timeout), _checked_max_retries(max_retries))


def split_url(url: str) -> SplitResult | None:
    """The parts of a URL that can be sent as it is: with a host, without user, spaces, controls; else None."""
    # urlsplit drops line breaks without a word, so they are looked for before.
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
    """Whether a setting is of a kind that it should be, for callers whose types nobody checks."""
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
        raise InvalidArgumentError("The API key has a space, a line break or another character that no key has.")
    return key


def _checked_url(url: str) -> str:
    if not _is(url, str):
        raise InvalidArgumentError(f"base_url must be a str, not {url!r}.")
    parts = split_url(url)
    if parts is None or parts.scheme not in ("http", "https") or "?" in url or "#" in url:
        # It may hold a password, so it is not repeated here.
        raise InvalidArgumentError(
            "base_url must be like https://forecast.example or https://forecast.example/prefix, "
            "without user, query, fragment and spaces."
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def _checked_timeout(timeout: float) -> float:
    if not _is(timeout, (int, float)) or not timeout > 0:
        raise InvalidArgumentError(f"timeout must be a number of seconds above 0, not {timeout!r}.")
    return timeout


def _checked_max_retries(max_retries: int) -> int:
    if not _is(max_retries, int) or max_retries < 0:
        raise InvalidArgumentError(f"max_retries must be an integer, 0 or more, not {max_retries!r}.")
    return max_retries
