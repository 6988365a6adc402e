"""Corrects generated requests that would be refused by a rule that an OpenAPI document cannot express.

Rules that the document expresses are left to Schemathesis: no correction changes whether a request follows them.
"""

import itertools
import json
import os
import uuid
from random import Random

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

clients = itertools.count()
first_bodies = {}


def as_new_client(case):
    """Sends each request from a new client behind a trusted proxy: requests without a key are limited by client."""
    number = next(clients)
    case.headers["X-Forwarded-For"] = f"198.{18 + (number >> 16)}.{number >> 8 & 255}.{number & 255}"


def with_own_idempotency_key(case):
    """Replaces an Idempotency-Key that was sent with another body: it must identify one request."""
    key = case.headers.get("Idempotency-Key")
    if key is None:
        return
    body = json.dumps(case.body, sort_keys=True, default=repr)
    if first_bodies.setdefault((case.operation.label, key), body) != body:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


FIELDS = "emails_sent,reply_rate,positive_reply_rate,meeting_booking_rate,close_rate,average_deal_value,campaign_cost"


def as_sheet(case):
    """Replaces a text with a valid sheet, always the same one for a text: to a schema, a sheet is any text."""
    if case.meta is not None and case.meta.is_negative_at(ParameterLocation.BODY):
        return
    if str(case.body).startswith("name,emails_sent,"):  # the example in the document
        return
    random = Random(str(case.body))

    def line(_):
        rates = (str(random.randint(0, 10_000) / 100) for _ in range(4))
        amounts = (random.choice(("", str(random.randint(0, 10**9)))) for _ in range(2))
        return ",".join((str(random.randint(1, 10**8)), *rates, *amounts))

    case.body = "\n".join((FIELDS, *map(line, range(random.randint(1, 20)))))


@schemathesis.serializer("text/csv")
def csv(context, value):
    return str(value).encode()


PACKS = ("starter", "growth", "scale")


def as_key_or_owner(case):
    """Sends an order with a key or with an owner, not with both: a schema cannot refer to headers.

    Uses an existing pack, which only an endpoint lists. When links are followed, the key orders, because only the key
    that placed an order can read it.
    """
    body = case.body
    if not isinstance(body, dict):
        return
    if isinstance(body.get("pack"), str) and body["pack"] not in PACKS:
        case.body = body = {**body, "pack": PACKS[0]}
    if case.meta is not None and case.meta.phase.name == TestPhase.STATEFUL and body.get("pack") in PACKS:
        case.media_type, case.body = "application/json", {"pack": body["pack"]}
    elif "name" in body or case.media_type != "application/json":
        case.headers.pop("x-api-key", None)


# Values for the next requests: the token of an emailed link, and the current key.
token = os.environ["CONFIRMATION_TOKEN"]
current = {"key": os.environ["SERVICE_API_KEY"]}


def as_link_of_mail(case):
    """Uses the token of an emailed link in half of the requests: no response contains one."""
    body = case.body
    if isinstance(body, dict) and isinstance(body.get("token"), str) and len(body["token"]) % 2 == 0:
        case.body = {**body, "token": token}


def as_repeatable(case):
    """Sends no Idempotency-Key if the old key expires at once: it could not authenticate the repeated request."""
    if isinstance(case.body, dict) and case.body.get("grace_hours") == 0:
        case.headers.pop("Idempotency-Key", None)


@schemathesis.hook
def after_call(context, case, response):
    """Uses the new key from a rotation for the next requests: the old one may have expired."""
    if case.operation.definition.raw["operationId"] == "rotate" and response.status_code == 200:
        if "idempotent-replayed" not in response.headers:
            current["key"] = response.json()["api_key"]


@schemathesis.hook
def before_call(context, case, kwargs):
    as_new_client(case)
    operation = case.operation.definition.raw["operationId"]
    if case.headers.get("x-api-key") == os.environ["SERVICE_API_KEY"]:
        case.headers["x-api-key"] = current["key"]
    if operation == "order":
        as_key_or_owner(case)
    elif operation == "confirmAccess":
        as_link_of_mail(case)
    elif operation == "rotate":
        as_repeatable(case)
    elif case.media_type == "text/csv":
        as_sheet(case)
    with_own_idempotency_key(case)
