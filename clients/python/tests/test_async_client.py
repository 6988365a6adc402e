"""The asynchronous twin: the same answers and failures, many at a time, and none that outlives its caller."""

from __future__ import annotations

import asyncio
import inspect
import time
import unittest

from outreach_forecast import AsyncClient, BadRequestError, Client

from .support.faults import FaultServer, silence, then_close
from .support.messages import answer
from .support.service import KEYS, URL, sample


class Async(unittest.IsolatedAsyncioTestCase):
    async def test_methods_answer_as_those_of_the_client(self) -> None:
        async with AsyncClient(KEYS["usable"], URL) as client:
            self.assertEqual((await client.forecast(**sample()))["estimated_clients"], 3.75)
            self.assertIn("risk_level", await client.legacy_roi(**sample()))
            self.assertEqual((await client.usage())["plan"], "active")
            self.assertEqual((await client.credit_packs())["packs"][0]["currency"], "USD")
            entries = [entry async for entry in client.ledger()]
        with Client(KEYS["usable"], URL) as twin:
            self.assertEqual(list(twin.ledger()), entries)

    async def test_rotation(self) -> None:
        async with AsyncClient(KEYS["rotated"], URL) as client:
            async with AsyncClient((await client.rotate_key(grace_hours=2))["api_key"], URL) as new:
                self.assertEqual((await new.usage())["state"], "usable")

    async def test_methods_have_the_same_arguments(self) -> None:
        for name in ("forecast", "legacy_roi", "usage", "ledger", "ledger_page", "credit_packs", "rotate_key"):
            self.assertEqual(
                inspect.signature(getattr(AsyncClient, name)).parameters,
                inspect.signature(getattr(Client, name)).parameters,
            )
        self.assertEqual(inspect.signature(AsyncClient).parameters, inspect.signature(Client).parameters)

    async def test_failures_are_those_of_the_client(self) -> None:
        async with AsyncClient(KEYS["usable"], URL) as client:
            with self.assertRaises(BadRequestError):
                await client.forecast(**sample(reply_rate=500))
            with self.assertRaises(ValueError):
                await client.forecast(**sample(), idempotency_key="a b")
        with FaultServer(then_close()) as server:
            async with AsyncClient("key", server.url, max_retries=0) as client:
                with self.assertRaises(ConnectionError):
                    await client.usage()

    async def test_many_calls_at_the_same_time(self) -> None:
        async with AsyncClient(KEYS["usable"], URL, 30) as client:
            answers = await asyncio.gather(*(client.usage() for _ in range(300)))
        self.assertEqual(len(answers), 300)

    async def test_loop_goes_on_while_a_call_waits(self) -> None:
        with FaultServer(silence) as server:
            async with AsyncClient("key", server.url, timeout=0.5) as client:
                call = asyncio.ensure_future(client.usage())
                ticks = 0
                while not call.done():
                    await asyncio.sleep(0.01)
                    ticks += 1
                self.assertGreater(ticks, 3)
                with self.assertRaises(TimeoutError):
                    await call

    async def test_calls_that_wait_for_their_turn_keep_their_timeout(self) -> None:
        with FaultServer(silence) as server:
            async with AsyncClient("key", server.url, timeout=0.5, max_retries=0) as client:
                started = time.monotonic()
                failures = await asyncio.gather(*(client.usage() for _ in range(200)), return_exceptions=True)
                self.assertLess(time.monotonic() - started, 10)
        self.assertEqual({type(failure) for failure in failures}, {TimeoutError})

    async def test_call_that_is_cancelled_is_cut_off(self) -> None:
        with FaultServer(silence) as server:
            async with AsyncClient("key", server.url, timeout=60) as client:
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(client.usage(), 0.3)
                # The server hears of it at once, and of no second attempt.
                loop = asyncio.get_running_loop()
                self.assertTrue(await loop.run_in_executor(None, server.closed.acquire, True, 30))
            self.assertEqual(len(server.requests), 1)

    async def test_call_that_is_cancelled_in_a_pause_is_not_tried_again(self) -> None:
        with FaultServer(answer(503, {}, {"retry-after": "30"})) as server:
            async with AsyncClient("key", server.url, timeout=60) as client:
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(client.usage(), 0.3)
            self.assertEqual(len(server.requests), 1)

    async def test_client_that_is_closed_says_so(self) -> None:
        client = AsyncClient("key")
        await client.close()
        with self.assertRaises(RuntimeError):
            await client.usage()


class Loops(unittest.TestCase):
    def test_one_client_for_several_loops(self) -> None:
        client = AsyncClient(KEYS["usable"], URL)
        self.assertEqual(asyncio.run(client.usage())["plan"], "active")
        self.assertEqual(asyncio.run(client.usage())["plan"], "active")
        asyncio.run(client.close())
