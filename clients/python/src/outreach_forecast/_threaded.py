from __future__ import annotations

import asyncio
import functools
import os
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from ._calls import Calls
from ._deadline import Deadline
from ._methods import Methods
from ._requests import Request

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")

T = TypeVar("T")

_most_at_once = 64


def _new_threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_most_at_once, thread_name_prefix="outreach-forecast")


class _OneCall(Methods):
    """The methods, for one call whose time runs already."""

    def __init__(self, calls: Calls, deadline: Deadline) -> None:
        self._calls = calls
        self._deadline = deadline

    def _call(self, request: Request) -> dict[str, Any]:
        return self._calls.call(request, self._deadline)


class Threaded:
    """Makes calls in threads of its own, for an event loop that goes on meanwhile."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._threads = _new_threads()
        self._process = os.getpid()
        self._is_closed = False

    async def close(self) -> None:
        """Waits for the calls that are being made, and closes the connections. A call after it raises RuntimeError."""
        self._is_closed = True
        await asyncio.get_running_loop().run_in_executor(None, self._threads.shutdown)
        self._calls.close()

    async def _run(self, method: Callable[[Methods], T]) -> T:
        if self._is_closed:
            raise RuntimeError("The client is closed.")
        # A forked process has none of the threads that its parent had.
        if self._process != os.getpid():
            self._process = os.getpid()
            self._threads = _new_threads()
        deadline = self._calls.deadline()
        call = functools.partial(method, _OneCall(self._calls, deadline))
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, call)
        except asyncio.CancelledError:
            deadline.cancel()
            raise

    @staticmethod
    def _twin(
        method: Callable[Concatenate[Methods, P], T],
    ) -> Callable[Concatenate[Threaded, P], Coroutine[Any, Any, T]]:
        """The asynchronous twin of a method, with the same arguments."""

        @functools.wraps(method)
        async def twin(self: Threaded, /, *args: P.args, **kwargs: P.kwargs) -> T:
            return await self._run(lambda methods: method(methods, *args, **kwargs))

        return twin
