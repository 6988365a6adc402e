"""TLS with a real certificate, which is trusted only if the environment says so."""

from __future__ import annotations

import os
import ssl
import tempfile
import time
import unittest
from contextlib import AbstractContextManager
from pathlib import Path
from unittest import mock

from outreach_forecast import Client

from .support.certificates import make_certificate
from .support.faults import FaultServer, drip, silence
from .support.messages import answer
from .support.proxies import HttpProxy
from .support.service import URL


class TLS(unittest.TestCase):
    certificate: Path
    context: ssl.SSLContext

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.certificate, cls.context = make_certificate(folder.name)

    def trusted(self, **variables: str) -> AbstractContextManager[object]:
        return mock.patch.dict(os.environ, {"SSL_CERT_FILE": str(self.certificate), **variables}, clear=True)

    def test_certificate_of_the_environment_is_trusted(self) -> None:
        with FaultServer(answer(200, {"a": 1}), tls=self.context) as server, self.trusted():
            with Client("key", server.url) as client:
                self.assertEqual([client.usage(), client.usage()], [{"a": 1}] * 2)
            self.assertEqual(server.connections, 1)
            self.assertEqual(server.requests[0].header("host"), f"127.0.0.1:{server.port}")

    def test_other_certificates_are_not_trusted_and_not_retried(self) -> None:
        with FaultServer(answer(200), tls=self.context) as server, mock.patch.dict(os.environ, clear=True):
            with Client("key", server.url) as client, self.assertRaisesRegex(ConnectionError, "certificate") as raised:
                client.usage()
            self.assertIsInstance(raised.exception.__cause__, ssl.SSLCertVerificationError)
            self.assertEqual([server.connections, server.requests], [1, []])

    def test_certificate_of_another_host_is_refused(self) -> None:
        with FaultServer(answer(200), tls=self.context) as server, self.trusted():
            with Client("key", server.url.replace("127.0.0.1", "localhost"), max_retries=0) as client:
                with self.assertRaisesRegex(ConnectionError, "localhost"):
                    client.usage()
            self.assertEqual(server.requests, [])

    def test_tunnel_through_a_proxy(self) -> None:
        with FaultServer(answer(200, {"a": 1}), tls=self.context) as server, HttpProxy() as proxy:
            with self.trusted(HTTPS_PROXY=proxy.url), Client("very-secret", server.url) as client:
                self.assertEqual([client.usage(), client.usage()], [{"a": 1}] * 2)
            self.assertEqual(
                [request.first_line for request in proxy.requests], [f"CONNECT 127.0.0.1:{server.port} HTTP/1.1"]
            )
            self.assertEqual(server.requests[0].header("x-api-key"), "very-secret")

    def test_deadline_holds_over_tls(self) -> None:
        for fault in (silence, drip(b"HTTP/1.1 200 OK\r\n", b"name: value\r\n")):
            with FaultServer(fault, tls=self.context) as server, self.trusted():
                with Client("key", server.url, timeout=0.2) as client, self.assertRaises(TimeoutError):
                    client.usage()

    def test_deadline_holds_for_the_handshake(self) -> None:
        # A server that accepts the connection and never speaks TLS.
        with FaultServer(silence) as server, self.trusted():
            with Client("key", server.url.replace("http", "https"), timeout=0.2) as client:
                started = time.monotonic()
                with self.assertRaises(TimeoutError):
                    client.usage()
                self.assertLess(time.monotonic() - started, 9)

    def test_server_that_does_not_speak_tls(self) -> None:
        with self.trusted(), Client("key", URL.replace("http", "https"), max_retries=0) as client:
            with self.assertRaisesRegex(ConnectionError, "No connection to https"):
                client.usage()
