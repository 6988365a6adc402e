"""The settings of a client, and what is refused before anything is sent."""

from __future__ import annotations

import inspect
import os
import re
import unittest
from decimal import Decimal
from fractions import Fraction
from typing import Any
from typing import get_type_hints as hints
from unittest import mock

from outreach_forecast import AsyncClient, Client, ForecastRequest, InvalidArgumentError

from .support.faults import FaultServer
from .support.messages import answer
from .support.service import sample


class Settings(unittest.TestCase):
    def test_missing_key_names_the_variable_to_set(self) -> None:
        for kind in (Client, AsyncClient):
            for environment in ({}, {"SERVICE_API_KEY": ""}):
                with mock.patch.dict(os.environ, environment, clear=True):
                    with self.assertRaisesRegex(ValueError, "SERVICE_API_KEY"):
                        kind()
            with self.assertRaisesRegex(ValueError, "SERVICE_API_KEY"):
                kind("")

    def test_key_is_read_from_the_environment_unless_it_is_given(self) -> None:
        with FaultServer(answer(200)) as server, mock.patch.dict(os.environ, {"SERVICE_API_KEY": "from-environment"}):
            with Client(base_url=server.url) as client:
                client.usage()
            with Client("given", server.url) as client:
                client.usage()
        self.assertEqual(
            [request.header("x-api-key") for request in server.requests],
            ["from-environment", "given"],
        )

    def test_defaults_are_those_of_the_specification(self) -> None:
        with mock.patch.dict(os.environ, clear=True):
            self.assertEqual(repr(Client("key")), "Client(base_url='http://127.0.0.1:3000', timeout=10, max_retries=2)")

    def test_key_that_could_end_a_header_is_refused_and_not_shown(self) -> None:
        for key in ("ofk\r\nx-admin: 1", "ofk\n", " ofk", "ofk ofk", "ofk\x00", "ofk\x7f", "ofk\u2028", "öfk"):
            with self.subTest(key), self.assertRaises(ValueError) as raised:
                Client(key)
            self.assertNotIn("fk", str(raised.exception))

    def test_idempotency_key_that_could_end_a_header_is_refused(self) -> None:
        with FaultServer(answer(200)) as server, Client("key", server.url) as client:
            for key in ("a\r\nx-admin: 1", "a\n", "", " ", "a b", "ä", "a" * 256):
                with self.subTest(key), self.assertRaisesRegex(ValueError, "idempotency_key"):
                    client.forecast(**sample(), idempotency_key=key)
            self.assertEqual(server.requests, [])

    def test_base_url_is_a_plain_address(self) -> None:
        for url in (
            "",
            "forecast.example",
            "ftp://forecast.example",
            "file:///etc/passwd",
            "https://",
            "https://user:password@forecast.example",
            "https://forecast.example?a=1",
            "https://forecast.example?",
            "https://forecast.example#a",
            "https://forecast.example/a b",
            "https://forecast.example\r\nx-admin: 1",
            "https://forecast.example\n",
            " https://forecast.example",
            "https://forecast.example:port",
            "https://forecast.example:99999",
            "https://a..b",
            "https://[::1",
            "https://forecast.example\\@evil.example",
            "https://förecast.example",
            "https://forecast.example/api/v1",
            "https://forecast.example/prefix/api/v1/",
        ):
            with self.subTest(url), self.assertRaisesRegex(ValueError, "base_url") as raised:
                Client("key", url)
            self.assertNotIn("password", str(raised.exception))

    def test_base_url_may_have_a_path_and_a_slash_at_its_end(self) -> None:
        with FaultServer(answer(200)) as server:
            for url in (server.url, f"{server.url}/", f"{server.url}/prefix", f"{server.url}/prefix/"):
                with Client("key", url) as client:
                    client.usage()
        lines = [request.first_line for request in server.requests]
        self.assertEqual(lines, ["GET /api/v1/usage HTTP/1.1"] * 2 + ["GET /prefix/api/v1/usage HTTP/1.1"] * 2)

    def test_invalid_timeout_and_retries_are_refused(self) -> None:
        timeouts: list[Any] = [0, -1, float("nan"), float("inf"), 601, 20_000, None, "10"]
        for timeout in timeouts:
            with self.subTest(timeout), self.assertRaisesRegex(ValueError, "timeout"):
                Client("key", timeout=timeout)
        # The last of 1.5 retries would never be sent.
        all_retries: list[Any] = [-1, 1.5, float("nan"), None]
        for max_retries in all_retries:
            with self.subTest(max_retries), self.assertRaisesRegex(ValueError, "max_retries"):
                Client("key", max_retries=max_retries)
        kinds: list[Any] = [b"key", 7]
        for key in kinds:
            with self.assertRaisesRegex(ValueError, "API key must be a str") as raised:
                Client(key)
            self.assertNotIn("key'", str(raised.exception))
        nowhere: Any = 3000
        with self.assertRaisesRegex(ValueError, "base_url"):
            Client("key", nowhere)

    def test_number_of_an_unknown_type_is_named(self) -> None:
        with Client("key") as client, self.assertRaisesRegex(TypeError, "campaign_cost must be .* not Fraction"):
            client.forecast(**sample(campaign_cost=Fraction(1, 3)))

    def test_longest_timeout(self) -> None:
        with FaultServer(answer(200)) as server, Client("key", server.url, timeout=600) as client:
            client.usage()

    def test_numbers_that_are_not_finite_are_refused(self) -> None:
        numbers: list[Any] = [float("inf"), float("-inf"), Decimal("-Infinity")]
        with FaultServer(answer(200)) as server, Client("key", server.url) as client:
            for number in numbers:
                with self.subTest(number), self.assertRaisesRegex(ValueError, "campaign_cost must be a finite number"):
                    client.forecast(**sample(campaign_cost=number))
            self.assertEqual(server.requests, [])

    def test_error_names_the_campaign(self) -> None:
        client: Any = Client("key")
        with self.assertRaisesRegex(
            InvalidArgumentError, r"^campaigns\[1\]\.close_rate must be a finite"
        ):
            client.forecasts([sample(), sample(close_rate=float("inf"))])
        for nonsense in (sample(), None, 7, ["emails_sent"], [7], "campaigns"):
            with (
                self.subTest(nonsense),
                self.assertRaisesRegex(InvalidArgumentError, "a list of dictionaries, or a Data"),
            ):
                client.forecasts(nonsense)

    def test_none_and_nan_are_left_out(self) -> None:
        with FaultServer(answer(200)) as server, Client("key", server.url) as client:
            for nothing in (None, float("nan"), Decimal("NaN"), Decimal("sNaN")):
                client.forecast(**sample(average_deal_value=nothing, campaign_cost=nothing, show_rate=nothing))
                client.forecasts([sample(name=nothing, average_deal_value=nothing, campaign_cost=nothing)])
        one = (
            '{"emails_sent": 5000, "reply_rate": 5, "positive_reply_rate": 30, "meeting_booking_rate": 20, '
            '"close_rate": 25}'
        )
        bodies = [request.body.decode() for request in server.requests]
        self.assertEqual(bodies, [one, f'{{"campaigns": [{one}]}}'] * 4)

    def test_missing_and_wrong_arguments_are_named(self) -> None:
        client: Any = Client("key")
        arguments = sample()
        del arguments["close_rate"]
        with self.assertRaisesRegex(TypeError, "missing a required argument: 'close_rate'"):
            client.forecast(**arguments)
        with self.assertRaisesRegex(InvalidArgumentError, "idempotency_key must be"):
            client.forecast(**sample(), idempotency_key=7)
        for method in (Client.forecast, AsyncClient.forecast, client.forecast):
            parameters = inspect.signature(method).parameters
            self.assertEqual(list(parameters), [*hints(ForecastRequest), "minimal", "idempotency_key"])
            self.assertIs(parameters["emails_sent"].default, inspect.Parameter.empty)
            self.assertIsNone(parameters["show_rate"].default)

    def test_misspelled_argument_is_refused(self) -> None:
        arguments: dict[str, Any] = sample(avg_deal_value=2500)
        said = re.escape("forecast() has no argument 'avg_deal_value'; did you mean 'average_deal_value'?")
        with Client("key") as client, self.assertRaisesRegex(TypeError, said):
            client.forecast(**arguments)

    def test_dictionary_in_place_of_named_arguments_is_explained(self) -> None:
        client: Any = Client("key")
        said = re.escape("forecast() takes named arguments: unpack a dictionary, as in forecast(**plan).")
        with self.assertRaisesRegex(TypeError, said):
            client.forecast(sample())

    def test_named_arguments_in_place_of_a_plan_are_explained(self) -> None:
        client: Any = Client("key")
        said = re.escape("progress() takes the plan as one dictionary, as in progress(plan, so_far=…).")
        with self.assertRaisesRegex(TypeError, said):
            client.progress(**sample(), so_far={})

    def test_numbers_are_sent_as_floats_and_integers(self) -> None:
        with FaultServer(answer(200)) as server, Client("key", server.url) as client:
            client.forecast(**sample(emails_sent=True, reply_rate=Decimal("5.10"), close_rate=0.1, campaign_cost=None))
        self.assertEqual(
            server.requests[0].body.decode(),
            '{"emails_sent": true, "reply_rate": 5.1, "positive_reply_rate": 30, "meeting_booking_rate": 20, '
            '"close_rate": 0.1, "average_deal_value": 2500}',
        )
