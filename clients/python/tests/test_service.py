"""Every method and every error against the real service."""

from __future__ import annotations

import json
import unittest
from decimal import Decimal
from typing import Any, cast

import outreach_forecast
from outreach_forecast import (
    APIError,
    AuthenticationError,
    BadRequestError,
    Campaign,
    Client,
    PermissionDeniedError,
    RateLimitError,
    SoFar,
    UsageExhaustedError,
)

from .support.service import KEYS, URL, credits_left, plain_sample, sample


class Methods(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client(KEYS["usable"], URL)
        self.addCleanup(self.client.close)

    def test_forecast_is_a_dictionary_with_the_figures_of_the_specification(self) -> None:
        forecast = self.client.forecast(**plain_sample())
        self.assertIs(type(forecast), dict)
        self.assertEqual(json.loads(json.dumps(forecast)), forecast)
        self.assertEqual(
            [forecast["estimated_clients"], forecast["estimated_revenue"], forecast["roi_multiple"]],
            [3.75, 9375, 15.6],
        )
        self.assertEqual(forecast["performance_grade"], "strong")

    def test_what_cannot_be_computed_is_none(self) -> None:
        forecast = self.client.forecast(
            emails_sent=5000, reply_rate=5, positive_reply_rate=30, meeting_booking_rate=20, close_rate=25
        )
        self.assertIsNone(forecast["estimated_revenue"])
        self.assertIsNone(forecast["cost_per_reply"])

    def test_legacy_forecast_has_score_and_risk(self) -> None:
        forecast = self.client.legacy_roi(**sample())
        self.assertIn(forecast["risk_level"], ("low", "medium", "high"))
        self.assertTrue(0 <= forecast["campaign_score"] <= 100)

    def test_goal_is_solved_for_one_credit(self) -> None:
        before = credits_left()
        answer = self.client.goal(**sample(), goal={"clients": 4, "chance": Decimal("0.8")}, idempotency_key="goal-1")
        self.assertEqual(answer["goal"], {"clients": 4, "chance": 0.8})
        self.assertEqual(answer["needed"]["emails_sent"], {"current": 5000, "needed": 11944, "factor": 2.3888})
        again = self.client.goal(**sample(), goal={"clients": 4, "chance": 0.8}, idempotency_key="goal-1")
        self.assertEqual([again, credits_left()], [answer, before - 1])

    def test_campaign_in_flight_is_forecast_for_one_credit(self) -> None:
        before = credits_left()
        so_far: SoFar = {"emails_sent": 2000, "replies": 62, "positive_replies": 14, "meetings": 4, "clients": 1}
        answer = self.client.progress(
            sample(), so_far=so_far, open={"replies": 7, "positive_replies": 4, "meetings": 2}, idempotency_key="week-7"
        )
        self.assertEqual(answer["end"]["clients"]["expected"], 5.0049)
        self.assertEqual(answer["if_you_send"][-1]["emails"], 3000)
        past = [{"emails_sent": 900, "replies": 30}]
        learned = self.client.progress({**sample(), "history": iter(past)}, so_far=so_far, emails_left=0)
        self.assertEqual([each["emails"] for each in learned["if_you_send"]], [0])
        self.assertEqual(credits_left(), before - 2)
        with self.assertRaises(BadRequestError) as refused:
            self.client.progress(sample(), so_far={**so_far, "clients": 5})
        self.assertEqual([error["pointer"] for error in refused.exception.errors], ["/so_far/clients"])

    def test_goal_with_two_aims_is_refused(self) -> None:
        with self.assertRaises(BadRequestError) as refused:
            self.client.goal(**sample(), goal={"clients": 4, "revenue": 10_000, "chance": 1})
        pointers = [error["pointer"] for error in refused.exception.errors]
        self.assertEqual(pointers, ["/goal/chance", "/goal"])

    def test_benchmarks_refer_to_rows_and_cost_nothing(self) -> None:
        before = credits_left()
        benchmarks = self.client.benchmarks()
        rows = {row["row"] for row in benchmarks["rows"]}
        for reference in benchmarks["references"]:
            self.assertTrue(rows.issuperset(reference["rows"]), reference["because"])
        self.assertEqual(credits_left(), before)

    def test_forecast_costs_one_credit_and_reading_costs_none(self) -> None:
        before = credits_left()
        after = self.client.forecast(**plain_sample())["usage"]["credits_remaining"]
        self.client.credit_packs()
        next(iter(self.client.ledger()))
        self.assertEqual([after, credits_left()], [before - 1, before - 1])

    def test_many_campaigns_cost_one_credit_each_or_nothing(self) -> None:
        before = credits_left()
        named: Any = {"name": "A", **sample()}
        campaigns: list[Campaign] = [named, cast(Any, sample(campaign_cost=Decimal("600.5")))]
        answer = self.client.forecasts(iter(campaigns), idempotency_key="many")
        self.assertEqual(self.client.forecasts(campaigns, idempotency_key="many"), answer)
        self.assertEqual([forecast["name"] for forecast in answer["forecasts"]], ["A", None])
        self.assertEqual([answer["ranking"]["order"], answer["totals"]["campaign_cost"]], [["A", 1], 1200.5])
        self.assertEqual([answer["usage"]["credits_remaining"], credits_left()], [before - 2, before - 2])
        with self.assertRaises(BadRequestError) as refused:
            self.client.forecasts([*campaigns, cast(Any, sample(reply_rate=101))])
        self.assertEqual(refused.exception.errors[0]["pointer"], "/campaigns/2/reply_rate")
        self.assertEqual(credits_left(), before - 2)

    def test_campaigns_of_one_sender_or_of_different_clients(self) -> None:
        shared, apart = (
            self.client.forecasts([sample(), sample()], independent=independent)["calculation_notes"][-1]
            for independent in (None, True)
        )
        self.assertIn("taken as one sender's", shared)
        self.assertIn("taken as those of different clients", apart)

    def test_ledger_goes_through_all_pages(self) -> None:
        for _ in range(201):
            self.client.forecast(**sample())
        entries = list(self.client.ledger())
        self.assertGreater(len(entries), 201)
        # A page that is left out or given twice would break the chain of balances.
        for newer, older in zip(entries, entries[1:]):
            self.assertEqual(newer["balance_after"], older["balance_after"] + newer["delta"])
        self.assertEqual(entries[-1]["balance_after"], entries[-1]["delta"])

    def test_sub_key_from_its_creation_to_its_end(self) -> None:
        made = self.client.create_sub_key(name="Python", monthly_limit=1)
        id = made["sub_key_id"]
        with Client(made["api_key"], URL) as program:
            usage = program.forecast(**plain_sample())["usage"]
            self.assertEqual(usage.get("sub_key_credits_remaining"), 0)
            with self.assertRaises(RateLimitError) as refused:
                program.forecast(**sample())
            self.assertEqual(refused.exception.code, "sub_key_limit_reached")
            self.assertEqual(program.usage_by("sub_key")["rows"], [{"sub_key_id": id, "name": "Python", "requests": 1}])
            self.assertIsNone(self.client.change_sub_key(id, name="Py", remove_limit=True)["monthly_limit"])
            self.assertEqual(self.client.change_sub_key(id, monthly_limit=5)["name"], "Py")
            with Client(self.client.rotate_sub_key(id, grace_hours=0)["api_key"], URL) as replaced:
                replaced.forecast(**sample())
                self.assertEqual(self.client.sub_key(id)["requests"], 2)
                self.assertIsNone(self.client.revoke_sub_key(id))
                with self.assertRaises(AuthenticationError):
                    replaced.usage()
        self.assertEqual([each["state"] for each in self.client.sub_keys()["sub_keys"] if each["sub_key_id"] == id], ["revoked"])
        self.assertEqual(self.client.usage_by("day", month="2020-01")["rows"], [])

    def test_same_idempotency_key_gets_the_same_answer_for_no_credit(self) -> None:
        first = self.client.forecast(**plain_sample(), idempotency_key="campaign-17")
        before = credits_left()
        self.assertEqual(self.client.forecast(**sample(), idempotency_key="campaign-17"), first)
        self.assertEqual(credits_left(), before)

    def test_every_spelling_of_a_decimal_is_understood(self) -> None:
        for text in ("6E+2", "0.6E3", "600.0", "60000E-2", "6e2"):
            with self.subTest(text):
                plan = plain_sample()
                del plan["campaign_cost"]
                forecast = self.client.forecast(**plan, campaign_cost=Decimal(text))
                self.assertEqual(forecast["roi_multiple"], 15.6)
        self.assertEqual(self.client.forecast(**sample(campaign_cost=Decimal("-0E+3")))["cost_per_reply"], 0)

    def test_integers_of_other_libraries_are_integers(self) -> None:
        class Integer:
            def __index__(self) -> int:
                return 5000

        self.assertEqual(self.client.forecast(**sample(emails_sent=Integer()))["estimated_clients"], 3.75)


class Errors(unittest.TestCase):
    def fails(self, key: str, **changes: Any) -> APIError:
        with Client(key, URL) as client, self.assertRaises(APIError) as raised:
            client.forecast(**sample(**changes))
        error = raised.exception
        # The request ID for the operator, and the advice for the reader.
        self.assertRegex(error.request_id or "", r"^[0-9a-f-]{36}$")
        self.assertIn(error.message, str(error))
        self.assertEqual(error.body["message"], error.message)
        self.assertFalse(error.retryable)
        return error

    def test_400_lists_everything_that_is_wrong(self) -> None:
        error = self.fails(KEYS["usable"], reply_rate=500, close_rate="25", emails_sent=True)
        self.assertIs(type(error), BadRequestError)
        self.assertEqual([error.status_code, error.code], [400, "invalid_input"])
        self.assertEqual(
            sorted((field["pointer"], field["code"]) for field in error.errors),
            [("/close_rate", "wrong_type"), ("/emails_sent", "wrong_type"), ("/reply_rate", "out_of_range")],
        )

    def test_401_unknown_and_revoked_keys(self) -> None:
        for key, code in (("wrong", "invalid_key"), (KEYS["revoked"], "key_revoked")):
            error = self.fails(key)
            self.assertIs(type(error), AuthenticationError)
            self.assertEqual([error.status_code, error.code], [401, code])

    def test_403_inactive_plan(self) -> None:
        error = self.fails(KEYS["inactive"])
        self.assertIs(type(error), PermissionDeniedError)
        self.assertEqual([error.status_code, error.code], [403, "plan_inactive"])

    def test_429_without_credits_is_not_a_rate_limit(self) -> None:
        error = self.fails(KEYS["exhausted"])
        self.assertIs(type(error), UsageExhaustedError)
        self.assertNotIsInstance(error, RateLimitError)
        self.assertEqual([error.status_code, error.code, error.retry_after], [429, "usage_exhausted", None])

    def test_422_idempotency_key_of_another_request(self) -> None:
        with Client(KEYS["usable"], URL) as client:
            client.forecast(**sample(), idempotency_key="campaign-18")
        error = self.fails(KEYS["usable"], idempotency_key="campaign-18", reply_rate=6)
        self.assertEqual([type(error), error.status_code, error.code], [APIError, 422, "idempotency_mismatch"])


class Rotation(unittest.TestCase):
    def test_new_key_works_and_old_one_within_its_grace(self) -> None:
        with Client(KEYS["rotated"], URL) as old:
            rotated = old.rotate_key(grace_hours=1)
            with Client(rotated["api_key"], URL) as new:
                self.assertEqual(new.usage().get("credits_granted"), old.usage().get("credits_granted"))
            self.assertIn("old_key_valid_until", old.rotate_key())

    def test_without_grace_the_old_key_ends(self) -> None:
        with Client(KEYS["replaced"], URL) as old:
            with Client(old.rotate_key(grace_hours=0)["api_key"], URL) as new:
                new.usage()
            with self.assertRaises(AuthenticationError):
                old.usage()


class Kept(unittest.TestCase):
    def test_campaign_can_be_kept_and_passed_on(self) -> None:
        campaign: outreach_forecast.ForecastRequest = {
            "emails_sent": 5000,
            "reply_rate": 5,
            "positive_reply_rate": 30,
            "meeting_booking_rate": 20,
            "close_rate": 25,
        }
        with Client(KEYS["usable"], URL) as client:
            self.assertEqual(client.forecast(**campaign)["estimated_clients"], 3.75)

    def test_campaign_with_a_history(self) -> None:
        campaign: outreach_forecast.ForecastRequest = {
            "emails_sent": 5000,
            "reply_rate": 5,
            "positive_reply_rate": 30,
            "meeting_booking_rate": 20,
            "close_rate": 25,
            "delivery_rate": 95,
            "show_rate": 80,
            "emails_per_contact": 2,
            "history": [{"emails_sent": 3200, "meetings_held": 4, "clients": Decimal(3)}],
        }
        with Client(KEYS["usable"], URL) as client:
            self.assertEqual(client.forecast(**campaign)["outlook"]["rates"]["close_rate"]["basis"], "history")
            campaign["history"] = [{"emails_sent": 3200, "meetings_held": 4, "clients": 5}]
            with self.assertRaises(BadRequestError) as refused:
                client.forecast(**campaign)
        self.assertEqual(refused.exception.errors[0]["pointer"], "/history/0/clients")
