"""Retries: what is retried, how often and when, and what is not."""

from __future__ import annotations

import contextlib
import email.utils
import time
import unittest
from unittest import mock

from outreach_forecast import APIError, Client, InvalidResponseError, RateLimitError, UsageExhaustedError

from .support.faults import FaultServer, silence, then_close
from .support.messages import answer, problem
from .support.service import sample

GOOD = answer(200, {"month": "2026-11"})
PAUSE = "outreach_forecast._deadline.Deadline.pause"
AT_ONCE = {"retry-after": "0"}
UNAVAILABLE = problem(503, "unavailable", AT_ONCE)


class Retries(unittest.TestCase):
    @mock.patch(PAUSE, mock.Mock())
    def test_temporary_failures_are_retried_with_one_idempotency_key(self) -> None:
        for name, fault in {
            "closed": then_close(),
            "cut off": then_close(GOOD[:-3]),
            "503": UNAVAILABLE,
            "500": problem(500, "internal"),
            "502 of a load balancer": answer(502, "<h1>Bad gateway</h1>"),
            "rate limit": problem(429, "rate_limited", AT_ONCE),
            "first attempt still running": problem(409, "idempotency_in_progress", AT_ONCE),
            "request that took too long": problem(408, "request_timeout", AT_ONCE),
        }.items():
            with self.subTest(name), FaultServer(fault, GOOD) as server, Client("key", server.url) as client:
                self.assertEqual(client.forecast(**sample()), {"month": "2026-11"})
                first, second = server.requests
                self.assertRegex(first.header("idempotency-key") or "", r"^[0-9a-f-]{36}$")
                self.assertEqual([first.head, first.body], [second.head, second.body])

    def test_each_call_has_an_idempotency_key_of_its_own_or_the_caller_s(self) -> None:
        with FaultServer(GOOD) as server, Client("key", server.url) as client:
            client.forecast(**sample())
            client.legacy_roi(**sample())
            client.forecast(**sample(), idempotency_key="mine")
            client.usage()
            one, other, mine, none = (request.header("idempotency-key") for request in server.requests)
        self.assertNotEqual(one, other)
        self.assertEqual([mine, none], ["mine", None])

    def test_lasting_failures_are_not_retried(self) -> None:
        for kind, fault in (
            (UsageExhaustedError, problem(429, "usage_exhausted", AT_ONCE)),
            (UsageExhaustedError, problem(503, "usage_exhausted", AT_ONCE)),
            (RateLimitError, problem(429, "sub_key_limit_reached", AT_ONCE)),
            (APIError, problem(400, "invalid_input", AT_ONCE)),
            (APIError, problem(409, "another", AT_ONCE)),
            (APIError, problem(422, "idempotency_mismatch", AT_ONCE)),
            (InvalidResponseError, answer(200, "no JSON")),
        ):
            with self.subTest(fault), FaultServer(fault, GOOD) as server, Client("key", server.url) as client:
                with self.assertRaises(kind):
                    client.forecast(**sample())
                self.assertEqual(len(server.requests), 1)

    def test_retries_at_most_max_retries_times_and_raises_the_last_failure(self) -> None:
        for max_retries in (0, 1, 3):
            last = problem(500, "internal", AT_ONCE)
            with (
                FaultServer(*[UNAVAILABLE] * max_retries, last) as server,
                Client("key", server.url, max_retries=max_retries) as client,
            ):
                with self.assertRaises(APIError) as raised:
                    client.usage()
                self.assertEqual([raised.exception.status_code, len(server.requests)], [500, max_retries + 1])

    def test_waits_for_the_time_in_retry_after(self) -> None:
        with FaultServer(problem(429, "rate_limited", {"retry-after": "1"}), GOOD) as server:
            with Client("key", server.url) as client:
                started = time.monotonic()
                client.usage()
                self.assertGreaterEqual(time.monotonic() - started, 1)

    def test_retry_after_may_be_a_date(self) -> None:
        with FaultServer(
            problem(503, "unavailable", {"retry-after": email.utils.formatdate(1_000_000_000)}), GOOD
        ) as s:
            with (
                Client("key", s.url, max_retries=1) as client,
                mock.patch("random.uniform", side_effect=AssertionError),
            ):
                client.usage()

    def test_invalid_retry_after_is_ignored(self) -> None:
        for text in ("soon", "-1", "1e3", "٣", "9" * 5000, "Thu, 99 Nov 2026 00:00:00 GMT", "Apr 6 , 9"):
            fault = problem(503, "unavailable", {"retry-after": text})
            with self.subTest(text[:10]), FaultServer(fault) as server:
                with Client("key", server.url, max_retries=0) as client, self.assertRaises(APIError) as raised:
                    client.usage()
            self.assertIsNone(raised.exception.retry_after)

    def test_pause_of_years_is_not_started(self) -> None:
        with FaultServer(problem(503, "unavailable", {"retry-after": "9" * 12}), GOOD) as server:
            with Client("key", server.url) as client, self.assertRaises(APIError):
                client.usage()
            self.assertEqual(len(server.requests), 1)

    def test_pause_beyond_the_timeout_is_not_started(self) -> None:
        with FaultServer(problem(429, "rate_limited", {"retry-after": "3600"}), GOOD) as server:
            with Client("key", server.url) as client, self.assertRaises(RateLimitError) as raised:
                client.usage()
            self.assertEqual([raised.exception.retry_after, len(server.requests)], [3600, 1])

    def test_pauses_grow_and_vary(self) -> None:
        pauses: list[float] = []

        def note(_: object, seconds: float) -> None:
            pauses.append(seconds)

        with mock.patch(PAUSE, note):
            for _ in range(2):
                with FaultServer(then_close()) as server, Client("key", server.url, 60, max_retries=6) as client:
                    with self.assertRaises(ConnectionError):
                        client.usage()
        for i, longest in enumerate((0.5, 1, 2, 4, 8, 8)):
            self.assertTrue(all(longest / 2 <= pause <= longest for pause in (pauses[i], pauses[i + 6])), pauses)
        self.assertNotEqual(pauses[:6], pauses[6:])

    def test_timeout_holds_for_all_attempts_together(self) -> None:
        with FaultServer(UNAVAILABLE, silence) as server, Client("key", server.url, timeout=1) as client:
            with self.assertRaises(TimeoutError):
                client.usage()
            self.assertEqual(len(server.requests), 2)


