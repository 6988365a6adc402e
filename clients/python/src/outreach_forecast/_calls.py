from __future__ import annotations

import http.client
import random
import socket
import ssl
from typing import Any, NoReturn

from ._answers import success
from ._connection import Answer, Connection
from ._deadline import Deadline
from ._pool import Pool
from ._requests import Request
from ._route import Route
from ._secret import Secret
from .errors import APIError, InvalidResponseError, RateLimitError, UsageExhaustedError

_first_pause = 0.5
_doublings = 4

_temporary_refusals = ("idempotency_in_progress", "request_timeout")

_kinds_of_connection_errors = (
    ConnectionRefusedError,
    ConnectionResetError,
    ConnectionAbortedError,
    BrokenPipeError,
)


class Calls:
    """Makes calls to the service: connects, sends, tries again, within one deadline. For any number of threads."""

    def __init__(self, key: Secret, route: Route, timeout: float, max_retries: int) -> None:
        self._key = key
        self._route = route
        self._pool = Pool(route)
        self._timeout = timeout
        self._max_retries = max_retries

    def __repr__(self) -> str:
        return f"base_url={self._route.url!r}, timeout={self._timeout!r}, max_retries={self._max_retries!r}"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A client cannot be pickled: it holds a key and connections. Make one in each process.")

    def deadline(self) -> Deadline:
        """The end of a call that starts now."""
        return Deadline(self._timeout)

    def call(self, request: Request, deadline: Deadline) -> dict[str, Any]:
        """The answer to a request, a JSON object.

        Raises APIError for any other answer of the service, InvalidResponseError for what is no answer of it,
        ConnectionError and TimeoutError where there was none; of several attempts, what the last one met.
        """
        attempt = 0
        is_new = False
        while True:
            connection: Connection | None = None
            try:
                connection = self._connect(request, deadline, is_new=is_new)
                return success(self._exchange(connection, request, deadline), str(self._route))
            except (APIError, ConnectionError, TimeoutError) as error:
                # A connection that ended while it was idle says nothing of the service: no attempt, and no pause.
                if connection is not None and connection.was_idle_and_broke and isinstance(error, ConnectionError):
                    is_new = True
                    continue
                pause = _pause_after(error, attempt)
                # Refused is not carried out; neither is what was not sent.
                is_harmless = request.is_repeatable or connection is None or isinstance(error, RateLimitError)
                if pause is None or not is_harmless or attempt >= self._max_retries or not deadline.allows(pause):
                    raise
            deadline.pause(pause)
            attempt += 1

    def close(self) -> None:
        """Closes the connections. A call after it raises RuntimeError."""
        self._pool.close()

    def _connect(self, request: Request, deadline: Deadline, *, is_new: bool) -> Connection:
        try:
            # Of one that was idle nobody knows whether it took a request before it broke.
            return self._pool.take(deadline, is_new=is_new or not request.is_repeatable)
        except (OSError, http.client.HTTPException) as error:
            raise self._failure(error, "No connection to") from error

    def _exchange(self, connection: Connection, request: Request, deadline: Deadline) -> Answer:
        is_reusable = False
        try:
            answer = connection.exchange(request, self._key, deadline)
            is_reusable = connection.is_open
            return answer
        except (OSError, http.client.HTTPException) as error:
            raise self._failure(error, "No answer from") from error
        finally:
            deadline.watch(None)
            if is_reusable:
                self._pool.put(connection)
            else:
                connection.close()

    def _failure(self, error: Exception, what: str) -> Exception:
        """A failure of the network as one of the standard library's two families."""
        message = f"{what} {self._route}: {str(error) or type(error).__name__}"
        # On Python 3.9 the timeout of a socket is no TimeoutError.
        if isinstance(error, (TimeoutError, socket.timeout)):
            return TimeoutError(message)
        if isinstance(error, OSError):
            kinds = (kind for kind in _kinds_of_connection_errors if isinstance(error, kind))
            return next(kinds, ConnectionError)(message)
        return InvalidResponseError(f"What answers at {self._route} does not speak HTTP: {error!r}")


def _pause_after(error: Exception, attempt: int) -> float | None:
    """How many seconds to wait before another attempt; None where another would meet the same."""
    if isinstance(error, APIError):
        is_temporary = (
            isinstance(error, RateLimitError) or error.status_code >= 500 or error.code in _temporary_refusals
        )
        if not is_temporary or isinstance(error, UsageExhaustedError):
            return None
        if error.retry_after is not None:
            return error.retry_after
    elif isinstance(error.__cause__, ssl.SSLCertVerificationError):
        return None
    # Half of it by chance: callers who failed together do not come back together.
    return _first_pause * 2.0 ** min(attempt, _doublings) * random.uniform(0.5, 1)
