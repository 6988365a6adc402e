"""A server that simulates faults, one for each request."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Union

from .messages import Message, read_message

if TYPE_CHECKING:
    from typing_extensions import Self

Fault = Union[bytes, Callable[[socket.socket], bool]]
"""Bytes to send on a connection that stays open, or an action that returns whether it stays open."""


def then_close(data: bytes = b"") -> Fault:
    """Sends something, or nothing, and closes the connection."""

    def play(sock: socket.socket) -> bool:
        sock.sendall(data)
        return False

    return play


def drip(data: bytes, endless: bytes) -> Fault:
    """Sends something immediately, then a byte every 20 milliseconds without end."""

    def play(sock: socket.socket) -> bool:
        sock.sendall(data)
        while True:
            for i in range(len(endless)):
                sock.sendall(endless[i : i + 1])
                time.sleep(0.02)

    return play


def silence(sock: socket.socket) -> bool:
    """Sends nothing until the client disconnects."""
    sock.recv(1)
    return False


class FaultServer:
    """Simulates the faults in turn, one per request over all connections, and repeats the last one."""

    def __init__(self, *faults: Fault, tls: ssl.SSLContext | None = None, port: int = 0) -> None:
        self.requests: list[Message] = []
        self.connections = 0
        self.closed = threading.Semaphore(0)
        self._faults = list(faults)
        self._tls = tls
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._ending = False
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port: int = self._listener.getsockname()[1]
        self.url = f"{'http' if tls is None else 'https'}://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._accepting.start()
        return self

    def __exit__(self, *_: object) -> None:
        # Closing alone would not wake the accepting thread.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        with self._lock:
            self._ending = True
            sockets, threads = list(self._sockets), list(self._threads)
        for sock in sockets:
            _shut_down(sock)
        for thread in threads:
            thread.join(10)

    def _hold(self, sock: socket.socket) -> None:
        """Shuts the socket down with the server, or immediately if the server is already stopping."""
        with self._lock:
            self._sockets.append(sock)
            if self._ending:
                _shut_down(sock)

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(sock,), daemon=True)
            self._hold(sock)
            with self._lock:
                self._threads.append(thread)
                self.connections += 1
            thread.start()

    def _serve(self, plain: socket.socket) -> None:
        try:
            # A client that disconnects in the middle of a fault does not fail the test.
            with contextlib.suppress(OSError), plain:
                self._play(plain)
        finally:
            self.closed.release()

    def _play(self, plain: socket.socket) -> None:
        with plain if self._tls is None else self._tls.wrap_socket(plain, server_side=True) as sock:
            self._hold(sock)
            while True:
                request = read_message(sock)
                if request is None:
                    return
                fault = self._next(request)
                if isinstance(fault, bytes):
                    sock.sendall(fault)
                elif not fault(sock):
                    return

    def _next(self, request: Message) -> Fault:
        with self._lock:
            self.requests.append(request)
            return self._faults.pop(0) if len(self._faults) > 1 else self._faults[0]


def _shut_down(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):
        socket.socket.shutdown(sock, socket.SHUT_RDWR)
