from __future__ import annotations

import queue
import socket
import ssl
import threading
from collections.abc import Iterable
from typing import Any, Optional

import httpcore
import httpx

from ._deadline import time_left


class DeadlineTransport(httpx.HTTPTransport):
    """httpx's transport, with a deadline for a whole call of `Client`, starting with the DNS lookup.

    A timeout in httpx applies to a single read, and starts again with each byte from a slow server. `Client` uses
    this transport; pass it to your own `httpx.Client` to keep the deadline. Takes the arguments of `httpx.HTTPTransport`.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # httpx has no argument for what httpcore calls its network backend.
        setattr(self._pool, "_network_backend", _Backend())


class _Backend(httpcore.NetworkBackend):
    """Connects to the first address of a host that accepts the connection."""

    def __init__(self) -> None:
        self._backend = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: Optional[float] = None,
        local_address: Optional[str] = None,
        socket_options: Optional[Iterable[httpcore.SOCKET_OPTION]] = None,
    ) -> httpcore.NetworkStream:
        failure: Exception = httpcore.ConnectError(f"{host} has no address")
        addresses = _resolve(host, port, time_left(timeout))
        for i, address in enumerate(addresses):
            # Each address gets a share of the time, so one that drops packets, such as broken IPv6, does not use it up.
            left = time_left(timeout)
            share = None if left is None else left / (len(addresses) - i)
            try:
                return _Stream(self._backend.connect_tcp(address, port, share, local_address, socket_options))
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure


class _Stream(httpcore.NetworkStream):
    """A connection whose reads and writes are limited to the time that is left."""

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: Optional[float] = None) -> bytes:
        return self._stream.read(max_bytes, time_left(timeout))

    def write(self, buffer: bytes, timeout: Optional[float] = None) -> None:
        self._stream.write(buffer, time_left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: Optional[str] = None, timeout: Optional[float] = None
    ) -> httpcore.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, time_left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _resolve(host: str, port: int, timeout: Optional[float]) -> list[str]:
    """The addresses of a host. The resolver has no timeout, so it runs in another thread."""
    answers: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.put([str(address[0]) for *_, address in found])
        except OSError as error:
            answers.put(error)

    threading.Thread(target=look_up, name="outreach-forecast-resolver", daemon=True).start()
    try:
        answer = answers.get(timeout=timeout)
    except queue.Empty:
        raise httpcore.ConnectTimeout(f"the address of {host} could not be found in time") from None
    if isinstance(answer, OSError):
        raise httpcore.ConnectError(str(answer)) from answer
    return list(dict.fromkeys(answer))
