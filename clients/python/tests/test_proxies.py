"""Proxies from the environment, as for every other program."""

from __future__ import annotations

import base64
import os
import unittest
from contextlib import AbstractContextManager
from unittest import mock

from outreach_forecast import APIError, Client

from .support.faults import FaultServer, then_close
from .support.messages import answer
from .support.proxies import HttpProxy
from .support.service import KEYS, URL, sample


def environment(**variables: str) -> AbstractContextManager[object]:
    """An environment with only these variables."""
    return mock.patch.dict(os.environ, variables, clear=True)


class Proxies(unittest.TestCase):
    def test_http_goes_through_the_proxy_with_its_whole_url(self) -> None:
        with HttpProxy() as proxy, environment(HTTP_PROXY=proxy.url), Client(KEYS["usable"], URL) as client:
            for _ in range(2):
                self.assertEqual(client.forecast(**sample())["estimated_clients"], 3.75)
            self.assertEqual(
                [request.first_line for request in proxy.requests], [f"POST {URL}/api/v1/forecast HTTP/1.1"] * 2
            )
            self.assertEqual(proxy.requests[0].header("host"), URL.partition("://")[2])
            self.assertEqual(proxy.connections, 1)

    def test_proxy_gets_its_credentials(self) -> None:
        basic = "Basic " + base64.b64encode(b"ada:p@ss word").decode()
        with HttpProxy(authorization=basic) as proxy:
            with environment(http_proxy=proxy.url.replace("://", "://ada:p%40ss%20word@")):
                with Client(KEYS["usable"], URL) as client:
                    client.usage()
                self.assertNotIn("p@ss", repr(vars(client)))
            with environment(http_proxy=proxy.url), Client("key", URL) as client:
                with self.assertRaises(APIError) as raised:
                    client.usage()
                self.assertEqual(raised.exception.status_code, 407)

    def test_no_proxy_and_proxies_for_everything(self) -> None:
        with HttpProxy() as proxy, FaultServer(answer(200)) as server:
            for variables, count in (
                ({"ALL_PROXY": proxy.url}, 1),
                ({"http_proxy": proxy.url.partition("://")[2]}, 1),
                ({"HTTP_PROXY": proxy.url, "NO_PROXY": "127.0.0.1"}, 0),
                ({"HTTP_PROXY": proxy.url, "no_proxy": "*"}, 0),
                ({"HTTPS_PROXY": proxy.url}, 0),
            ):
                proxy.requests.clear()
                with self.subTest(variables), environment(**variables), Client("key", server.url) as client:
                    client.usage()
                    self.assertEqual(len(proxy.requests), count)

    def test_proxy_that_is_not_http_is_refused(self) -> None:
        for url in ("socks5://127.0.0.1:1080", "ftp://user:secret@proxy.example", "http://proxy.example\r\na: b"):
            with environment(HTTP_PROXY=url), self.assertRaisesRegex(ValueError, "proxy for http") as raised:
                Client("key")
            self.assertNotIn("secret", str(raised.exception))

    def test_proxy_that_refuses_or_fails(self) -> None:
        for fault, reason in ((answer(403, "No."), "the proxy responded 403"), (then_close(), "disconnected")):
            with FaultServer(fault) as proxy, environment(HTTPS_PROXY=proxy.url):
                with Client("very-secret", "https://forecast.example", max_retries=0) as client:
                    with self.assertRaisesRegex(ConnectionError, f"through the proxy 127.0.0.1:{proxy.port}.*{reason}"):
                        client.usage()
                # Over TLS, the proxy learns only the host.
                self.assertEqual(proxy.requests[0].first_line, "CONNECT forecast.example:443 HTTP/1.1")
                self.assertNotIn(b"very-secret", proxy.requests[0].head)
