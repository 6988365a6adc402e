from __future__ import annotations

from collections.abc import AsyncIterator
from types import TracebackType
from typing import TYPE_CHECKING

from ._methods import Methods
from ._secret import Secret
from ._settings import calls_with
from ._threaded import Threaded
from .answers import LedgerEntry

if TYPE_CHECKING:
    from typing_extensions import Self


class AsyncClient(Threaded):
    """The client for asyncio: the settings, methods and failures of Client, to be awaited.

    Up to 64 calls are made at the same time; more wait for them, within their timeout. A call that is cancelled is
    cut off at once. Works in any event loop, also in one after the other.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str = "http://127.0.0.1:3000",
        timeout: float = 10,
        max_retries: int = 2,
    ) -> None:
        secret = None if api_key is None else Secret(api_key)
        # Where a setting is refused, the traceback does not show it.
        api_key = None
        super().__init__(calls_with(secret, base_url, timeout, max_retries))

    def __repr__(self) -> str:
        # A traceback may show a client that is not made yet.
        return f"{type(self).__name__}({vars(self).get('_calls', '')})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    forecast = Threaded._twin(Methods.forecast)
    legacy_roi = Threaded._twin(Methods.legacy_roi)
    goal = Threaded._twin(Methods.goal)
    benchmarks = Threaded._twin(Methods.benchmarks)
    forecasts = Threaded._twin(Methods.forecasts)
    usage = Threaded._twin(Methods.usage)
    ledger_page = Threaded._twin(Methods.ledger_page)
    credit_packs = Threaded._twin(Methods.credit_packs)
    rotate_key = Threaded._twin(Methods.rotate_key)

    async def ledger(self) -> AsyncIterator[LedgerEntry]:
        """Every change of the key's credits, newest first, as `Client.ledger`, for `async for`."""
        cursor: str | None = None
        while True:
            page = await self.ledger_page(cursor=cursor)
            for entry in page["entries"]:
                yield entry
            cursor = page["next_cursor"]
            if cursor is None:
                return
