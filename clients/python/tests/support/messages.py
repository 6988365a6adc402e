"""HTTP messages as bytes on a socket, for servers and proxies that misbehave."""

from __future__ import annotations

import json
import re
import socket
from dataclasses import dataclass


@dataclass(frozen=True)
class Message:
    """A request or a response, as received."""

    head: bytes
    body: bytes

    @property
    def first_line(self) -> str:
        return self.head.split(b"\r\n", 1)[0].decode()

    def header(self, name: str) -> str | None:
        found = re.search(rb"(?im)^" + name.encode() + rb":[ \t]*([^\r\n]*)", self.head)
        return None if found is None else found[1].decode()


def read_message(sock: socket.socket) -> Message | None:
    """The next message on a connection, with the body length that its head declares; None at the end."""
    data = b""
    while b"\r\n\r\n" not in data:
        try:
            chunk = sock.recv(65536)
        except OSError:
            return None
        if not chunk:
            return None
        data += chunk
    end = data.index(b"\r\n\r\n") + 4
    length = int(Message(data[:end], b"").header("content-length") or 0)
    while len(data) < end + length:
        chunk = sock.recv(65536)
        if not chunk:
            return None
        data += chunk
    return Message(data[:end], data[end:])


def answer(status: int, body: object = None, headers: dict[str, str] | None = None) -> bytes:
    """A response with a body: text as it is, anything else as JSON."""
    text = (body if isinstance(body, str) else json.dumps(body if body is not None else {})).encode()
    lines = [f"HTTP/1.1 {status} Reason", f"content-length: {len(text)}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join([*lines, "", ""]).encode() + text


def problem(status: int, code: str, headers: dict[str, str] | None = None) -> bytes:
    """A problem in the form that the service sends."""
    body = {
        "status": status,
        "code": code,
        "message": f"This is {code}.",
        "retryable": status == 503,
        "request_id": "request-1",
    }
    return answer(status, body, headers)
