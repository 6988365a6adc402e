"""The key shows nowhere but in the header that it is for."""

from __future__ import annotations

import contextlib
import copy
import http.client
import io
import logging
import pickle
import socket
import struct
import traceback
import unittest
from collections.abc import Callable
from unittest import mock

from outreach_forecast import APIError, AsyncClient, Client, InvalidResponseError

from .support.faults import Fault, FaultServer, silence, then_close
from .support.messages import answer, problem
from .support.service import sample

KEY = "ofk_test_a-very-secret-key"


def reset(sock: socket.socket) -> bool:
    """Ends the connection in a way that fails the other side's next write too."""
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
        for refuses in (pickle.dumps, copy.deepcopy):
            with self.assertRaisesRegex(TypeError, "cannot pickle|cannot be pickled") as raised:
                refuses(client)
            self.hidden(_everything(raised.exception))
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
            with self.subTest(fault), FaultServer(fault) as server:
                with Client(KEY, server.url, timeout=0.3, max_retries=1) as client:
                    with self.assertRaises((APIError, OSError, InvalidResponseError)) as raised:
                        client.forecast(**sample())
                self.hidden(_everything(raised.exception))

    def test_traceback_of_a_write_that_fails(self) -> None:
        def refuse(*_: object) -> None:
            raise BrokenPipeError(32, "Broken pipe")

        with FaultServer(answer(200)) as server, Client(KEY, server.url, max_retries=0) as client:
            with mock.patch("outreach_forecast._sockets.BoundedSocket.sendall", refuse):
                with self.assertRaises(BrokenPipeError) as raised:
                    client.usage()
        self.hidden(_everything(raised.exception))

    def test_traceback_of_a_client_that_is_not_made(self) -> None:
        makings: list[Callable[[], object]] = [
            lambda: Client(KEY + "\n"),
            lambda: AsyncClient(KEY + "\n"),
            lambda: Client(KEY, "nonsense"),
            lambda: Client(KEY, timeout=0),
        ]
        for make in makings:
            with self.assertRaises(ValueError) as raised:
                make()
            self.hidden(_everything(raised.exception))

    def test_logs_and_the_debugging_of_http_client(self) -> None:
        logs, printed = io.StringIO(), io.StringIO()
        handler = logging.StreamHandler(logs)
        root = logging.getLogger()
        root.addHandler(handler)
        self.addCleanup(root.removeHandler, handler)
        self.addCleanup(root.setLevel, root.level)
        root.setLevel(logging.DEBUG)
        with mock.patch.object(http.client.HTTPConnection, "debuglevel", 1), contextlib.redirect_stdout(printed):
            with FaultServer(problem(503, "unavailable", {"retry-after": "0"}), answer(200)) as server:
                with Client(KEY, server.url) as client:
                    client.usage()
        self.assertEqual(server.requests[1].header("x-api-key"), KEY)
        self.hidden(logs.getvalue() + printed.getvalue())


def _everything(error: BaseException | None) -> str:
    """What a tool shows that prints local variables: of an exception, its causes, and what they hold."""
    text = ""
    while error is not None:
        printed = traceback.TracebackException.from_exception(error, capture_locals=True)
        text += "".join(printed.format()) + repr(error) + repr(vars(error))
        error = error.__cause__ or error.__context__
    return text
