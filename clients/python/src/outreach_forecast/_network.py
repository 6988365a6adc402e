"""How the clients reach the service, unless they are given an httpx client: proxy, certificates, connections."""

from __future__ import annotations

import ssl
import urllib.request
from typing import Any

import httpx

from ._settings import split_url
from .errors import InvalidArgumentError

# A connection that was idle for longer is given up: load balancers forget it without a word to either side.
_longest_idle = 15.0
most_connections = 64


def transport_options(base_url: str) -> dict[str, Any]:
    """What a transport of httpx needs for a base URL, with the proxy and the certificates that the environment names.

    Raises InvalidArgumentError for a proxy that is not spoken to by HTTP.
    """
    return {
        "verify": _certificates(base_url),
        "proxy": _proxy_for(base_url),
        "limits": httpx.Limits(
            max_connections=most_connections,
            max_keepalive_connections=most_connections,
            keepalive_expiry=_longest_idle,
        ),
    }


def route_of(base_url: str, options: dict[str, Any]) -> str:
    """What to call the service in messages: where it is, and by which proxy."""
    proxy: httpx.Proxy | None = options.get("proxy")
    return base_url if proxy is None else f"{base_url} by the proxy {proxy.url.host}:{proxy.url.port or 80}"


def _certificates(base_url: str) -> ssl.SSLContext:
    """Checks certificates by those of certifi and of the system, or by SSL_CERT_FILE and SSL_CERT_DIR alone."""
    if base_url.startswith("http:"):
        # It takes long to load certificates that nobody needs.
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context = httpx.create_ssl_context()
    context.load_default_certs()
    return context


def _proxy_for(base_url: str) -> httpx.Proxy | None:
    """The proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, or the system's settings, name for a URL."""
    parts = httpx.URL(base_url)
    proxies = urllib.request.getproxies()
    url = proxies.get(parts.scheme) or proxies.get("all")
    if not url or urllib.request.proxy_bypass(parts.netloc.decode()):
        return None
    scheme, _, rest = (url if "://" in url else f"http://{url}").partition("://")
    user, at, authority = rest.rpartition("@")
    if scheme not in ("http", "https") or split_url(f"{scheme}://{authority}") is None:
        raise InvalidArgumentError(
            f"The proxy for {parts.scheme} in the environment must be like http://user:password@host:port."
        )
    return httpx.Proxy(f"{scheme}://{user}{at}{authority}")
