"""What a call raises: answers of the service that are errors, and answers that are not the service's.

Network failures are none of these, but the standard library's ConnectionError and TimeoutError.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class FieldError(TypedDict):
    """One thing that is wrong with a request: a JSON pointer to the field, what to do, and a stable code."""

    pointer: str
    message: str
    code: Literal[
        "required",
        "wrong_type",
        "out_of_range",
        "not_an_integer",
        "invalid_format",
        "unknown_field",
        "duplicate_field",
    ]


class APIError(Exception):
    """The service, or something before it, answered with an error. What the service itself refuses costs no credit.

    `status_code` is the HTTP status, `message` says what to do, `code` is stable and meant for programs, `request_id`
    names the request to the operator, `errors` lists everything that is wrong with the request, `retryable` tells
    whether the same request may succeed later, `retry_after` after how many seconds (None where the answer does not
    say), and `body` is the whole answer: a dictionary, or the text where it is not JSON.
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

    def __str__(self) -> str:
        request = "" if self.request_id is None else f", request {self.request_id}"
        return f"{self.message} ({self.status_code} {self.code or 'without a code'}{request})"

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(status_code={self.status_code}, code={self.code!r}, message={self.message!r}, "
            f"request_id={self.request_id!r})"
        )


class BadRequestError(APIError):
    """400: the request is wrong; `errors` says where."""


class AuthenticationError(APIError):
    """401: the key is missing, unknown or revoked."""


class PermissionDeniedError(APIError):
    """403: the key is known and may not do this, because its plan is inactive."""


class RateLimitError(APIError):
    """429: too many requests; wait for `retry_after` seconds."""


class UsageExhaustedError(APIError):
    """429: the key has no credits left. Waiting does not help, so this is no RateLimitError: order a credit pack."""


class InvalidResponseError(Exception):
    """What answered cannot be the service: its answer is not HTTP, not JSON, or far too large."""


_by_status = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    429: RateLimitError,
}


def error_class(status_code: int, code: str | None) -> type[APIError]:
    """The class of the error that an answer with this status and problem code is."""
    return UsageExhaustedError if code == "usage_exhausted" else _by_status.get(status_code, APIError)
