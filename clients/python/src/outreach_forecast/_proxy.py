from __future__ import annotations

import base64
import http.client
import urllib.request
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote

from ._deadline import Deadline
from ._secret import HiddenFrames, Secret
from ._sockets import BoundedSocket, dial
from ._urls import split_url


@dataclass(frozen=True)
class Proxy:
    """An HTTP proxy, and what it wants to see in Proxy-Authorization."""

    host: str
    port: int
    credentials: Secret | None

    def headers(self) -> dict[str, str]:
        """What a request has for the proxy alone."""
        return {} if self.credentials is None else {"proxy-authorization": self.credentials.reveal()}

    def dial(self, authority: str, deadline: Deadline) -> BoundedSocket:
        """A tunnel through the proxy to a host and port. Raises OSError, also when the proxy refuses it."""
        sock = dial(self.host, self.port, deadline)
        try:
            with HiddenFrames():
                sock.sendall(_connect(authority, self.headers()))
            with http.client.HTTPResponse(sock, method="CONNECT") as response:
                response.begin()
                if not 200 <= response.status < 300:
                    raise ConnectionRefusedError(f"the proxy answered {response.status} {response.reason}")
            return sock
        except BaseException:
            sock.close()
            raise


def proxy_for(parts: SplitResult) -> Proxy | None:
    """The proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, or the system's settings, name for a URL.

    Raises ValueError for one that is not spoken to by HTTP.
    """
    proxies = urllib.request.getproxies()
    url = proxies.get(parts.scheme) or proxies.get("all")
    if not url or urllib.request.proxy_bypass(parts.netloc):
        return None
    scheme, _, rest = (url if "://" in url else f"http://{url}").partition("://")
    user, _, authority = rest.rpartition("@")
    proxy = split_url(f"{scheme}://{authority}")
    if proxy is None or proxy.scheme != "http":
        raise ValueError(
            f"The proxy for {parts.scheme} in the environment must be like http://user:password@host:port."
        )
    basic = base64.b64encode(unquote(user).encode()).decode()
    return Proxy(proxy.hostname or "", proxy.port or 80, Secret(f"Basic {basic}") if user else None)


def _connect(authority: str, headers: dict[str, str]) -> bytes:
    lines = [
        f"CONNECT {authority} HTTP/1.1",
        f"host: {authority}",
        *(f"{name}: {text}" for name, text in headers.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii")