class Rotation(unittest.TestCase):
    """A rotation that is carried out twice can leave the caller with an expiring key."""

    def test_is_not_retried_if_it_may_have_been_carried_out(self) -> None:
        for fault in (then_close(), then_close(GOOD[:-3]), UNAVAILABLE, problem(500, "internal", AT_ONCE)):
            with self.subTest(fault), FaultServer(fault, GOOD) as server, Client("key", server.url) as client:
                with self.assertRaises((ConnectionError, APIError)):
                    client.rotate_key()
                self.assertEqual(len(server.requests), 1)

    def test_is_retried_if_it_was_refused(self) -> None:
        with FaultServer(problem(429, "rate_limited", AT_ONCE), GOOD) as server, Client("key", server.url) as client:
            client.rotate_key()
            self.assertEqual(len(server.requests), 2)

    def test_is_retried_if_it_was_not_sent(self) -> None:
        with FaultServer(GOOD) as gone:
            pass
        with contextlib.ExitStack() as stack:
            servers: list[FaultServer] = []

            def come_back(*_: object) -> None:
                servers.append(stack.enter_context(FaultServer(GOOD, port=gone.port)))

            with Client("key", gone.url) as client, mock.patch(PAUSE, come_back):
                client.rotate_key()
            self.assertEqual([len(server.requests) for server in servers], [1])

    def test_uses_a_new_connection(self) -> None:
        with FaultServer(GOOD) as server, Client("key", server.url) as client:
            client.usage()
            client.rotate_key()
            self.assertEqual(server.connections, 2)
