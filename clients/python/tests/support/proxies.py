"""Proxies: one that loses responses of the real service, and a plain HTTP proxy."""

from __future__ import annotations

import contextlib
import socket
import threading
from itertools import count
from urllib.parse import urlsplit

from .faults import FaultServer
from .messages import Message, answer, read_message


class LossyProxy(FaultServer):
    """A proxy in front of the service that loses the first responses for each Idempotency-Key.

    One after the other it closes the connection, cuts the answer off in its body or in its head, and answers 502.
    """

    def __init__(self, url: str, *, losses: int = 1) -> None:
        super().__init__(b"")
        self._target = _address(url)
        self._left: dict[str | None, int] = {}
        self._losses = losses
        self._ways = count()
        self.lost = 0

    def _play(self, plain: socket.socket) -> None:
        with socket.create_connection(self._target) as service:
            while True:
                request = read_message(plain)
                if request is None:
                    return
                service.sendall(request.head + request.body)
                served = read_message(service)
                if served is None:
                    return
                if not self._is_lost(request):
                    plain.sendall(served.head + served.body)
                elif not self._lose(plain, served):
                    return

    def _is_lost(self, request: Message) -> bool:
        key = request.header("idempotency-key")
        with self._lock:
            left = self._left.setdefault(key, self._losses) if key else 0
            if left:
                self._left[key] = left - 1
                self.lost += 1
        return left > 0

    def _lose(self, client: socket.socket, served: Message) -> bool:
        with self._lock:
            way = next(self._ways) % 4
        if way == 1:
            client.sendall(served.head + served.body[: len(served.body) // 2])
        elif way == 2:
            client.sendall(served.head[: len(served.head) // 2])
        elif way == 3:
            client.sendall(answer(502, "<h1>Bad gateway</h1>", {"content-type": "text/html"}))
        return way == 3


class HttpProxy(FaultServer):
    """An HTTP proxy for absolute URLs and CONNECT. `requests` has the request heads that it received."""

    def __init__(self, *, authorization: str | None = None) -> None:
        super().__init__(b"")
        self._authorization = authorization

    def _play(self, plain: socket.socket) -> None:
        while True:
            request = read_message(plain)
            if request is None:
                return
            self._next(request)
            method, target, _ = request.first_line.split(" ")
            if self._authorization not in (None, request.header("proxy-authorization")):
                plain.sendall(answer(407, "Who are you?"))
            elif method == "CONNECT":
                self._tunnel(plain, target)
                return
            else:
                self._forward(plain, request, target)

    def _forward(self, client: socket.socket, request: Message, target: str) -> None:
        url = urlsplit(target)
        path = target[len(f"{url.scheme}://{url.netloc}") :]
        with socket.create_connection(_address(target)) as server:
            server.sendall(request.head.replace(target.encode(), path.encode(), 1) + request.body)
            served = read_message(server)
            if served is not None:
                client.sendall(served.head + served.body)

    def _tunnel(self, client: socket.socket, target: str) -> None:
        host, _, port = target.rpartition(":")
        with socket.create_connection((host, int(port))) as server:
            self._hold(server)
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=_pipe, args=(server, client), daemon=True)
            back.start()
            _pipe(client, server)
            back.join(10)


def _address(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or 80


def _pipe(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    for sock in (source, sink):
        with contextlib.suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)
