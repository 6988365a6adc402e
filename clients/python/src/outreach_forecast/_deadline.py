from __future__ import annotations

import socket
import threading
import time

# Longer waits overflow the operating system's: eleven days are as good as no end.
_longest_wait = 1_000_000.0


class Deadline:
    """The end of a call, by which all its attempts and pauses are over. Another thread may end it before."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds
        self._cancelled = threading.Event()
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None

    def left(self) -> float:
        """Seconds that are left, always more than 0. Raises TimeoutError when none are."""
        left = self._end - time.monotonic()
        if left <= 0 or self._cancelled.is_set():
            raise TimeoutError(f"The call took longer than its timeout of {self._seconds:g} seconds.")
        return min(left, _longest_wait)

    def allows(self, pause: float) -> bool:
        """Whether something is left after a pause of so many seconds."""
        return not self._cancelled.is_set() and time.monotonic() + pause < self._end

    def pause(self, seconds: float) -> None:
        """Waits, or less long if the call is cancelled meanwhile."""
        self._cancelled.wait(min(seconds, _longest_wait))

    def watch(self, sock: socket.socket | None) -> None:
        """Names the socket that the call is waiting for, if any: cancelling the call cuts it."""
        with self._lock:
            self._socket = sock

    def cancel(self) -> None:
        """Ends the call now: what it waits for fails at once, and nothing is tried again."""
        self._cancelled.set()
        with self._lock:
            if self._socket is None:
                return
            try:
                # The plain socket's method also for TLS: that of ssl.SSLSocket is not for another thread's read.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
            except OSError:
                pass  # It is closed already, or was never connected.
