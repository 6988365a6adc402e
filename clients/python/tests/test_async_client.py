"""AsyncClient: the same responses and errors, many calls at a time, and none that outlives its caller."""

from __future__ import annotations

import asyncio
import inspect
import os
import socket
import subprocess
import sys
import threading
import time
import unittest
from unittest import mock

from outreach_forecast import APITimeoutError, AsyncClient, BadRequestError, Client
from outreach_forecast._methods import Methods

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
        for name in [name for name in vars(Methods) if not name.startswith("_")]:
            self.assertEqual(
                inspect.signature(getattr(AsyncClient, name)).parameters,
                inspect.signature(getattr(Client, name)).parameters,
            )
        self.assertEqual(list(inspect.signature(AsyncClient).parameters), list(inspect.signature(Client).parameters))

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

    async def test_ledger_goes_through_all_pages(self) -> None:
        pages = [answer(200, {"entries": [i], "next_cursor": cursor}) for i, cursor in enumerate(("a&b", "c", None))]
        with FaultServer(*pages) as server:
            async with AsyncClient("key", server.url) as client:
                self.assertEqual([entry async for entry in client.ledger()], [0, 1, 2])
        queries = [request.first_line.split(" ")[1].partition("?")[2] for request in server.requests]
        self.assertEqual(queries, ["limit=200", "limit=200&cursor=a%26b", "limit=200&cursor=c"])

    async def test_many_calls_at_the_same_time(self) -> None:
        # The loop of these tests records the stack of each task, which takes longer than the calls.
        asyncio.get_running_loop().set_debug(False)
        together = threading.Barrier(20)

        def meet(sock: socket.socket) -> bool:
            together.wait(30)
            sock.sendall(answer(200))
            return True

        # None is answered before all of them have arrived.
        with FaultServer(meet) as server:
            async with AsyncClient("key", server.url, 30) as client:
                for _ in range(2):
                    self.assertEqual(await asyncio.gather(*(client.usage() for _ in range(20))), [{}] * 20)
            self.assertEqual(server.connections, 20)
        async with AsyncClient(KEYS["usable"], URL, 120) as client:
            self.assertEqual(len(await asyncio.gather(*(client.usage() for _ in range(100)))), 100)

    async def test_loop_continues_while_a_call_waits(self) -> None:
        with FaultServer(silence) as server:
            # Long enough to connect: anyio leaves a connection open that is cancelled as it is established.
            async with AsyncClient("key", server.url, timeout=2) as client:
                call = asyncio.ensure_future(client.usage())
                ticks = 0
                while not call.done():
                    await asyncio.sleep(0.01)
                    ticks += 1
                self.assertGreater(ticks, 3)
                with self.assertRaises(TimeoutError):
                    await call

    async def test_calls_that_wait_for_their_turn_keep_their_timeout(self) -> None:
        with FaultServer(silence) as server, mock.patch("outreach_forecast._async_client.most_connections", 4):
            async with AsyncClient("key", server.url, timeout=60) as client:
                calls = [asyncio.ensure_future(client.usage()) for _ in range(4)]
                while len(server.requests) < 4:
                    await asyncio.sleep(0.01)
                others = (client.with_options(timeout=0.2).usage() for _ in range(20))
                started = time.monotonic()
                failures = await asyncio.gather(*others, return_exceptions=True)
                self.assertLess(time.monotonic() - started, 9)
                self.assertEqual({type(failure) for failure in failures}, {APITimeoutError})
                self.assertEqual(server.connections, 4)
                for call in calls:
                    call.cancel()
                await asyncio.gather(*calls, return_exceptions=True)

    async def test_call_that_is_cancelled_is_cut_off(self) -> None:
        with FaultServer(silence) as server:
            async with AsyncClient("key", server.url, timeout=60) as client:
                await self.cancelled(client, server)
                # The server notices immediately, and gets no second attempt.
                loop = asyncio.get_running_loop()
                self.assertTrue(await loop.run_in_executor(None, server.closed.acquire, True, 30))
            self.assertEqual(len(server.requests), 1)

    async def test_call_that_is_cancelled_in_a_pause_is_not_retried(self) -> None:
        with FaultServer(answer(503, {}, {"retry-after": "30"})) as server:
            started = time.monotonic()
            async with AsyncClient("key", server.url, timeout=60) as client:
                await self.cancelled(client, server)
            self.assertLess(time.monotonic() - started, 25)
            self.assertEqual(len(server.requests), 1)

    async def cancelled(self, client: AsyncClient, server: FaultServer) -> None:
        """Cancels a call a moment after its request has arrived."""
        call = asyncio.ensure_future(client.usage())
        while not server.requests:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        call.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await call

    async def test_client_that_is_closed_says_so(self) -> None:
        client = AsyncClient("key")
        await client.close()
        with self.assertRaisesRegex(RuntimeError, "The client is closed"):
            await client.usage()


class Loops(unittest.TestCase):
    def test_one_client_for_several_loops(self) -> None:
        client = AsyncClient(KEYS["usable"], URL)
        self.assertEqual(asyncio.run(client.usage())["plan"], "active")
        self.assertEqual(asyncio.run(client.usage())["plan"], "active")
        asyncio.run(client.close())


class Forks(unittest.TestCase):
    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork")
    def test_forked_process_has_connections_of_its_own(self) -> None:
        program = """if True:
            import asyncio, os, sys
            from outreach_forecast import AsyncClient
            client = AsyncClient("key", sys.argv[1], timeout=60)
            asyncio.run(client.usage())
            child = os.fork()
            asyncio.run(client.usage())
            if child == 0:
                os._exit(0)
            sys.exit(os.waitpid(child, 0)[1])
        """
        with FaultServer(answer(200)) as server:
            subprocess.run([sys.executable, "-W", "ignore", "-c", program, server.url], check=True, timeout=300)
            self.assertEqual(len(server.requests), 3)
