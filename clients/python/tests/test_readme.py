"""The tables of the README match the client."""

from __future__ import annotations

import inspect
import os
import re
import unittest
from pathlib import Path
from unittest import mock

import outreach_forecast
from outreach_forecast import APIError, Client

_readme = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def _rows(title: str) -> list[list[str]]:
    """The cells of the table whose first column has this title."""
    table = _readme.split(f"\n| {title} ", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.split("\n")[2:]]


class Readme(unittest.TestCase):
    def test_settings_match_the_client_with_their_defaults(self) -> None:
        listed = {row[0].strip("`"): row[1].strip("`") for row in _rows("setting")}
        parameters = inspect.signature(Client).parameters
        defaults = {name: str(given.default) for name, given in parameters.items()}
        self.assertEqual(listed.keys(), defaults.keys())
        for name, default in defaults.items():
            if default != "None":
                self.assertEqual(listed[name], default)
        with mock.patch.dict(os.environ, clear=True), Client("key") as client:
            self.assertIn(vars(client)["_settings"].base_url, listed["base_url"])

    def test_methods_match_the_client_with_their_arguments(self) -> None:
        listed = [re.findall(r"(\w+)\((\w*)", row[0])[0] for row in _rows("method")]
        public = [name for name, _ in inspect.getmembers(Client, inspect.isfunction) if not name.startswith("_")]
        self.assertEqual(sorted(name for name, _ in listed), sorted(public))
        for name, argument in listed:
            if argument:
                self.assertIn(argument, inspect.signature(getattr(Client, name)).parameters)

    def test_all_exceptions_are_listed(self) -> None:
        listed = [name for row in _rows("raised") for name in re.findall(r"`(\w+)`", row[0])]
        own = [name for name, value in vars(outreach_forecast).items() if isinstance(value, type)]
        raised = [name for name in own if issubclass(getattr(outreach_forecast, name), Exception)]
        self.assertEqual(sorted(listed), sorted(raised))
        for row in _rows("raised"):
            kind = getattr(outreach_forecast, row[0].strip("`"), Exception)
            is_answer = kind is APIError or re.match(r"\d", row[1]) is not None
            self.assertEqual(issubclass(kind, APIError), is_answer, row[0])
