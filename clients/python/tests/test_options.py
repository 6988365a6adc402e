"""Settings for some calls, a custom httpx client, the environment, the log."""

from __future__ import annotations

import asyncio
import logging
import os
import time
import unittest
from typing import Any
from unittest import mock

import httpx

from outreach_forecast import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    AsyncClient,
    Client,
    DeadlineTransport,
    InvalidArgumentError,
    OutreachForecastError,
)

from .support.faults import FaultServer, drip, silence, then_close
from .support.messages import answer, problem
from .support.service import sample

GOOD = answer(200, {"month": "2026-11"}, {"x-request-id": "request-9"})
DRIP = drip(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n", b" ")
UNAVAILABLE = problem(503, "unavailable", {"retry-after": "0"})


def respond(request: httpx.Request) -> httpx.Response:
    """The response of the tests' transport: what it was sent."""
    return httpx.Response(200, json={"path": request.url.path, "key": request.headers["x-api-key"]})


class WithOptions(unittest.TestCase):
    def test_timeout_and_retries_hold_for_the_calls_of_the_copy(self) -> None:
        with FaultServer(UNAVAILABLE, UNAVAILABLE, GOOD) as server, Client("key", server.url) as client:
            with self.assertRaises(APIError):
                client.with_options(max_retries=0).usage()
            self.assertEqual([client.usage(), len(server.requests)], [{"month": "2026-11"}, 3])
        with FaultServer(silence) as server, Client("key", server.url, timeout=60) as client:
            with self.assertRaisesRegex(APITimeoutError, server.url):
                client.with_options(timeout=0.1).usage()
            self.assertEqual(repr(client), f"Client(base_url='{server.url}', timeout=60, max_retries=2)")

    def test_connections_are_shared(self) -> None:
        with FaultServer(GOOD) as server, Client("key", server.url) as client:
            client.usage()
            other = client.with_options(timeout=5)
            other.usage()
            self.assertEqual(server.connections, 1)
            other.close()
            with self.assertRaisesRegex(RuntimeError, "The client is closed"):
                client.usage()

    def test_invalid_options_are_refused(self) -> None:
        client: Any = Client("key")
        for nonsense in ({"timeout": 0}, {"timeout": "5"}, {"max_retries": -1}, {"max_retries": 1.5}):
            with self.subTest(nonsense), self.assertRaises(InvalidArgumentError):
                client.with_options(**nonsense)
        with self.assertRaises(TypeError):
            client.with_options(base_url="http://elsewhere.example")

    def test_asynchronous_client_has_the_same_options(self) -> None:
        async def call(url: str) -> None:
            async with AsyncClient("key", url, timeout=60) as client:
                # Long enough to connect: anyio leaves a connection open that is cancelled as it is established.
                await client.with_options(timeout=2).usage()

        with FaultServer(DRIP) as server, self.assertRaises(APITimeoutError):
            asyncio.run(call(server.url))


class HttpClient(unittest.TestCase):
    def test_calls_go_through_it_and_it_stays_open(self) -> None:
        with httpx.Client(transport=httpx.MockTransport(respond)) as http:
            with Client("a-key", "http://forecast.example/prefix", http_client=http) as client:
                self.assertEqual(client.usage(), {"path": "/prefix/api/v1/usage", "key": "a-key"})
                self.assertEqual(client.rotate_key(), {"path": "/prefix/api/v1/keys/rotate", "key": "a-key"})
            self.assertFalse(http.is_closed)

    def test_asynchronous_one(self) -> None:
        async def call() -> Any:
            async with httpx.AsyncClient(transport=httpx.MockTransport(respond)) as http:
                async with AsyncClient("a-key", "http://forecast.example", http_client=http) as client:
                    answers = [await client.usage(), await client.credit_packs()]
                return [http.is_closed, *answers]

        path = "/api/v1/usage"
        is_closed, usage, packs = asyncio.run(call())
        self.assertEqual(
            [is_closed, usage, packs["path"]], [False, {"path": path, "key": "a-key"}, "/api/v1/credit-packs"]
        )

    def test_its_failures_become_the_client_s_and_are_retried(self) -> None:
        failures = [httpx.ConnectError("no route"), httpx.ReadError("reset"), None]

        def respond_at_last(request: httpx.Request) -> httpx.Response:
            failure = failures.pop(0)
            if failure is not None:
                raise failure
            return respond(request)

        with mock.patch("outreach_forecast._deadline.Deadline.pause"):
            with httpx.Client(transport=httpx.MockTransport(respond_at_last)) as http:
                client = Client("key", "http://forecast.example", http_client=http)
                self.assertEqual(client.usage(), {"path": "/api/v1/usage", "key": "key"})
                failures[:] = [httpx.ReadError("reset")]
                with self.assertRaisesRegex(APIConnectionError, "No response from http://forecast.example: reset"):
                    client.with_options(max_retries=0).usage()

    def test_rotation_is_not_repeated_through_it(self) -> None:
        requests: list[httpx.Request] = []

        def fail(request: httpx.Request) -> httpx.Response:
            requests.append(request)
            raise httpx.ReadError("reset")

        with httpx.Client(transport=httpx.MockTransport(fail)) as http, self.assertRaises(APIConnectionError):
            Client("key", "http://forecast.example", http_client=http).rotate_key()
        self.assertEqual(len(requests), 1)

    def test_deadline_of_a_body_holds_and_with_the_client_s_transport_that_of_everything(self) -> None:
        for transport, fault in (
            (httpx.HTTPTransport(), DRIP),
            (DeadlineTransport(), DRIP),
            (DeadlineTransport(), drip(b"HTTP/1.1 200 OK\r\n", b"name: value\r\n")),
        ):
            with FaultServer(fault) as server, httpx.Client(transport=transport) as http:
                started = time.monotonic()
                with self.assertRaises(APITimeoutError):
                    Client("key", server.url, timeout=0.2, http_client=http).usage()
                self.assertLess(time.monotonic() - started, 9)

    def test_one_of_the_other_kind_is_refused(self) -> None:
        other: Any = httpx.AsyncClient()
        with self.assertRaisesRegex(InvalidArgumentError, "must be an httpx.Client, not AsyncClient"):
            Client("key", http_client=other)
        with httpx.Client() as http, self.assertRaisesRegex(InvalidArgumentError, "must be an httpx.AsyncClient"):
            other = http
            AsyncClient("key", http_client=other)
        asyncio.run(httpx.AsyncClient.aclose(httpx.AsyncClient()))


class Environment(unittest.TestCase):
    def test_base_url_is_read_from_it_unless_it_is_given(self) -> None:
        with mock.patch.dict(os.environ, {"SERVICE_BASE_URL": "https://forecast.example/"}):
            self.assertIn("base_url='https://forecast.example',", repr(Client("key")))
            self.assertIn("base_url='https://forecast.example',", repr(AsyncClient("key")))
            self.assertIn("base_url='http://other.example',", repr(Client("key", "http://other.example")))
        with mock.patch.dict(os.environ, {"SERVICE_BASE_URL": "forecast.example"}):
            with self.assertRaisesRegex(InvalidArgumentError, "base_url must look like https"):
                Client("key")
        with mock.patch.dict(os.environ, {"SERVICE_BASE_URL": ""}):
            self.assertIn("base_url='http://127.0.0.1:3000',", repr(Client("key")))


class Log(unittest.TestCase):
    def test_logs_requests_and_reasons_for_retries(self) -> None:
        with FaultServer(then_close(), UNAVAILABLE, GOOD) as server, Client("very-secret", server.url) as client:
            with (
                mock.patch("outreach_forecast._deadline.Deadline.pause"),
                self.assertLogs("outreach_forecast", 1) as log,
            ):
                client.forecast(**sample(), idempotency_key="a-key-of-mine")
        levels = [record.levelname for record in log.records]
        self.assertEqual(levels, ["INFO", "DEBUG", "INFO", "DEBUG"])
        lost, _, refused, good = (record.getMessage() for record in log.records)
        self.assertRegex(lost, rf"^POST /api/v1/forecast: retry 1 in 0\.\d\d s after: No response from {server.url}")
        self.assertRegex(refused, r"^POST /api/v1/forecast: retry 2 in 0\.00 s after: This is unavailable\.")
        self.assertRegex(good, r"^POST /api/v1/forecast: 200 in \d+ ms, request request-9$")
        for secret in ("very-secret", "a-key-of-mine", "5000"):
            self.assertNotIn(secret, str(log.output))

    def test_is_silent_by_default(self) -> None:
        self.assertFalse(logging.getLogger("outreach_forecast").isEnabledFor(logging.INFO))
        self.assertEqual(logging.getLogger("outreach_forecast").handlers, [])


class OneBase(unittest.TestCase):
    def test_catches_whatever_fails(self) -> None:
        for fault in (then_close(), answer(200, "no JSON"), problem(401, "invalid_key"), silence, b"garbage\r\n\r\n"):
            with FaultServer(fault) as server, Client("key", server.url, 0.2, max_retries=0) as client:
                with self.assertRaises(OutreachForecastError):
                    client.usage()
        with mock.patch.dict(os.environ, clear=True), self.assertRaises(OutreachForecastError):
            Client()
