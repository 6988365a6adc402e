"""The key appears only in the header that it is for."""

from __future__ import annotations

import asyncio
import copy
import io
import logging
import pickle
import socket
import struct
import traceback
import unittest
from collections.abc import Callable
from functools import partial
from unittest import mock

import httpx

from outreach_forecast import AsyncClient, Client

from .support.faults import Fault, FaultServer, silence, then_close
from .support.messages import answer, problem
from .support.service import plain_sample, sample

KEY = "ofk_test_a-very-secret-key"


def reset(sock: socket.socket) -> bool:
    """Closes the connection so that the client's next write fails, too."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return False


class Secrets(unittest.TestCase):
    def hidden(self, text: str) -> None:
        self.assertNotIn("very-secret", text)

    def test_repr_and_attributes(self) -> None:
        for client in (Client(KEY), AsyncClient(KEY)):
            self.hidden(f"{client} {client!r} {vars(client)}")
            for value in vars(client).values():
                self.hidden(repr(getattr(value, "__dict__", value)))

    def test_pickle_is_refused_and_a_copy_shares_the_key(self) -> None:
        client = Client(KEY)
        things: list[object] = [client, vars(client)["_settings"].key]
        for thing in things:
            for refuses in (pickle.dumps, copy.deepcopy):
                self.hidden(_everything(_failure(TypeError, partial(refuses, thing))))
        self.hidden(repr(vars(copy.copy(client))))

    @mock.patch("outreach_forecast._deadline.Deadline.pause", mock.Mock())
    def test_tracebacks_with_local_variables(self) -> None:
        faults: list[Fault] = [
            then_close(),
            reset,
            then_close(b"HTTP/1.1 200 OK\r\n"),
            b"garbage\r\n",
            answer(200, "no JSON"),
            answer(301, "", {"location": "http://elsewhere.example/"}),
            problem(401, "invalid_key"),
            silence,
        ]
        for fault in faults:
            with self.subTest(fault), FaultServer(fault) as server, Client(KEY, server.url, 0.3, 1) as client:
                text = _everything(_failure(Exception, lambda: client.forecast(**plain_sample())))
                # The traceback has the frames of the client, with their variables.
                self.assertIn("request = Request(", text)
                self.hidden(text)
            with self.subTest(fault), FaultServer(fault) as server:
                text = _everything(_failure(Exception, partial(asyncio.run, self.fail_to_forecast(server.url))))
                self.assertIn("request = Request(", text)
                self.hidden(text)

    async def fail_to_forecast(self, url: str) -> None:
        # Long enough to connect: anyio leaves a connection open that is cancelled as it is established.
        async with AsyncClient(KEY, url, 2, 1) as client:
            await client.forecast(**sample())

    def test_traceback_of_a_call_that_is_cancelled(self) -> None:
        async def cancel(url: str) -> None:
            async with AsyncClient(KEY, url) as client:
                await asyncio.wait_for(client.usage(), 2)

        with FaultServer(silence) as server:
            self.hidden(_everything(_failure(Exception, partial(asyncio.run, cancel(server.url)))))

    def test_traceback_with_a_custom_http_client(self) -> None:
        for fault in (then_close(), silence):
            with FaultServer(fault) as server, httpx.Client() as http:
                client = Client(KEY, server.url, 0.3, 0, http_client=http)
                self.hidden(_everything(_failure(Exception, client.usage)))

    def test_traceback_of_a_write_that_fails(self) -> None:
        with FaultServer(answer(200)) as server, Client(KEY, server.url, max_retries=0) as client:
            for failure in (BrokenPipeError(32, "Broken pipe"), KeyboardInterrupt()):
                with mock.patch("outreach_forecast._transport._Stream.write", side_effect=failure):
                    self.hidden(_everything(_failure((ConnectionError, KeyboardInterrupt), client.usage)))

    def test_traceback_of_a_failed_constructor(self) -> None:
        makings: list[Callable[[], object]] = [
            lambda: Client(KEY + "\n"),
            lambda: AsyncClient(KEY + "\n"),
            lambda: Client(KEY, "nonsense"),
            lambda: Client(KEY, timeout=0),
        ]
        for make in makings:
            self.hidden(_everything(_failure(ValueError, make)))

    def test_logs(self) -> None:
        logs = io.StringIO()
        handler = logging.StreamHandler(logs)
        root = logging.getLogger()
        root.addHandler(handler)
        self.addCleanup(root.removeHandler, handler)
        self.addCleanup(root.setLevel, root.level)
        root.setLevel(logging.DEBUG)
        with FaultServer(problem(503, "unavailable", {"retry-after": "0"}), answer(200)) as server:
            with Client(KEY, server.url) as client:
                client.ledger_page(cursor="a-cursor")
        self.assertEqual(server.requests[1].header("x-api-key"), KEY)
        self.assertIn("GET /api/v1/credits/ledger: retry 1 in 0.00 s after: This is unavailable.", logs.getvalue())
        self.hidden(logs.getvalue())


def _failure(kind: type[BaseException] | tuple[type[BaseException], ...], call: Callable[[], object]) -> BaseException:
    """The exception of a call with its traceback, which assertRaises would remove."""
    try:
        call()
    except kind as error:
        return error
    raise AssertionError("It did not fail.")


def _everything(error: BaseException | None) -> str:
    """The output of a tool that prints an exception and its causes with local variables."""
    text = ""
    while error is not None:
        printed = traceback.TracebackException.from_exception(error, capture_locals=True)
        text += "".join(printed.format()) + repr(error) + repr(vars(error))
        error = error.__cause__ or error.__context__
    return text
