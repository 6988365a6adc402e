from __future__ import annotations

import queue
import socket
import ssl
import threading
from typing import TYPE_CHECKING, Any

from ._deadline import Deadline

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

Address = tuple[socket.AddressFamily, socket.SocketKind, int, str, tuple[Any, ...]]


class BoundedSocket(socket.socket):
    """A socket of which every read and write gets the time that is left of a deadline.

    A timeout of the socket alone would start anew with each byte of a server that drips.
    """

    deadline: Deadline
    ended = False
    """Whether a read has met the end of what the other side sends."""
    heard = False
    """Whether anything was read since this was last set."""

    def recv_into(self, buffer: WriteableBuffer, nbytes: int | None = None, flags: int = 0) -> int:
        self.settimeout(self.deadline.left())
        count = super().recv_into(buffer, nbytes or 0, flags)
        self.ended = count == 0
        self.heard = self.heard or count > 0
        return count

    def send(self, data: ReadableBuffer, flags: int = 0) -> int:
        self.settimeout(self.deadline.left())
        return super().send(data, flags)

    def sendall(self, data: ReadableBuffer, flags: int = 0) -> None:
        self.settimeout(self.deadline.left())
        super().sendall(data, flags)


class BoundedTLSSocket(BoundedSocket, ssl.SSLSocket):
    """The same with TLS."""


def _resolve(host: str, port: int, deadline: Deadline) -> list[Address]:
    """The addresses of a host. A resolver takes no timeout, so another thread waits for it."""
    answers: queue.SimpleQueue[list[Address] | OSError] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            answers.put(list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)))
        except OSError as error:
            answers.put(error)

    threading.Thread(target=look_up, name="outreach-forecast-resolver", daemon=True).start()
    try:
        answer = answers.get(timeout=deadline.left())
    except queue.Empty:
        raise TimeoutError(f"The address of {host} could not be found in time.") from None
    if isinstance(answer, OSError):
        raise answer
    return answer


def dial(host: str, port: int, deadline: Deadline) -> BoundedSocket:
    """Connects to the first address of a host that takes the connection. Raises OSError when none does."""
    failure = OSError(f"{host} has no address.")
    addresses = _resolve(host, port, deadline)
    for i, address in enumerate(addresses):
        try:
            # One that swallows packets, as a broken IPv6 does, leaves the others their share of the time.
            return _connect(address, deadline, deadline.left() / (len(addresses) - i))
        except OSError as error:
            failure = error
    raise failure


def _connect(address: Address, deadline: Deadline, seconds: float) -> BoundedSocket:
    family, kind, protocol, _, place = address
    sock = BoundedSocket(family, kind, protocol)
    try:
        sock.deadline = deadline
        deadline.watch(sock)
        sock.settimeout(seconds)
        sock.connect(place)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock
    except BaseException:
        sock.close()
        raise
