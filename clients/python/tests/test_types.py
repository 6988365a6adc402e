"""Code that type checkers must accept or refuse: `npm run check` checks this file, and the tests run it."""

from __future__ import annotations

import typing
import unittest
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Optional, Union

import outreach_forecast
from outreach_forecast import AsyncClient, Campaign, Client, ForecastRequest, types

from .support.service import KEYS, URL

if TYPE_CHECKING:
    from typing_extensions import assert_type

    from outreach_forecast import (
        Benchmark,
        CampaignForecast,
        CampaignsAnswer,
        ForecastAnswer,
        GoalAnswer,
        KeyUsage,
        MinimalForecast,
        NeededInput,
        Usage,
        UsageTable,
    )

PLAIN: dict[str, float] = {
    "emails_sent": 5000,
    "reply_rate": 5,
    "positive_reply_rate": 30,
    "meeting_booking_rate": 20,
    "close_rate": 25,
}


class Types(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client(KEYS["usable"], URL)
        self.addCleanup(self.client.close)

    def test_plain_dictionaries_of_numbers(self) -> None:
        whole = {name: int(number) for name, number in PLAIN.items()}
        exact = {name: Decimal(number) for name, number in PLAIN.items()}
        for forecast in (
            self.client.forecast(**PLAIN),
            self.client.forecast(**PLAIN, idempotency_key="types"),
            self.client.forecast(**whole),
            self.client.forecast(**exact),
            self.client.legacy_roi(**PLAIN),
        ):
            self.assertEqual(forecast["estimated_clients"], 3.75)
        self.client.goal(**PLAIN, goal={"clients": 4})
        self.assertEqual(len(self.client.forecasts([PLAIN, {"name": "A", **whole}])["forecasts"]), 2)

    def test_types_are_exported_and_can_be_evaluated(self) -> None:
        for name in types.__all__:
            kind = getattr(types, name)
            self.assertIs(getattr(outreach_forecast, name), kind)
            if isinstance(kind, type):
                self.assertGreater(len(typing.get_type_hints(kind)), 0)
        self.assertIn("from", typing.get_type_hints(types.BenchmarkReference))

    def test_requests_that_are_kept(self) -> None:
        request: ForecastRequest = {
            "emails_sent": 5000,
            "reply_rate": 5,
            "positive_reply_rate": 30,
            "meeting_booking_rate": 20,
            "close_rate": 25,
            "history": [{"emails_sent": 3200, "replies": 61}],
        }
        campaign: Campaign = {
            "name": "A",
            "emails_sent": 5000,
            "reply_rate": 5,
            "positive_reply_rate": 30,
            "meeting_booking_rate": 20,
            "close_rate": 25,
            "spread": "none",
        }
        self.assertEqual(self.client.forecast(**request)["outlook"]["basis"], "history")
        self.assertEqual(self.client.forecasts([campaign])["forecasts"][0]["outlook"]["basis"], "as_given")

    def test_the_short_form(self) -> None:
        untyped: dict[str, Any] = {**PLAIN, "spread": "none"}
        is_minimal = bool(untyped)
        short = self.client.forecast(**PLAIN, minimal=True)
        whole = self.client.forecast(**PLAIN, minimal=False)
        untyped_short = self.client.forecast(**untyped, minimal=True)
        untyped_whole = self.client.forecast(**untyped)
        either = self.client.forecast(**PLAIN, minimal=is_minimal)
        if TYPE_CHECKING:
            assert_type(short, MinimalForecast)
            assert_type(whole, ForecastAnswer)
            assert_type(untyped_short, MinimalForecast)
            assert_type(untyped_whole, ForecastAnswer)
            assert_type(either, Union[ForecastAnswer, MinimalForecast])
        self.assertEqual(short["summary"], whole["summary"])
        self.assertNotIn("calculation_notes", short)
        self.assertIn("calculation_notes", whole)
        self.assertEqual((untyped_short["summary"], either), (untyped_whole["summary"], {**short, "usage": either["usage"]}))
        with self.assertRaisesRegex(outreach_forecast.InvalidArgumentError, "minimal must be True or False"):
            self.client.forecast(**PLAIN, minimal=1)  # type: ignore[call-overload]

    def test_answers(self) -> None:
        forecast = self.client.forecast(**PLAIN)
        legacy = self.client.legacy_roi(**PLAIN)
        goal = self.client.goal(**PLAIN, goal={"clients": 4})
        many = self.client.forecasts([PLAIN])
        rows = self.client.benchmarks()["rows"]
        if TYPE_CHECKING:
            assert_type(forecast, ForecastAnswer)
            assert_type(forecast["estimated_clients"], float)
            assert_type(forecast["estimated_revenue"], Optional[float])
            assert_type(forecast["usage"], Usage)
            assert_type(legacy["campaign_score"], int)
            assert_type(goal, GoalAnswer)
            assert_type(goal["needed"]["emails_sent"], NeededInput)
            assert_type(many, CampaignsAnswer)
            assert_type(many["forecasts"], "list[CampaignForecast]")
            assert_type(many["forecasts"][0]["name"], Optional[str])
            assert_type(rows, "list[Benchmark]")
            assert_type(self.client.usage(), KeyUsage)
            assert_type(self.client.usage_by("day"), UsageTable)
            assert_type(self.client.revoke_sub_key("id"), None)
        self.assertEqual(goal["reached"], False)

    def test_what_type_checkers_refuse(self) -> None:
        # Both checkers report an unnecessary suppression as an error.
        if TYPE_CHECKING:
            self.client.forecast(emails_sent=5000)  # type: ignore[call-overload]
            self.client.forecast()  # type: ignore[call-overload]
            self.client.forecast(**PLAIN, campain_cost=600)  # type: ignore[call-overload]
            self.client.forecast(**PLAIN, campaign_cost="600")  # type: ignore[call-overload]
            self.client.goal(**PLAIN)  # type: ignore[arg-type]
            self.client.forecast(**PLAIN)["estimated_client"]  # type: ignore[misc]
            self.client.forecast(**PLAIN)["campaign_score"]  # type: ignore[misc]


class AsyncTypes(unittest.IsolatedAsyncioTestCase):
    async def test_answers_are_to_be_awaited(self) -> None:
        async with AsyncClient(KEYS["usable"], URL) as client:
            forecast = await client.with_options(timeout=5).forecast(**PLAIN)
            if TYPE_CHECKING:
                assert_type(forecast, ForecastAnswer)
            self.assertEqual(forecast["estimated_clients"], 3.75)
