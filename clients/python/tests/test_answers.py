"""Responses: their headers, and how they become notebook cells and DataFrames."""

# pandas is only partly typed.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# Notebooks call a method with a private name.
# pyright: reportPrivateUsage=false

from __future__ import annotations

import copy
import csv
import json
import pickle
import subprocess
import sys
import unittest
import urllib.request
from html.parser import HTMLParser
from typing import Any

import numpy
import pandas

from outreach_forecast import Answer, AsyncClient, BadRequestError, Client, Forecast, InvalidArgumentError

from .support.service import KEYS, URL, sample


class _Cells(HTMLParser):
    """The texts of a table's rows."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data

    def handle_endtag(self, tag: str) -> None:
        if self.open.pop() != tag:
            raise AssertionError(f"{tag} is not open")


class Answers(unittest.TestCase):
    client: Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.client = Client(KEYS["usable"], URL)
        cls.addClassCleanup(cls.client.close)

    def test_have_headers_and_the_id_of_the_request(self) -> None:
        answers: list[Answer] = [self.client.forecast(**sample()), self.client.usage(), self.client.benchmarks()]
        for answer in answers:
            self.assertRegex(answer.request_id or "", r"^[0-9a-f-]{36}$")
            self.assertEqual(answer.headers["X-Request-Id"], answer.request_id)
        with self.assertRaises(BadRequestError) as refused:
            self.client.forecast(**sample(reply_rate=500))
        self.assertEqual(refused.exception.headers["X-Request-Id"], refused.exception.request_id)

    def test_survive_pickling_and_copying(self) -> None:
        forecast = self.client.forecast(**sample())
        for other in (pickle.loads(pickle.dumps(forecast)), copy.copy(forecast), copy.deepcopy(forecast)):
            self.assertEqual([type(other), other], [Forecast, forecast])
            self.assertEqual([other.request_id, other.headers], [forecast.request_id, forecast.headers])

    def test_notebook_shows_the_funnel_and_its_range(self) -> None:
        forecast = self.client.forecast(**sample())
        self.assertEqual(
            [row[:3] for row in _Cells(forecast._repr_html_()).rows],
            [
                ["", "Expected", "80% range"],
                ["Replies", "250", "77 to 466"],
                ["Positive replies", "75", "22 to 141"],
                ["Meetings", "15", "4 to 29"],
                ["Clients", "3.75", "0 to 8"],
            ],
        )
        for fact in ("strong", "profit 8,775", "15.6 times the cost", "no client in 10.5 of 100"):
            self.assertIn(fact, forecast._repr_html_())

    def test_notebook_shows_a_campaign_that_brings_nothing(self) -> None:
        nothing = sample(reply_rate=0, average_deal_value=None, campaign_cost=None)
        html = self.client.forecast(**nothing)._repr_html_()
        self.assertEqual(_Cells(html).rows[1][:3], ["Replies", "0", "0 to 0"])
        self.assertIn("no client in 100 of 100", html)

    def test_notebook_shows_the_best_campaigns_with_their_names_as_text(self) -> None:
        campaigns = [sample(name=f"<b>{n}</b>", emails_sent=n) for n in range(100, 1300, 100)]
        answer = self.client.forecasts(campaigns)
        rows = _Cells(answer._repr_html_()).rows
        self.assertEqual([row[:2] for row in rows[:2]], [["Rank", "Campaign"], ["1", "<b>1200</b>"]])
        self.assertEqual(len(rows), 11)
        self.assertIn("12 campaigns", answer._repr_html_())
        # Each of them works by itself, too.
        self.assertIn("<b>&lt;b&gt;100&lt;/b&gt;</b>", answer["forecasts"][0]._repr_html_())

    def test_dataframe_has_the_columns_and_the_cells_of_the_service_s_sheet(self) -> None:
        campaigns = [sample(name="A", emails_sent=100), sample(name="B", reply_rate=4), sample(name="C")]
        request = urllib.request.Request(
            f"{URL}/api/v1/forecasts",
            json.dumps({"campaigns": campaigns}).encode(),
            {"x-api-key": KEYS["usable"], "content-type": "application/json", "accept": "text/csv"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            sheet = list(csv.DictReader(answer.read().decode("utf-8-sig").splitlines()))
        frame = self.client.forecasts(campaigns).to_dataframe()
        # The service's CSV has every possible column, and the fields of the campaigns, which the caller has.
        self.assertLessEqual(set(frame.columns), set(sheet[0]))
        filled = {name for name in sheet[0] if any(row[name] for row in sheet)}
        self.assertLessEqual(filled - (set(sample()) - {"name"}), set(frame.columns))
        for name in frame.columns:
            for cell, text in zip(frame[name], (row[name] for row in sheet)):
                if pandas.isna(cell):
                    self.assertEqual(text, "", name)
                elif isinstance(cell, str):
                    self.assertEqual(cell, text, name)
                else:
                    self.assertAlmostEqual(float(cell), float(text), msg=name)

    def test_dataframe_without_pandas_is_an_import_error_and_nothing_else_needs_it(self) -> None:
        program = """if True:
            import sys
            sys.modules["pandas"] = None
            import outreach_forecast
            answer = outreach_forecast.CampaignForecasts({"forecasts": []})
            try:
                answer.to_dataframe()
            except ImportError as error:
                print(error.name)
        """
        printed = subprocess.run(
            [sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=300
        )
        self.assertEqual(printed.stdout, "pandas\n")


class Tables(unittest.TestCase):
    """Campaigns from a DataFrame."""

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

    def test_names_in_the_index_are_kept(self) -> None:
        for axis in ("name", "campaign", None):
            named = self.frame.set_index("name").rename_axis(axis)
            self.assertEqual([each["name"] for each in self.client.forecasts(named)["forecasts"]], ["A", "B"])

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


class AsyncAnswers(unittest.IsolatedAsyncioTestCase):
    async def test_are_the_same(self) -> None:
        async with AsyncClient(KEYS["usable"], URL) as client:
            answer = await client.forecasts(Tables.frame)
        self.assertEqual(len(answer.to_dataframe()), 2)
        self.assertEqual(answer.headers["X-Request-Id"], answer.request_id)
