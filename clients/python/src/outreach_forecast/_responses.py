from __future__ import annotations

import email.utils
import json
import re
import time
from typing import Any, NoReturn, cast

import httpx

from .errors import APIError, InvalidResponseError, error_class
from .types import FieldError

_seconds = re.compile(r"[0-9]{1,300}")


def answer_of(response: httpx.Response, body: bytes, source: str) -> Any:
    """The JSON object of a response, None if it has no content; `source` names the service in messages.

    Raises APIError for a response that is not 2xx, and InvalidResponseError for one that is not a JSON object.
    """
    if not 200 <= response.status_code < 300:
        raise _error(response, body)
    if response.status_code == 204:
        return None
    content = _json(body)
    if isinstance(content, dict):
        return cast("dict[str, Any]", content)
    of_type = response.headers.get("content-type", "of no type")
    raise InvalidResponseError(
        f"The response from {source} is not JSON from the service: {len(body)} bytes, {of_type}; is base_url correct?"
    )


def _error(response: httpx.Response, body: bytes) -> APIError:
    content = _json(body)
    problem = cast("dict[str, Any]", content) if isinstance(content, dict) else {}
    status = response.status_code
    code, message = _text(problem.get("code")), _text(problem.get("message"))
    return error_class(status, code)(
        status,
        message or _message(response),
        code=code,
        request_id=_text(problem.get("request_id")) or response.headers.get("x-request-id"),
        errors=_field_errors(problem.get("errors")),
        retryable=problem.get("retryable", status == 429 or status >= 500) is True,
        retry_after=_retry_after(response.headers.get("retry-after")),
        body=body.decode("utf-8", "replace") if content is None else content,
        headers=response.headers,
    )


def _message(response: httpx.Response) -> str:
    """The message for a response without one, which comes from something in front of the service."""
    if response.has_redirect_location:
        return (
            f"The response is a redirect to {response.headers['location']!r}, where the key is not sent; "
            "set base_url to the address of the service itself."
        )
    status = f"{response.status_code} {response.reason_phrase}"
    return f"The response {status} is not from the service, but from something in front of it."


def _json(body: bytes) -> Any:
    """The JSON value of a body; None if it is not JSON."""

    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is not JSON.")

    try:
        return json.loads(body, parse_constant=refuse)
    except (ValueError, RecursionError):
        return None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _field_errors(value: object) -> list[FieldError]:
    entries = cast("list[object]", value) if isinstance(value, list) else []
    return [cast(FieldError, entry) for entry in entries if isinstance(entry, dict)]


def _retry_after(header: str | None) -> float | None:
    """The seconds in a Retry-After header, whose value is a number of seconds or a date."""
    if header is None:
        return None
    if _seconds.fullmatch(header):
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    # On Python 3.9 some invalid dates raise an IndexError.
    except (TypeError, ValueError, OverflowError, IndexError):
        return None
