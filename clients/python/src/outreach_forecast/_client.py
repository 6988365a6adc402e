from __future__ import annotations

import os
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

import httpx

from ._exchange import Exchange, failures
from ._methods import Methods
from ._network import route_of, transport_options
from ._requests import Request
from ._secret import HiddenFrames, Secret
from ._settings import settings_from
from ._transport import DeadlineTransport
from .errors import InvalidArgumentError
from .types import LedgerEntry

if TYPE_CHECKING:
    from typing_extensions import Self

A = TypeVar("A")


class Connections:
    """An httpx client for any number of threads, shared by a client and its copies from `with_options`."""

    def __init__(self, base_url: str, given: httpx.Client | None) -> None:
        if given is not None and not isinstance(given, httpx.Client):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgumentError(f"http_client must be an httpx.Client, not {type(given).__name__}.")
        self._options = {} if given is not None else transport_options(base_url)
        self.route = route_of(base_url, self._options)
        self._given = given
        self._http = given or self._new()
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._calls = 0
        self._is_closed = False

    @contextmanager
    def of_a_call(self, *, is_new: bool) -> Generator[httpx.Client, None, None]:
        """The httpx client for a call; a separate one if the connection must be new."""
        with self._lock:
            if self._is_closed:
                raise RuntimeError("The client is closed.")
            # A forked process must not use the connections of its parent.
            if self._given is None and self._process != os.getpid():
                self._process, self._http, self._calls = os.getpid(), self._new(), 0
            self._calls += 1
            http = self._http
        try:
            if is_new and self._given is None:
                with self._new() as http:
                    yield http
            else:
                yield http
        finally:
            with self._lock:
                self._calls -= 1
            self._close_unless_used()

    def close(self) -> None:
        """Closes the connections immediately, or when the last call that uses them has ended."""
        self._is_closed = True
        self._close_unless_used()

    def _new(self) -> httpx.Client:
        return httpx.Client(transport=DeadlineTransport(**self._options))

    def _close_unless_used(self) -> None:
        with self._lock:
            is_over = self._is_closed and self._calls == 0 and self._given is None
        if is_over:
            self._http.close()


class Client(Methods):
    """A client for the service, safe to share between threads. It keeps its connections open until it is closed.

    If left out, `api_key` is read from SERVICE_API_KEY, and `base_url` from SERVICE_BASE_URL or else is port 3000 on
    this machine. `timeout` is in seconds, at most 600, and covers a whole call with its retries; `max_retries`
    is how many times a call is retried after a temporary failure. Proxy and certificates come from HTTP_PROXY,
    HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE and SSL_CERT_DIR, unless the client is given an `http_client`, which it
    leaves open when it is closed.
    Raises InvalidArgumentError for an invalid setting, and if there is no key.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 10,
        max_retries: int = 2,
        *,
        http_client: httpx.Client | None = None,
    ) -> None:
        secret = None if api_key is None else Secret(api_key)
        # The traceback of an invalid setting must not show the key.
        api_key = None
        self._settings = settings_from(secret, base_url, timeout, max_retries)
        self._connections = Connections(self._settings.base_url, http_client)

    def ledger(self) -> Iterator[LedgerEntry]:
        """Every change to the key's credits, newest first; fetches each page when it is needed.

        The timeout applies to each page. Costs no credit.
        """
        cursor: str | None = None
        while True:
            page = self.ledger_page(cursor=cursor)
            yield from page["entries"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def close(self) -> None:
        """Closes the connections. Any later call raises RuntimeError."""
        self._connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _call(self, request: Request[A]) -> A:
        with self._connections.of_a_call(is_new=not request.is_repeatable) as http:
            exchange = Exchange(request, self._settings, self._connections.route)
            while True:
                try:
                    return self._attempt(exchange, http)
                except failures as error:
                    pause = exchange.pause_after(error)
                if pause:
                    exchange.deadline.pause(pause)

    def _attempt(self, exchange: Exchange[A], http: httpx.Client) -> A:
        with HiddenFrames(), exchange.deadline.bounds_this_thread():
            request = http.build_request(**exchange.begin(), extensions={"trace": exchange.trace})
            response = http.send(request, stream=True, follow_redirects=False)
            try:
                body = exchange.body_of(response)
                for part in response.iter_bytes():
                    body.add(part)
                    exchange.deadline.left()
            finally:
                response.close()
        return exchange.answer(response, body)
