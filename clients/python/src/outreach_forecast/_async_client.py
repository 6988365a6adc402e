from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

import anyio
import httpx

from ._exchange import Exchange, failures
from ._methods import Methods
from ._network import most_connections, route_of, transport_options
from ._requests import Request
from ._secret import HiddenFrames, Secret
from ._settings import settings_from
from .errors import InvalidArgumentError
from .types import LedgerEntry

if TYPE_CHECKING:
    from typing_extensions import Self

A = TypeVar("A")


@dataclass
class _OfLoop:
    """The connections of an event loop, and how many attempts use them."""

    http: httpx.AsyncClient
    keeper: AsyncGenerator[None, None]
    turns: asyncio.Semaphore
    calls: int = 0


class AsyncConnections:
    """An httpx client for each event loop, shared by a client and its copies from `with_options`."""

    def __init__(self, base_url: str, given: httpx.AsyncClient | None) -> None:
        if given is not None and not isinstance(given, httpx.AsyncClient):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgumentError(f"http_client must be an httpx.AsyncClient, not {type(given).__name__}.")
        self._options = {} if given is not None else transport_options(base_url)
        self.route = route_of(base_url, self._options)
        self._given = given
        self._of_loops: dict[asyncio.AbstractEventLoop, _OfLoop] = {}
        self._is_closed = False

    @asynccontextmanager
    async def of_an_attempt(self, *, is_new: bool) -> AsyncGenerator[httpx.AsyncClient, None]:
        """Waits for a turn, and returns the httpx client for an attempt; a separate one if the connection must be new."""
        if self._is_closed:
            raise RuntimeError("The client is closed.")
        if self._given is not None:
            yield self._given
        elif is_new:
            async with self._new() as http:
                yield http
        else:
            own = await self._of_this_loop()
            own.calls += 1
            try:
                # httpx gets slower with each request that waits for a connection.
                async with own.turns:
                    yield own.http
            finally:
                own.calls -= 1
                if self._is_closed and own.calls == 0:
                    await own.keeper.aclose()

    async def close(self) -> None:
        """Closes the connections of this loop immediately, or when the last call that uses them has ended."""
        self._is_closed = True
        own = self._of_loops.get(asyncio.get_running_loop())
        if own is not None and own.calls == 0:
            await own.keeper.aclose()

    def _new(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=httpx.AsyncHTTPTransport(**self._options))

    async def _of_this_loop(self) -> _OfLoop:
        loop = asyncio.get_running_loop()
        if loop in self._of_loops:
            return self._of_loops[loop]
        http = self._new()
        turns = asyncio.Semaphore(most_connections)
        own = self._of_loops[loop] = _OfLoop(http, self._until_the_end_of(loop, http), turns)
        await own.keeper.__anext__()
        return own

    async def _until_the_end_of(
        self, loop: asyncio.AbstractEventLoop, http: httpx.AsyncClient
    ) -> AsyncGenerator[None, None]:
        """Closes the connections of a loop before it ends: asyncio then closes every asynchronous generator."""
        try:
            yield
        finally:
            self._of_loops.pop(loop, None)
            await http.aclose()


class AsyncClient(Methods):
    """The client for asyncio: the same settings, methods and errors as Client, with coroutines as methods.

    A call that is cancelled stops at once. Works in any event loop, and in several, one after another; an
    `http_client` is an `httpx.AsyncClient`.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 10,
        max_retries: int = 2,
        *,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        secret = None if api_key is None else Secret(api_key)
        # The traceback of an invalid setting must not show the key.
        api_key = None
        self._settings = settings_from(secret, base_url, timeout, max_retries)
        self._connections = AsyncConnections(self._settings.base_url, http_client)

    async def ledger(self) -> AsyncIterator[LedgerEntry]:
        """Every change to the key's credits, newest first, like `Client.ledger`, for `async for`."""
        cursor: str | None = None
        while True:
            page = await self.ledger_page(cursor=cursor)
            for entry in page["entries"]:
                yield entry
            cursor = page["next_cursor"]
            if cursor is None:
                return

    async def close(self) -> None:
        """Closes the connections. Any later call raises RuntimeError."""
        await self._connections.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def _call(self, request: Request[A]) -> A:
        exchange = Exchange(request, self._settings, self._connections.route)
        while True:
            try:
                return await self._attempt(exchange)
            except failures as error:
                pause = exchange.pause_after(error)
            await anyio.sleep(pause)

    async def _attempt(self, exchange: Exchange[A]) -> A:
        is_new = not exchange.request.is_repeatable
        with HiddenFrames(), anyio.fail_after(exchange.deadline.left()):
            async with self._connections.of_an_attempt(is_new=is_new) as http:
                request = http.build_request(**exchange.begin(), extensions={"trace": exchange.atrace})
                response = await http.send(request, stream=True, follow_redirects=False)
                try:
                    body = exchange.body_of(response)
                    async for part in response.aiter_bytes():
                        body.add(part)
                finally:
                    await response.aclose()
        return exchange.answer(response, body)
