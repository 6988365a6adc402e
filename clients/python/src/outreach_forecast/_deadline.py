from __future__ import annotations

import time
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from collections.abc import Generator

_current: ContextVar[Optional[Deadline]] = ContextVar("deadline", default=None)


class Deadline:
    """The end of a call, by which all its attempts and pauses are over."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """The seconds that are left, always more than 0. Raises TimeoutError if none are left."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError(f"the call took longer than its timeout of {self._seconds:g} seconds")
        return left

    def allows(self, pause: float) -> bool:
        """True if time is left after a pause of this many seconds."""
        return time.monotonic() + pause < self._end

    def pause(self, seconds: float) -> None:
        """Sleeps for this many seconds."""
        time.sleep(seconds)

    @contextmanager
    def bounds_this_thread(self) -> Generator[None, None, None]:
        """A block in which `time_left` is limited by this deadline."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)


def time_left(timeout: Optional[float]) -> Optional[float]:
    """The seconds that a step may take: what is left of this thread's deadline, or else the step's own timeout.

    Raises TimeoutError when none are left.
    """
    deadline = _current.get()
    return timeout if deadline is None else deadline.left()
