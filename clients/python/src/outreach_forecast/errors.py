"""The errors that a client raises. All of them are subclasses of OutreachForecastError."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .types import FieldError


class OutreachForecastError(Exception):
    """Any error that the client itself raises."""


class APIError(OutreachForecastError):
    """The service, or something in front of it, answered with an error. A request that the service refuses costs no credit.

    `status_code` is the HTTP status, `message` says what to do, `code` is stable and meant for programs, `request_id`
    identifies the request to the operator, `errors` lists everything that is wrong with the request, `retryable` says
    whether the same request may succeed later, `retry_after` after how many seconds (None if the response does not
    say), `body` is the whole response: a dictionary, or the text if it is not JSON, and `headers` are its headers.
    """

    def __init__(
        self,
        status_code: int,
        message: str,
        *,
        code: str | None = None,
        request_id: str | None = None,
        errors: list[FieldError] | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status_code, message)
        self.status_code = status_code
        self.message = message
        self.code = code
        self.request_id = request_id
        self.errors: list[FieldError] = errors or []
        self.retryable = retryable
        self.retry_after = retry_after
        self.body = body
        self.headers: Mapping[str, str] = {} if headers is None else headers

    def __str__(self) -> str:
        request = "" if self.request_id is None else f", request {self.request_id}"
        return f"{self.message} ({self.status_code} {self.code or 'without a code'}{request})"

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(status_code={self.status_code}, code={self.code!r}, message={self.message!r}, "
            f"request_id={self.request_id!r})"
        )


class BadRequestError(APIError):
    """400: the request is invalid; `errors` lists everything that is wrong."""


class AuthenticationError(APIError):
    """401: the key is missing, unknown or revoked."""


class PermissionDeniedError(APIError):
    """403: the key may not do this: its plan is inactive, or it is the demo key or a sub-key."""


class RateLimitError(APIError):
    """429: too many requests, or a sub-key has reached its monthly limit; `retry_after` is the wait in seconds, if there is one."""


class UsageExhaustedError(APIError):
    """429: the key has no credits left. Waiting does not help, so this is not a RateLimitError: order a credit pack."""


class APIConnectionError(OutreachForecastError, ConnectionError):
    """There was no response, or it was cut off. Also Python's own ConnectionError; `__cause__` is the reason."""


class APITimeoutError(OutreachForecastError, TimeoutError):
    """The call took longer than its timeout. Also Python's own TimeoutError."""


class InvalidResponseError(OutreachForecastError):
    """The response cannot be from the service: it is not HTTP, not JSON, or larger than 8 MiB."""


class InvalidArgumentError(OutreachForecastError, ValueError):
    """An invalid setting, key or number, found before anything is sent. Also a ValueError."""


_by_status = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    429: RateLimitError,
}


def error_class(status_code: int, code: str | None) -> type[APIError]:
    """The class of the error for a response with this status and problem code."""
    return UsageExhaustedError if code == "usage_exhausted" else _by_status.get(status_code, APIError)
