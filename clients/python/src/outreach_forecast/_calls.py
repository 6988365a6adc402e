from __future__ import annotations

import http.client
import os
import random
import re
import socket
import ssl
from itertools import count
from typing import Any

from ._answers import success
from ._connection import Answer, Connection
from ._deadline import Deadline
from ._pool import Pool
from ._requests import Request
from ._route import route_to
from ._secret import Secret
from .errors import APIError, InvalidResponseError, RateLimitError

_first_pause = 0.5
_longest_pause = 8.0
_visible = re.compile(r"[\x21-\x7e]+")

_kinds_of_connection_errors = (
    ConnectionRefusedError,
    ConnectionResetError,
    ConnectionAbortedError,
    BrokenPipeError,
)


class Calls:
    """Makes calls to the service: connects, sends, tries again, within one deadline. For any number of threads."""

    def __init__(self, api_key: Secret | None, base_url: str, timeout: float, max_retries: int) -> None:
        """Raises ValueError for a setting that cannot work, without the key in its message."""
        if not timeout > 0:
            raise ValueError(f"timeout must be a number of seconds above 0, not {timeout}.")
        if max_retries < 0:
            raise ValueError(f"max_retries must be 0 or more, not {max_retries}.")
        self._key = _checked(Secret(os.environ.get("SERVICE_API_KEY", "")) if api_key is None else api_key)
        self._route = route_to(base_url)
        self._pool = Pool(self._route)
        self._timeout = timeout
        self._max_retries = max_retries

    def __repr__(self) -> str:
        return f"base_url={self._route.url!r}, timeout={self._timeout!r}, max_retries={self._max_retries!r}"

    def deadline(self) -> Deadline:
        """The end of a call that starts now."""
        return Deadline(self._timeout)

    def call(self, request: Request, deadline: Deadline) -> dict[str, Any]:
        """The answer to a request, a JSON object.

        Raises APIError for any other answer of the service, InvalidResponseError for what is no answer of it,
        ConnectionError and TimeoutError where there was none; of several attempts, what the last one met.
        """
        for attempt in count():
            connection: Connection | None = None
            try:
                connection = self._connect(request, deadline)
                return success(self._exchange(connection, request, deadline), str(self._route))
            except (APIError, ConnectionError, TimeoutError) as error:
                pause = _pause_after(error, attempt)
                # Refused is not carried out; neither is what was not sent.
                is_harmless = request.is_repeatable or connection is None or isinstance(error, RateLimitError)
                if pause is None or not is_harmless or attempt == self._max_retries or not deadline.allows(pause):
                    raise
            deadline.pause(pause)
        raise AssertionError("An endless loop ended.")

    def close(self) -> None:
        """Closes the connections. A call after it raises RuntimeError."""
        self._pool.close()

    def _connect(self, request: Request, deadline: Deadline) -> Connection:
        try:
            # Of one that was idle nobody knows whether it took a request before it broke.
            return self._pool.take(deadline, is_new=not request.is_repeatable)
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
        message = f"{what} {self._route}: {error or type(error).__name__}"
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
            isinstance(error, RateLimitError) or error.status_code >= 500 or error.code == "idempotency_in_progress"
        )
        if not is_temporary:
            return None
        if error.retry_after is not None:
            return error.retry_after
    elif isinstance(error.__cause__, ssl.SSLCertVerificationError):
        return None
    # Half of it by chance: callers who failed together do not come back together.
    return min(_first_pause * 2**attempt, _longest_pause) * random.uniform(0.5, 1)


def _checked(key: Secret) -> Secret:
    if not key.reveal():
        raise ValueError("There is no API key: set the environment variable SERVICE_API_KEY, or pass api_key.")
    if _visible.fullmatch(key.reveal()) is None:
        raise ValueError("The API key has a space, a line break or another character that no key has.")
    return key
