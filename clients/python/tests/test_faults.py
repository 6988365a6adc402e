"""Failures of the network or the server: a caller never hangs, and never sees half a response."""

from __future__ import annotations

import contextlib
import gzip
import os
import socket
import subprocess
import sys
import threading
import time
import unittest
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest import mock

from outreach_forecast import APIError, Client, InvalidResponseError
from outreach_forecast._deadline import Deadline

from .support.faults import Fault, FaultServer, drip, silence, then_close
from .support.messages import answer

GOOD = answer(200, {"month": "2026-11"})


class Faults(unittest.TestCase):
    def fails_with(self, kind: type[Exception], *faults: Fault, timeout: float = 60) -> Exception:
        """The error of a call without retries."""
        with FaultServer(*faults) as server, Client("key", server.url, timeout, max_retries=0) as client:
            with self.assertRaises(kind) as raised:
                client.usage()
            self.assertIn(server.url, str(raised.exception))
        self.assertNotIsInstance(raised.exception, APIError)
        return raised.exception

    def test_closed_without_an_answer(self) -> None:
        self.fails_with(ConnectionError, then_close())

    def test_cut_off_anywhere(self) -> None:
        # At every byte: in the first line, in the head, in the body.
        for end in range(1, len(GOOD)):
            with self.subTest(GOOD[:end]):
                self.fails_with(ConnectionError, then_close(GOOD[:end]))

    def test_chunked_body_cut_off_anywhere(self) -> None:
        head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
        chunks = b'5\r\n{"a":\r\n2\r\n1}\r\n0\r\n'
        for end in range(len(chunks) - 3):
            with self.subTest(chunks[:end]):
                self.fails_with(ConnectionError, then_close(head + chunks[:end]))

    def test_chunked_body_is_put_together(self) -> None:
        chunked = b'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n'
        with FaultServer(chunked) as server, Client("key", server.url) as client:
            self.assertEqual([client.usage(), client.usage()], [{"a": 1}, {"a": 1}])
            self.assertEqual(server.connections, 1)

    def test_nobody_listens(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        with Client("key", f"http://127.0.0.1:{port}", max_retries=0) as client:
            with self.assertRaisesRegex(ConnectionError, f"No connection to http://127.0.0.1:{port}") as raised:
                client.usage()
        self.assertIsInstance(raised.exception.__cause__, ConnectionRefusedError)

    def test_host_without_an_address(self) -> None:
        with Client("key", "http://forecast.invalid", max_retries=0) as client:
            with self.assertRaisesRegex(ConnectionError, "No connection to http://forecast.invalid"):
                client.usage()

    def test_garbage_is_not_http(self) -> None:
        error = self.fails_with(InvalidResponseError, then_close(b"SSH-2.0-OpenSSH_9.9\r\n\r\n"))
        self.assertNotIsInstance(error, ConnectionError)

    def test_answer_that_is_not_json(self) -> None:
        for body in ("<h1>Welcome</h1>", "", "[1, 2]", '"text"', '{"a": NaN}', '{"a": 1', "[" * 100_000):
            with self.subTest(body[:20]), FaultServer(answer(200, body)) as server:
                with Client("key", server.url) as client, self.assertRaisesRegex(InvalidResponseError, "base_url"):
                    client.usage()
                self.assertEqual(len(server.requests), 1)

    def test_far_too_large_answer_is_not_read(self) -> None:
        self.fails_with(InvalidResponseError, b"HTTP/1.1 200 OK\r\ncontent-length: 20000000000\r\n\r\n{")

    def test_answer_without_end_is_not_read_to_memory(self) -> None:
        def pour(sock: socket.socket) -> bool:
            sock.sendall(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
            while True:
                sock.sendall(b"10000\r\n" + b" " * 65536 + b"\r\n")

        self.fails_with(InvalidResponseError, pour)

    def test_head_without_end_is_refused(self) -> None:
        self.fails_with(InvalidResponseError, b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 100_000 + b"\r\n")
        self.fails_with(InvalidResponseError, b"HTTP/1.1 200 OK\r\na: " + b"b" * 500_000 + b"\r\n\r\n")

    def test_error_page_of_a_load_balancer(self) -> None:
        page = answer(502, "<h1>Bad gateway</h1>", {"content-type": "text/html", "x-request-id": "request-7"})
        with FaultServer(page) as server, Client("key", server.url, max_retries=0) as client:
            with self.assertRaises(APIError) as raised:
                client.usage()
        error = raised.exception
        self.assertEqual([type(error), error.status_code, error.code, error.errors], [APIError, 502, None, []])
        self.assertEqual([error.body, error.request_id], ["<h1>Bad gateway</h1>", "request-7"])
        self.assertTrue(error.retryable)

    def test_redirect_is_not_followed_with_the_key(self) -> None:
        with FaultServer(GOOD) as elsewhere:
            location = f"{elsewhere.url}/api/v1/usage"
            redirect = answer(301, "", {"location": location})
            with FaultServer(redirect) as server, Client("key", server.url) as client:
                with self.assertRaises(APIError) as raised:
                    client.usage()
            self.assertEqual(elsewhere.requests, [])
        self.assertEqual(raised.exception.status_code, 301)
        self.assertIn(location, raised.exception.message)
        self.assertIn("set base_url", raised.exception.message)

    def test_connections_are_kept_alive(self) -> None:
        with FaultServer(GOOD) as server, Client("key", server.url) as client:
            for _ in range(5):
                client.usage()
            self.assertEqual(server.connections, 1)

    def test_connection_closed_between_calls_costs_no_retry(self) -> None:
        with FaultServer(then_close(GOOD)) as server, Client("key", server.url, max_retries=0) as client:
            for _ in range(5):
                client.usage()
                # Its earlier bytes have already arrived, and with them the end of the connection.
                server.closed.acquire(timeout=60)
            self.assertEqual(server.connections, 5)

    def test_connection_that_ends_at_the_next_request_costs_no_retry(self) -> None:
        # It looks alive until it is used.
        with FaultServer(GOOD, then_close(), GOOD) as server, Client("key", server.url, max_retries=0) as client:
            with mock.patch.object(Deadline, "pause", mock.Mock(side_effect=AssertionError)):
                client.usage()
                self.assertEqual(client.usage(), {"month": "2026-11"})
            self.assertEqual([len(server.requests), server.connections], [3, 2])

    def test_new_connection_that_ends_without_an_answer_is_a_failure(self) -> None:
        with FaultServer(GOOD, then_close()) as server, Client("key", server.url, max_retries=0) as client:
            client.usage()
            with self.assertRaises(ConnectionError):
                client.usage()
            self.assertEqual([len(server.requests), server.connections], [3, 2])

    def test_connection_that_was_idle_for_long_is_closed(self) -> None:
        with FaultServer(GOOD) as server:
            with mock.patch("outreach_forecast._network._longest_idle", 0.0), Client("key", server.url) as client:
                client.usage()
                client.usage()
            self.assertEqual(server.connections, 2)

    def test_interim_responses_are_ignored(self) -> None:
        for interim in (b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", b"HTTP/1.1 102 Processing\r\n\r\n" * 3):
            numbered = (interim + answer(200, {"n": n}) for n in (1, 2))
            with self.subTest(interim), FaultServer(*numbered) as server, Client("key", server.url) as client:
                self.assertEqual([client.usage(), client.usage()], [{"n": 1}, {"n": 2}])
                self.assertEqual(server.connections, 1)

    def test_answer_that_changes_the_protocol_is_refused(self) -> None:
        self.fails_with(InvalidResponseError, b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n" + GOOD)

    def test_answer_that_is_compressed_is_read(self) -> None:
        body = gzip.compress(b'{"a": 1}')
        head = f"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: {len(body)}\r\n\r\n".encode()
        with FaultServer(head + body) as server, Client("key", server.url) as client:
            self.assertEqual(client.usage(), {"a": 1})
        self.fails_with(InvalidResponseError, answer(200, "\x1f", {"content-encoding": "gzip"}))

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork")
    def test_forked_process_has_connections_of_its_own(self) -> None:
        program = """if True:
            import os, sys
            from outreach_forecast import Client
            client = Client("key", sys.argv[1])
            client.usage()
            child = os.fork()
            client.usage()
            if child == 0:
                os._exit(0)
            sys.exit(os.waitpid(child, 0)[1])
        """
        with FaultServer(GOOD) as server:
            subprocess.run([sys.executable, "-c", program, server.url], check=True, timeout=300)
            self.assertEqual([len(server.requests), server.connections], [3, 2])

    def test_client_that_is_closed_during_a_call_keeps_no_connection(self) -> None:
        asked, closed = threading.Event(), threading.Event()

        def wait(sock: socket.socket) -> bool:
            asked.set()
            closed.wait(10)
            sock.sendall(GOOD)
            return True

        with FaultServer(wait) as server, ThreadPoolExecutor(1) as pool, Client("key", server.url) as client:
            call = pool.submit(client.usage)
            asked.wait(10)
            client.close()
            closed.set()
            self.assertEqual(call.result(), {"month": "2026-11"})
            self.assertTrue(server.closed.acquire(timeout=60))

    def test_client_that_is_closed_says_so(self) -> None:
        client = Client("key")
        client.close()
        with self.assertRaisesRegex(RuntimeError, "closed"):
            client.usage()


@contextlib.contextmanager
def full(host: str = "127.0.0.1", port: int = 0) -> Generator[tuple[str, int], None, None]:
    """The address of a server whose queue is full, which does not respond to connections."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind((host, port))
        listener.listen(0)
        for _ in range(4):
            sock = stack.enter_context(socket.socket())
            sock.setblocking(False)
            sock.connect_ex(listener.getsockname())
        yield listener.getsockname()


class Deadlines(unittest.TestCase):
    """Without a deadline for the whole call, each of these would never end."""

    def times_out(self, fault: Fault) -> None:
        with FaultServer(fault) as server, Client("key", server.url, timeout=0.2) as client:
            started = time.monotonic()
            with self.assertRaises(TimeoutError):
                client.usage()
            self.assertLess(time.monotonic() - started, 9)
            self.assertLessEqual(len(server.requests), 1)

    def test_silence(self) -> None:
        self.times_out(silence)

    def test_first_line_that_drips(self) -> None:
        self.times_out(drip(b"HTTP/1.1 200 ", b"O"))

    def test_head_that_drips(self) -> None:
        self.times_out(drip(b"HTTP/1.1 200 OK\r\n", b"name: value\r\n"))

    def test_early_answers_that_drip(self) -> None:
        self.times_out(drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n"))
        self.times_out(drip(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"))

    def test_body_that_drips(self) -> None:
        self.times_out(drip(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n", b" "))

    def test_chunks_that_drip(self) -> None:
        self.times_out(drip(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", b"1\r\n \r\n"))

    def test_server_that_takes_no_connection(self) -> None:
        with full() as address, Client("key", f"http://127.0.0.1:{address[1]}", timeout=0.2) as client:
            with self.assertRaises(TimeoutError):
                client.usage()

    def test_address_that_fails_leaves_time_for_the_next(self) -> None:
        real = socket.getaddrinfo

        def look_up(host: str, port: int, *rest: Any, **options: Any) -> list[Any]:
            if host != "forecast.invalid":
                return real(host, port, *rest, **options)
            # An IPv6 address on a system without it, then a dead one, then one that works.
            places = (("::1", port, 0, 0), ("127.0.0.2", port), ("127.0.0.1", port))
            return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", place) for place in places]

        with FaultServer(GOOD) as server, full("127.0.0.2", server.port):
            with mock.patch.object(socket, "getaddrinfo", look_up):
                with Client("key", f"http://forecast.invalid:{server.port}", timeout=4) as client:
                    client.usage()

    def test_resolver_that_does_not_answer(self) -> None:
        end = threading.Event()

        def look_up(*_: object, **__: object) -> None:
            end.wait(30)
            raise socket.gaierror

        with mock.patch.object(socket, "getaddrinfo", look_up):
            with Client("key", "http://forecast.invalid", timeout=0.2) as client, self.assertRaises(TimeoutError):
                client.usage()
            end.set()
