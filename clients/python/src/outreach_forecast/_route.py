from __future__ import annotations

import ssl
from dataclasses import dataclass

from ._proxy import Proxy, proxy_for
from ._sockets import BoundedTLSSocket
from ._urls import split_url


@dataclass(frozen=True)
class Route:
    """Where the service is, and the way to it."""

    url: str
    """The base URL, without a slash at its end."""
    host: str
    port: int
    path: str
    """What stands before the paths of the service, without a slash at its end."""
    tls: ssl.SSLContext | None
    proxy: Proxy | None

    @property
    def authority(self) -> str:
        """Host and port, as a tunnel through a proxy wants them."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def __str__(self) -> str:
        return self.url if self.proxy is None else f"{self.url} by the proxy {self.proxy.host}:{self.proxy.port}"


def route_to(base_url: str) -> Route:
    """The route to a base URL, with the proxy and the certificates that the environment names.

    Raises ValueError for anything but http or https, a host, and perhaps a port and a path.
    """
    parts = split_url(base_url)
    if parts is None or parts.scheme not in ("http", "https") or "?" in base_url or "#" in base_url:
        # It may hold a password, so it is not repeated here.
        raise ValueError(
            "base_url must be like https://forecast.example or https://forecast.example/prefix, "
            "without user, query, fragment and spaces."
        )
    path = parts.path.rstrip("/")
    return Route(
        url=f"{parts.scheme}://{parts.netloc}{path}",
        host=parts.hostname or "",
        port=parts.port or (443 if parts.scheme == "https" else 80),
        path=path,
        tls=_tls_context() if parts.scheme == "https" else None,
        proxy=proxy_for(parts),
    )


def _tls_context() -> ssl.SSLContext:
    """Checks certificates by those of the system, or by SSL_CERT_FILE and SSL_CERT_DIR."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    context.sslsocket_class = BoundedTLSSocket
    return context
