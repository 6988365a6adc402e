"""A retry never costs a second credit: a proxy loses responses that the real service has sent and charged."""

from __future__ import annotations

import asyncio
import unittest
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

from outreach_forecast import APIError, AsyncClient, Client, ForecastAnswer

from .support.proxies import LossyProxy
from .support.service import KEYS, URL, credits_left, plain_sample, sample


class LostAnswers(unittest.TestCase):
    def setUp(self) -> None:
        self.before = credits_left()

    def test_call_succeeds_by_its_retry_and_one_credit_is_gone(self) -> None:
        # Each call loses its response in a different way.
        with LossyProxy(URL) as proxy, Client(KEYS["usable"], proxy.url) as client:
            for i, method in enumerate((client.forecast, client.legacy_roi, client.forecast, client.forecast)):
                self.assertEqual(method(**sample())["estimated_clients"], 3.75)
                self.assertEqual(credits_left(), self.before - i - 1)
            self.assertEqual(proxy.lost, 4)

    def test_answer_that_gets_lost_twice(self) -> None:
        with LossyProxy(URL, losses=2) as proxy, Client(KEYS["usable"], proxy.url) as client:
            client.forecast(**sample())
            self.assertEqual([proxy.lost, credits_left()], [2, self.before - 1])

    def test_caller_who_retries_with_the_same_key_gets_what_was_paid_for(self) -> None:
        with LossyProxy(URL) as proxy:
            for i in range(4):
                key = str(uuid4())
                with Client(KEYS["usable"], proxy.url, max_retries=0) as client:
                    with self.assertRaises((ConnectionError, APIError)):
                        client.forecast(**sample(), idempotency_key=key)
                    self.assertEqual(credits_left(), self.before - i - 1)
                    forecast = client.forecast(**plain_sample(), idempotency_key=key)
                    self.assertEqual(forecast["usage"]["credits_remaining"], self.before - i - 1)
            self.assertEqual(credits_left(), self.before - 4)

    def test_many_threads_at_the_same_time(self) -> None:
        with LossyProxy(URL) as proxy, Client(KEYS["usable"], proxy.url, 30) as client, ThreadPoolExecutor(32) as pool:

            def call(_: int) -> ForecastAnswer:
                return client.forecast(**plain_sample())

            self.each_paid_once(list(pool.map(call, range(64))))
            self.assertEqual(proxy.lost, 64)

    def test_many_tasks_at_the_same_time(self) -> None:
        async def calls(url: str) -> list[ForecastAnswer]:
            async with AsyncClient(KEYS["usable"], url, 30) as client:
                return await asyncio.gather(*(client.forecast(**plain_sample()) for _ in range(64)))

        with LossyProxy(URL) as proxy:
            self.each_paid_once(asyncio.run(calls(proxy.url)))
            self.assertEqual(proxy.lost, 64)

    def each_paid_once(self, forecasts: list[ForecastAnswer]) -> None:
        left = [forecast["usage"]["credits_remaining"] for forecast in forecasts]
        self.assertEqual(sorted(left), list(range(self.before - len(forecasts), self.before)))
        self.assertEqual(credits_left(), self.before - len(forecasts))
