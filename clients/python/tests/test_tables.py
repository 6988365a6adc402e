"""Campaigns and past campaigns from DataFrames and other tables."""

# pandas is only partly typed.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import unittest
from typing import Any
from uuid import UUID

import numpy
import pandas

from outreach_forecast import BadRequestError, Client, InvalidArgumentError

from .support.service import KEYS, URL, sample


class Tables(unittest.TestCase):
    frame = pandas.DataFrame(
        {
            "name": ["A", "B"],
            "emails_sent": [5000, 2000],
            "reply_rate": [5.0, 6.5],
            "positive_reply_rate": [30, 30],
            "meeting_booking_rate": [20, 20],
            "close_rate": [25, 25],
            "average_deal_value": [2500, None],
            "campaign_cost": [600, float("nan")],
        }
    )

    def setUp(self) -> None:
        self.client = Client(KEYS["usable"], URL)
        self.addCleanup(self.client.close)

    def test_rows_become_campaigns(self) -> None:
        answer = self.client.forecasts(self.frame)
        figures = [(each["name"], each["estimated_clients"], each["estimated_revenue"]) for each in answer["forecasts"]]
        self.assertEqual(figures, [("A", 3.75, 9375), ("B", 1.95, None)])

    def test_other_types_of_columns_and_missing_values(self) -> None:
        for kind in ("Int64", "Float64", "object"):
            columns = {"emails_sent": kind, "average_deal_value": kind, "campaign_cost": kind}
            answer = self.client.forecasts(self.frame.astype(columns))
            self.assertEqual(answer["totals"]["estimated_clients"], 5.7)

    def test_row_by_row(self) -> None:
        revenues = [self.client.forecast(**row)["estimated_revenue"] for row in self.records()]
        self.assertEqual(revenues, [9375, None])
        rows: Any = [row for _, row in self.frame.iterrows()]
        self.assertEqual(self.client.forecasts(rows)["totals"]["estimated_clients"], 5.7)

    def test_scalars_of_numpy(self) -> None:
        campaign: dict[str, Any] = {
            **sample(emails_sent=numpy.int32(5000), reply_rate=numpy.float32(5), close_rate=numpy.int64(25)),
            "campaign_cost": numpy.float32("nan"),
        }
        forecast = self.client.forecast(**campaign)
        self.assertEqual([forecast["estimated_clients"], forecast["roi_multiple"]], [3.75, None])
        campaign["close_rate"] = numpy.True_
        with self.assertRaises(BadRequestError) as refused:
            self.client.forecast(**campaign)
        self.assertEqual([error["code"] for error in refused.exception.errors], ["wrong_type"])

    def test_a_polars_dataframe_works_alike(self) -> None:
        rows: list[Any] = self.frame.to_dict("records")

        class Polars:
            columns = ("name",)

            def to_dicts(self) -> list[Any]:
                return rows

        self.assertEqual(self.client.forecasts(Polars())["totals"]["estimated_clients"], 5.7)

    def test_a_history_is_a_dataframe_or_its_rows(self) -> None:
        past = pandas.DataFrame(
            {
                "name": ["March", "April"],
                "emails_sent": [3200, 2500],
                "replies": [61, 20],
                "positive_replies": [19.0, None],
            }
        )
        campaign = self.records()[0]
        rows: list[Any] = past.to_dict("records")
        for history in (past, rows):
            rates = self.client.forecast(**campaign, history=history)["outlook"]["rates"]
            learned = [rates["reply_rate"]["basis"], rates["positive_reply_rate"]["basis"]]
            self.assertEqual([*learned, rates["close_rate"]["basis"]], ["history", "history", "as_given"])
        needed = self.client.goal(**campaign, goal={"clients": 4, "chance": 0.8}, history=past)["needed"]
        self.assertEqual(list(needed), ["emails_sent"])
        many = self.client.forecasts([campaign, sample(reply_rate=2)], history=past)
        bases = [forecast["outlook"]["rates"]["reply_rate"]["basis"] for forecast in many["forecasts"]]
        self.assertEqual([*bases, many["track_record"]], ["history", "history", None])
        with self.assertRaises(BadRequestError) as refused:
            self.client.forecast(**campaign, history=past.assign(replies=[61, 2501]))
        self.assertEqual([error["pointer"] for error in refused.exception.errors], ["/history/1/replies"])
        with self.assertRaises(InvalidArgumentError):
            self.client.forecast(**campaign, history=5)

    def test_errors_say_which_row(self) -> None:
        wrong = self.frame.assign(reply_rate=[5, None], close_rate=[25, 250])
        with self.assertRaises(BadRequestError) as refused:
            self.client.forecasts(wrong)
        self.assertEqual(
            sorted((error["pointer"], error["code"]) for error in refused.exception.errors),
            [("/campaigns/1/close_rate", "out_of_range"), ("/campaigns/1/reply_rate", "required")],
        )

    def test_a_column_that_names_the_campaigns_is_called_name(self) -> None:
        nameless = self.frame.drop(columns="name")
        for column in ("Campaign", "CAMPAIGN", "campaign_name", "Campaign ID", "Company", "Subject", "title"):
            message = f"campaigns cannot be sent: Column '{column}' is not a field; "
            with self.assertRaises(InvalidArgumentError) as refused:
                self.client.forecasts(nameless.assign(**{column: ["A", "B"]}))
            self.assertEqual(str(refused.exception), f"{message}did you mean 'name'?")
            with self.assertRaises(InvalidArgumentError) as refused:
                self.client.forecasts(self.frame.assign(**{column: ["A", "B"]}))
            self.assertEqual(str(refused.exception), f"{message}leave it out, as with drop.")
        with self.assertRaises(InvalidArgumentError) as refused:
            self.client.forecasts(nameless.assign(Campaign=["A", "B"], Subject=["Hi", "Hello"]))
        self.assertEqual(
            str(refused.exception),
            "campaigns cannot be sent: Column 'Campaign' is not a field; did you mean 'name'?"
            " Column 'Subject' is not a field; leave it out, as with drop.",
        )

    def test_a_wrong_column_is_one_error(self) -> None:
        frame = self.frame.assign(close_rate=["25%", "20%"], owner=["Ada", "Bo"])
        wrong = frame.rename(columns={"reply_rate": "reply_rates"}).drop(columns="emails_sent")
        with self.assertRaises(InvalidArgumentError) as refused:
            self.client.forecasts(wrong)
        self.assertEqual(
            str(refused.exception),
            "campaigns cannot be sent: Column 'reply_rates' is not a field; did you mean 'reply_rate'?"
            " Column 'close_rate' has text, such as '25%'; it must have numbers."
            " Column 'owner' is not a field; leave it out, as with drop."
            " Column 'emails_sent' is missing. Column 'reply_rate' is missing.",
        )
        with self.assertRaises(InvalidArgumentError) as refused:
            self.client.forecast(**self.records()[0], history=pandas.DataFrame({"emails_sent": [100], "reply": [5]}))
        self.assertEqual(
            str(refused.exception), "history cannot be sent: Column 'reply' is not a field; did you mean 'replies'?"
        )
        camel = self.frame.rename(columns={"emails_sent": "emailsSent"})
        self.assertEqual(len(self.client.forecasts(camel)["forecasts"]), 2)

    def test_a_column_that_is_there_twice_is_refused(self) -> None:
        joined = pandas.concat([self.frame, self.frame[["reply_rate"]] * 2], axis=1)
        message = r"^campaigns cannot be sent: Column 'reply_rate' is there more than once; keep one of them\.$"
        with self.assertRaisesRegex(InvalidArgumentError, message):
            self.client.forecasts(joined)

    def test_names_in_the_index_are_kept(self) -> None:
        for axis in ("name", "campaign", None):
            named = self.frame.set_index("name").rename_axis(axis)
            self.assertEqual([each["name"] for each in self.client.forecasts(named)["forecasts"]], ["A", "B"])

    def test_names_in_a_level_of_the_index_are_kept(self) -> None:
        numbers = self.frame.drop(columns="name").assign(name=["A", "B"], client=["one", "two"])
        both = numbers.set_index(["name", "client"])
        self.assertEqual([each["name"] for each in self.client.forecasts(both)["forecasts"]], ["A", "B"])

    def test_names_may_be_dates_and_identifiers(self) -> None:
        identifier = UUID("8f14e45f-ceea-467f-a9e7-2b1a1c4b5d6e")
        names = [pandas.Timestamp("2026-05-01"), identifier]
        dated = self.frame.assign(name=pandas.Series(names, dtype=object))
        found = [each["name"] for each in self.client.forecasts(dated)["forecasts"]]
        self.assertEqual(found, ["2026-05-01", str(identifier)])
        by_day = self.frame.assign(name=pandas.to_datetime(["2026-05-01", "2026-06-01"])).set_index("name")
        found = [each["name"] for each in self.client.forecasts(by_day)["forecasts"]]
        self.assertEqual(found, ["2026-05-01", "2026-06-01"])

    def test_lazy_and_other_tables(self) -> None:
        rows: list[Any] = self.frame.to_dict("records")

        class Frame:
            columns = ("name",)

            def to_dicts(self) -> list[Any]:
                return rows

        class Lazy:
            @property
            def columns(self) -> Any:
                raise AssertionError("computes the columns, with a warning")

            def collect(self) -> Frame:
                return Frame()

        class Arrow:
            columns = ((),)

            def to_pylist(self) -> list[Any]:
                return rows

        class Relation:
            columns = ("name",)

        for table in (Lazy(), Arrow()):
            self.assertEqual(self.client.forecasts(table)["totals"]["estimated_clients"], 5.7)
        with self.assertRaises(InvalidArgumentError) as refused:
            self.client.forecasts(Relation())
        self.assertEqual(
            str(refused.exception),
            "campaigns is a Relation, which cannot be read: convert it to a pandas or Polars DataFrame.",
        )

    def records(self) -> list[dict[str, Any]]:
        records: list[Any] = self.frame.drop(columns="name").to_dict("records")
        return records
