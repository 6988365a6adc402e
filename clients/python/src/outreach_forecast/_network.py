"""Proxy, certificates and connections of the clients, unless they are given an httpx client."""

from __future__ import annotations

import ssl
import urllib.request
from typing import Any

import httpx

from ._settings import split_url
from .errors import InvalidArgumentError

# Connections that were idle for longer are closed: load balancers drop them silently.
_longest_idle = 15.0
most_connections = 64


def transport_options(base_url: str) -> dict[str, Any]:
    """The options of an httpx transport for a base URL, with the proxy and certificates from the environment.

    Raises InvalidArgumentError for a proxy that is not an HTTP proxy.
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
    """The name of the service in messages: its address, and the proxy that leads to it."""
    proxy: httpx.Proxy | None = options.get("proxy")
    return base_url if proxy is None else f"{base_url} through the proxy {proxy.url.host}:{proxy.url.port or 80}"


def _certificates(base_url: str) -> ssl.SSLContext:
    """Verifies certificates with those of certifi and the system, or only with SSL_CERT_FILE and SSL_CERT_DIR."""
    if base_url.startswith("http:"):
        # Loading certificates takes long, and plain HTTP needs none.
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context = httpx.create_ssl_context()
    context.load_default_certs()
    return context


def _proxy_for(base_url: str) -> httpx.Proxy | None:
    """The proxy for a URL, from HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY or the system settings."""
    parts = httpx.URL(base_url)
    proxies = urllib.request.getproxies()
    url = proxies.get(parts.scheme) or proxies.get("all")
    if not url or urllib.request.proxy_bypass(parts.netloc.decode()):
        return None
    scheme, _, rest = (url if "://" in url else f"http://{url}").partition("://")
    user, at, authority = rest.rpartition("@")
    if scheme not in ("http", "https") or split_url(f"{scheme}://{authority}") is None:
        raise InvalidArgumentError(
            f"The proxy for {parts.scheme} in the environment must look like http://user:password@host:port."
        )
    return httpx.Proxy(f"{scheme}://{user}{at}{authority}")
