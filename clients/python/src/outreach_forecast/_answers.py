from __future__ import annotations

import email.utils
import json
import re
import time
from typing import Any, NoReturn, cast

from ._connection import Answer
from .errors import APIError, FieldError, InvalidResponseError, error_class

_seconds = re.compile(r"[0-9]{1,300}")


def success(answer: Answer, source: str) -> dict[str, Any]:
    """The JSON object that a source answers.

    Raises APIError for an answer that is not 2xx, InvalidResponseError for one that is no JSON object.
    """
    if not 200 <= answer.status < 300:
        raise _error(answer)
    body = _json(answer.body)
    if not isinstance(body, dict):
        kind = answer.headers.get("content-type", "of no type")
        encoding = answer.headers.get("content-encoding")
        raise InvalidResponseError(
            f"What {source} answers is no JSON object: {len(answer.body)} bytes, {kind}"
            f"{'' if encoding is None else f', compressed by {encoding}'}; is base_url right?"
        )
    return cast("dict[str, Any]", body)


def _error(answer: Answer) -> APIError:
    body = _json(answer.body)
    problem = cast(dict[str, Any], body) if isinstance(body, dict) else {}
    code, message = _text(problem.get("code")), _text(problem.get("message"))
    return error_class(answer.status, code)(
        answer.status,
        message or _message(answer),
        code=code,
        request_id=_text(problem.get("request_id")) or answer.headers.get("x-request-id"),
        errors=_field_errors(problem.get("errors")),
        retryable=problem.get("retryable", answer.status == 429 or answer.status >= 500) is True,
        retry_after=_retry_after(answer.headers.get("retry-after")),
        body=answer.body.decode("utf-8", "replace") if body is None else body,
    )


def _message(answer: Answer) -> str:
    """What to say of an answer that says nothing itself: it comes from something before the service."""
    if 300 <= answer.status < 400 and "location" in answer.headers:
        return (
            f"The answer is a redirect to {answer.headers['location']!r}, where the key is not sent; "
            "set base_url to the address of the service itself."
        )
    return f"The answer is {answer.status} {answer.reason}, not from the service but from something before it."


def _json(body: bytes) -> Any:
    """What a body says as JSON; None if it is none."""

    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is no JSON.")

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
    """The seconds of a Retry-After, which has seconds or a date."""
    if header is None:
        return None
    if _seconds.fullmatch(header):
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    # On Python 3.9 some texts that are no date end in an IndexError.
    except (TypeError, ValueError, OverflowError, IndexError):
        return None
