"""One call: its attempts, and what a failure means for it. Sending and waiting is up to the clients."""

from __future__ import annotations

import logging
import random
import ssl
import time
from typing import Any, Generic, TypeVar

import httpx

from ._deadline import Deadline
from ._requests import Request
from ._responses import answer_of
from ._settings import Settings
from ._version import __version__
from .errors import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    InvalidResponseError,
    OutreachForecastError,
    RateLimitError,
)

A = TypeVar("A")

_log = logging.getLogger("outreach_forecast")

_largest_body = 8 * 1024 * 1024
_first_pause = 0.5
_doublings = 4
_temporary_refusals = ("idempotency_in_progress", "request_timeout")
_lasting_refusals = ("usage_exhausted", "sub_key_limit_reached")
_unsent = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)

failures = (httpx.HTTPError, OSError, OutreachForecastError)
"""The exceptions that an attempt may raise."""


class Body:
    """The body of a response while it arrives. Raises InvalidResponseError if it is far too large."""

    def __init__(self, response: httpx.Response, route: str) -> None:
        self._bytes = bytearray()
        self._route = route
        length = response.headers.get("content-length", "")
        self._check(int(length) if length.isdecimal() else 0)

    def add(self, part: bytes) -> None:
        self._bytes += part
        self._check(len(self._bytes))

    def complete(self) -> bytes:
        return bytes(self._bytes)

    def _check(self, size: int) -> None:
        if size > _largest_body:
            raise InvalidResponseError(f"The response from {self._route} is larger than {_largest_body // 1024**2} MiB.")


class Exchange(Generic[A]):
    """A call in progress, whose timeout is running."""

    def __init__(self, request: Request[A], settings: Settings, route: str) -> None:
        self.request = request
        self.deadline = Deadline(settings.timeout)
        self._settings = settings
        self._route = route
        self._attempt = 0
        self._attempt_began = 0.0
        self._is_connected = self._is_sent_on_idle = False

    def begin(self) -> dict[str, Any]:
        """Begins an attempt, and returns the arguments of httpx's `build_request` except `extensions`."""
        self._attempt_began = time.monotonic()
        self._is_connected = self._is_sent_on_idle = False
        request = self.request
        headers = {"accept": "application/json", "user-agent": f"outreach-forecast-python/{__version__}"}
        if request.body is not None:
            headers["content-type"] = "application/json"
        if request.is_minimal:
            headers["prefer"] = "return=minimal"
        if request.idempotency_key is not None:
            headers["idempotency-key"] = request.idempotency_key
        return {
            "method": request.method,
            "url": self._settings.base_url + request.path,
            "content": request.body,
            "headers": {**headers, "x-api-key": self._settings.key.reveal()},
            "timeout": self.deadline.left(),
        }

    def trace(self, event: str, _: object) -> None:
        """Receives the events of an attempt from httpx."""
        if event == "connection.connect_tcp.started":
            self._is_connected = True
        elif event.endswith(".send_request_headers.started"):
            self._is_sent_on_idle = not self._is_connected
        elif event.endswith(".receive_response_headers.complete"):
            self._is_sent_on_idle = False

    async def atrace(self, event: str, info: object) -> None:
        """The same for an asynchronous client."""
        self.trace(event, info)

    def body_of(self, response: httpx.Response) -> Body:
        return Body(response, self._route)

    def answer(self, response: httpx.Response, body: Body) -> A:
        """The response of the service. Raises APIError and InvalidResponseError."""
        took = (time.monotonic() - self._attempt_began) * 1000
        request_id = response.headers.get("x-request-id")
        _log.debug("%s: %d in %.0f ms, request %s", self, response.status_code, took, request_id)
        return answer_of(response, body.complete(), self._route)

    def pause_after(self, error: Exception) -> float:
        """The seconds to wait before the next attempt. Raises the error of the call if there is none."""
        failure = error if isinstance(error, OutreachForecastError) else self._failure(error)
        # A connection that was closed while idle says nothing about the service: it counts as no attempt and needs no
        # pause.
        if self._is_sent_on_idle and self.request.is_repeatable and isinstance(failure, APIConnectionError):
            _log.debug("%s: the connection ended while it was idle; on another one", self)
            return 0
        pause = _pause_after(failure, self._attempt)
        # A request that was rate limited or not sent was not carried out.
        is_harmless = self.request.is_repeatable or isinstance(error, (*_unsent, RateLimitError))
        is_last = self._attempt >= self._settings.max_retries
        if pause is None or not is_harmless or is_last or not self.deadline.allows(pause):
            _log.info("%s: failed, %s", self, failure)
            raise failure from failure.__cause__
        self._attempt += 1
        _log.info("%s: retry %d in %.2f s after: %s", self, self._attempt, pause, failure)
        return pause

    def __str__(self) -> str:
        return f"{self.request.method} {self.request.path.partition('?')[0]}"

    def _failure(self, error: Exception) -> OutreachForecastError:
        """The error that callers see for a network failure, with the root cause as its `__cause__`."""
        reason: BaseException = error
        while (deeper := reason.__cause__ or reason.__context__) is not None:
            reason = deeper
        text = str(error) or str(reason) or type(error).__name__
        if isinstance(error, httpx.ProxyError):
            text = f"the proxy responded {text}"
        message = f"{'No connection to' if isinstance(error, _unsent) else 'No response from'} {self._route}: {text}"
        failure: OutreachForecastError
        if isinstance(error, (TimeoutError, httpx.TimeoutException)):
            failure = APITimeoutError(message)
        elif isinstance(error, (httpx.ProtocolError, httpx.DecodingError)) and "connect" not in text:
            failure = InvalidResponseError(f"The server at {self._route} does not speak HTTP: {text}")
        else:
            failure = APIConnectionError(message)
        failure.__cause__ = reason
        return failure


def _pause_after(error: Exception, attempt: int) -> float | None:
    """The seconds to wait before a retry; None if a retry would fail in the same way."""
    if isinstance(error, APIError):
        is_temporary = (
            isinstance(error, RateLimitError) or error.status_code >= 500 or error.code in _temporary_refusals
        )
        if not is_temporary or error.code in _lasting_refusals:
            return None
        if error.retry_after is not None:
            return error.retry_after
    elif not isinstance(error, (APIConnectionError, APITimeoutError)):
        return None
    elif isinstance(error.__cause__, ssl.SSLCertVerificationError):
        return None
    # Half of it is random, so that clients that failed together do not retry together.
    return _first_pause * 2.0 ** min(attempt, _doublings) * random.uniform(0.5, 1)
