"""What no OpenAPI document can say of a request, told to Schemathesis: requests that break such a rule are put right.

What the document does say is left to the tool: whether a request keeps to it is the same before and after.
"""

import itertools
import json
import os
import uuid
from decimal import Decimal
from random import Random

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

clients = itertools.count()
first_bodies = {}


def as_new_client(case):
    """Requests without a key are limited by client: each comes from one of its own, by way of a trusted proxy."""
    number = next(clients)
    case.headers["X-Forwarded-For"] = f"198.{18 + (number >> 16)}.{number >> 8 & 255}.{number & 255}"


def with_own_idempotency_key(case):
    """A key stands for one request that somebody intends; the tool sends one with other bodies too."""
    key = case.headers.get("Idempotency-Key")
    if key is None:
        return
    body = json.dumps(case.body, sort_keys=True, default=repr)
    if first_bodies.setdefault((case.operation.label, key), body) != body:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


MOST_DIGITS = 40


def with_few_digits(value):
    """A number has at most 40 digits, those after the decimal point included: JSON Schema counts none."""
    if isinstance(value, dict):
        return {name: with_few_digits(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [with_few_digits(inner) for inner in value]
    if isinstance(value, float) and value > 0 and -Decimal(repr(value)).as_tuple().exponent > MOST_DIGITS:
        return float(f"1e-{MOST_DIGITS}")
    return value


def with_possible_evidence(campaign):
    """JSON Schema compares no two fields: observed is at most out_of, and only rates that are there have evidence."""
    if not isinstance(campaign, dict) or not isinstance(campaign.get("evidence"), dict):
        return campaign
    evidence = {}
    for rate, measured in campaign["evidence"].items():
        if measured is None or (rate in ("delivery_rate", "show_rate") and campaign.get(rate) is None):
            continue
        if isinstance(measured, dict):
            tried, happened = measured.get("out_of"), measured.get("observed")
            if isinstance(tried, (int, float)) and isinstance(happened, (int, float)) and happened > tried >= 0:
                measured = {**measured, "observed": tried}
        evidence[rate] = measured
    if evidence == {} != campaign["evidence"]:
        evidence = None
    return {**campaign, "evidence": evidence}


def with_own_names(campaigns):
    """No two campaigns have the same name: uniqueItems sees all of their fields."""
    names = set()
    for campaign in campaigns:
        name = campaign.get("name") if isinstance(campaign, dict) else None
        if isinstance(name, str):
            if name in names:
                campaign = {**campaign, "name": None}
            names.add(name)
        yield campaign


def as_campaigns(body):
    if not isinstance(body, dict) or not isinstance(body.get("campaigns"), list):
        return body
    return {**body, "campaigns": list(with_own_names(map(with_possible_evidence, body["campaigns"])))}


FIELDS = "emails_sent,reply_rate,positive_reply_rate,meeting_booking_rate,close_rate,average_deal_value,campaign_cost"


def as_sheet(case):
    """To a schema a sheet is any text: one is made of it, the same each time."""
    if case.meta is not None and case.meta.is_negative_at(ParameterLocation.BODY):
        return
    if str(case.body).startswith("name,emails_sent,"):  # the example of the document
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
    """With a key an order has a pack only, without one and in a form the owner too: a schema knows no headers.

    Which packs there are is told by an endpoint. Where links are followed it is the key that orders, as only that gets
    to see the order.
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


# Links in mails and rotated keys: values from responses go into the next requests.
token = os.environ["CONFIRMATION_TOKEN"]
current = {"key": os.environ["SERVICE_API_KEY"]}


def as_link_of_mail(case):
    """The token of a link is told by a mail only: every other text that could be one is."""
    body = case.body
    if isinstance(body, dict) and isinstance(body.get("token"), str) and len(body["token"]) % 2 == 0:
        case.body = {**body, "token": token}


def as_repeatable(case):
    """With an Idempotency-Key the old key has to last for the repeated request: a schema knows no headers."""
    if isinstance(case.body, dict) and case.body.get("grace_hours") == 0:
        case.headers.pop("Idempotency-Key", None)


@schemathesis.hook
def after_call(context, case, response):
    """A rotated key may expire at once, so the next requests use its successor."""
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
    elif case.media_type == "application/json":
        body = with_few_digits(case.body)
        body = as_campaigns(body) if operation == "forecasts" else with_possible_evidence(body)
        if body != case.body:
            case.body = body
    with_own_idempotency_key(case)
