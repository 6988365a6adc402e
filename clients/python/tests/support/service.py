"""The real service that the tests run against, and its keys."""

from __future__ import annotations

import json
import os
from typing import Any

from outreach_forecast import Client

URL = os.environ["TEST_SERVICE_URL"]

KEYS: dict[str, str] = json.loads(os.environ["TEST_SERVICE_KEYS"])
"""The keys by purpose: usable, exhausted, inactive, revoked, rotated, replaced."""

_sample = {
    "emails_sent": 5000,
    "reply_rate": 5,
    "positive_reply_rate": 30,
    "meeting_booking_rate": 20,
    "close_rate": 25,
    "average_deal_value": 2500,
    "campaign_cost": 600,
}


def sample(**changes: object) -> dict[str, Any]:
    """The campaign of the specification, with changes."""
    return {**_sample, **changes}


def plain_sample() -> dict[str, float]:
    """The same as plain numbers: type checkers know the form of its forecast."""
    return {**_sample}


def credits_left() -> int:
    """The credits that the usable key has left, according to the service."""
    with Client(KEYS["usable"], URL) as client:
        return client.usage()["credits_remaining"]
