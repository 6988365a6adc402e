from __future__ import annotations

import os
import threading
import time

from ._connection import Connection
from ._deadline import Deadline
from ._route import Route

_most_idle = 64

_longest_idle = 15.0
"""Seconds after which a connection is given up: load balancers forget idle ones without a word to either side."""


class Pool:
    """The connections of a client: each has one call at a time, and is kept alive for the next one."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._process = os.getpid()
        self._is_closed = False

    def take(self, deadline: Deadline, *, is_new: bool) -> Connection:
        """A connection: one that is idle and alive unless it has to be new. Raises RuntimeError after close()."""
        while True:
            with self._lock:
                if self._is_closed:
                    raise RuntimeError("The client is closed.")
                # A forked process must not speak on the connections of the one that it was forked from.
                if self._process != os.getpid():
                    self._process = os.getpid()
                    self._close_idle()
                connection = self._idle.pop() if self._idle and not is_new else None
            if connection is None:
                return Connection(self._route, deadline)
            if time.monotonic() - connection.idle_since < _longest_idle and connection.is_alive():
                return connection
            connection.close()

    def put(self, connection: Connection) -> None:
        """Gives a connection back whose answer was read to its end."""
        with self._lock:
            if self._is_closed or len(self._idle) == _most_idle:
                connection.close()
            else:
                self._idle.append(connection)

    def close(self) -> None:
        """Closes what is idle now, and the others when they are given back."""
        with self._lock:
            self._is_closed = True
            self._close_idle()

    def _close_idle(self) -> None:
        for connection in self._idle:
            connection.close()
        self._idle.clear()
