from __future__ import annotations

import http.client
import platform
import selectors
import ssl
import time
from dataclasses import dataclass
from email.message import Message

from ._deadline import Deadline
from ._requests import Request
from ._route import Route
from ._secret import HiddenFrames, Secret
from ._sockets import BoundedSocket, BoundedTLSSocket, dial
from ._version import __version__
from .errors import InvalidResponseError

_largest_body = 8 * 1024 * 1024
_user_agent = f"outreach-forecast-python/{__version__} Python/{platform.python_version()}"

# selectors.DefaultSelector would take a file descriptor, and select() knows none beyond 1023.
_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)


@dataclass(frozen=True)
class Answer:
    """An answer with its whole body."""

    status: int
    reason: str
    headers: Message
    body: bytes


class _Response(http.client.HTTPResponse):
    """An answer without the interim ones before it, of which http.client passes over 100 (Continue) alone."""

    def begin(self) -> None:
        super().begin()
        while 101 < self.status < 200:
            # What http.client goes by to know that the head was read.
            setattr(self, "headers", None)
            super().begin()


class Connection(http.client.HTTPConnection):
    """A connection to the service, alive for as long as both sides keep it.

    Fails with OSError and http.client's HTTPException, and with TimeoutError at the deadline.
    """

    # Whoever switches http.client's debugging on does not print the key.
    debuglevel = 0
    # Connecting takes a deadline, so that no request does it by itself.
    auto_open = 0
    response_class = _Response
    is_used = False
    """Whether it has had an answer before the present request."""
    idle_since = 0.0

    def __init__(self, route: Route, deadline: Deadline) -> None:
        """Connects, by the proxy if there is one."""
        super().__init__(route.host, route.port)
        self.default_port = 443 if route.tls else 80
        self._route = route
        self._socket = self._dial(deadline)
        self.sock = self._socket
        if route.tls is not None:
            try:
                self._start_tls(route.tls, deadline)
            except BaseException:
                self.close()
                raise

    def exchange(self, request: Request, key: Secret, deadline: Deadline) -> Answer:
        """Sends a request and reads the answer. Raises InvalidResponseError for one that is far too large."""
        sock = self._socket
        sock.deadline = deadline
        sock.heard = False
        deadline.watch(sock)
        route = self._route
        proxy = None if route.tls else route.proxy
        url = (route.path if proxy is None else route.url) + request.path
        headers = _headers(request)
        with HiddenFrames():
            self.request(
                request.method,
                url,
                request.body,
                {**headers, "x-api-key": key.reveal(), **({} if proxy is None else proxy.headers())},
            )
        try:
            with self.getresponse() as response:
                # http.client takes the end of what was sent for the end of the head.
                if sock.ended:
                    raise ConnectionResetError("the answer was cut off in its head")
                if response.status == 101:
                    raise InvalidResponseError(f"What answers at {self._route} wants to speak something else.")
                answer = Answer(response.status, response.reason, response.headers, self._body_of(response))
                self.is_used = True
                self.idle_since = time.monotonic()
                return answer
        except http.client.IncompleteRead as error:
            raise ConnectionResetError("the answer was cut off in its body") from error
        except http.client.BadStatusLine as error:
            if sock.ended and not isinstance(error, ConnectionError):
                raise ConnectionResetError("the answer was cut off in its first line") from error
            raise

    @property
    def was_idle_and_broke(self) -> bool:
        """Whether nothing came back on a connection that had an answer before: most likely it ended meanwhile."""
        return self.is_used and not self._socket.heard

    @property
    def is_open(self) -> bool:
        """Whether another request can follow, as far as this side knows."""
        return self.sock is not None

    def is_alive(self) -> bool:
        """Whether the other side has neither closed the connection nor sent what nobody asked for."""
        with _Selector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            return not selector.select(0)

    def _dial(self, deadline: Deadline) -> BoundedSocket:
        route, proxy = self._route, self._route.proxy
        if proxy is None:
            return dial(route.host, route.port, deadline)
        return dial(proxy.host, proxy.port, deadline) if route.tls is None else proxy.dial(route.authority, deadline)

    def _start_tls(self, context: ssl.SSLContext, deadline: Deadline) -> None:
        sock = context.wrap_socket(self._socket, server_hostname=self._route.host, do_handshake_on_connect=False)
        assert isinstance(sock, BoundedTLSSocket)
        self.sock = self._socket = sock
        sock.deadline = deadline
        deadline.watch(sock)
        sock.settimeout(deadline.left())
        sock.do_handshake()

    def _body_of(self, response: http.client.HTTPResponse) -> bytes:
        body = bytearray()
        while len(body) + (response.length or 0) <= _largest_body:
            chunk = response.read(64 * 1024)
            if chunk:
                body += chunk
            elif response.length:
                raise http.client.IncompleteRead(bytes(body), response.length)
            else:
                return bytes(body)
        raise InvalidResponseError(f"The answer of {self._route} is larger than {_largest_body:,} bytes.")


def _headers(request: Request) -> dict[str, str]:
    headers = {"accept": "application/json", "user-agent": _user_agent}
    if request.body is not None:
        headers["content-type"] = "application/json"
    if request.idempotency_key is not None:
        headers["idempotency-key"] = request.idempotency_key
    return headers
