from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast
from urllib.parse import urlencode

from ._requests import Campaign, Evidence, Goal, Number, Request, campaigns_request, forecast_request, json_object
from .answers import (
    Benchmarks,
    CampaignForecasts,
    CreditPacks,
    Forecast,
    GoalAnswer,
    KeyUsage,
    LedgerEntry,
    LedgerPage,
    LegacyForecast,
    RotatedKey,
)


class Methods:
    """What can be asked of the service. How an answer is got is up to the class that extends it.

    Each method raises APIError or a subclass where the service answers with an error, InvalidResponseError where the
    answer cannot be the service's, and ConnectionError or TimeoutError where there is none.
    """

    def _call(self, request: Request) -> dict[str, Any]:
        raise NotImplementedError

    def forecast(
        self,
        *,
        emails_sent: Number,
        reply_rate: Number,
        positive_reply_rate: Number,
        meeting_booking_rate: Number,
        close_rate: Number,
        average_deal_value: Number | None = None,
        campaign_cost: Number | None = None,
        delivery_rate: Number | None = None,
        show_rate: Number | None = None,
        emails_per_contact: Number | None = None,
        evidence: Evidence | None = None,
        idempotency_key: str | None = None,
    ) -> Forecast:
        """Forecasts a campaign, for one credit, however often it has to be tried.

        Rates are percentages from 0 to 100: 5 means 5 percent. A Decimal is sent to its last digit. The same
        assumptions with the `idempotency_key` of an earlier call get its answer again, for no credit, for 24 hours.
        Raises ValueError for a number that is not finite, before anything is sent.
        """
        request = forecast_request(
            "/api/v1/forecast",
            idempotency_key,
            emails_sent=emails_sent,
            reply_rate=reply_rate,
            positive_reply_rate=positive_reply_rate,
            meeting_booking_rate=meeting_booking_rate,
            close_rate=close_rate,
            average_deal_value=average_deal_value,
            campaign_cost=campaign_cost,
            delivery_rate=delivery_rate,
            show_rate=show_rate,
            emails_per_contact=emails_per_contact,
            evidence=evidence,
        )
        return cast(Forecast, self._call(request))

    def legacy_roi(
        self,
        *,
        emails_sent: Number,
        reply_rate: Number,
        positive_reply_rate: Number,
        meeting_booking_rate: Number,
        close_rate: Number,
        average_deal_value: Number | None = None,
        campaign_cost: Number | None = None,
        delivery_rate: Number | None = None,
        show_rate: Number | None = None,
        emails_per_contact: Number | None = None,
        evidence: Evidence | None = None,
        idempotency_key: str | None = None,
    ) -> LegacyForecast:
        """Forecasts a campaign by the legacy path, with a campaign score and a risk level; else as `forecast` does."""
        request = forecast_request(
            "/api/v1/service/roi",
            idempotency_key,
            emails_sent=emails_sent,
            reply_rate=reply_rate,
            positive_reply_rate=positive_reply_rate,
            meeting_booking_rate=meeting_booking_rate,
            close_rate=close_rate,
            average_deal_value=average_deal_value,
            campaign_cost=campaign_cost,
            delivery_rate=delivery_rate,
            show_rate=show_rate,
            emails_per_contact=emails_per_contact,
            evidence=evidence,
        )
        return cast(LegacyForecast, self._call(request))

    def goal(
        self,
        *,
        goal: Goal,
        emails_sent: Number,
        reply_rate: Number,
        positive_reply_rate: Number,
        meeting_booking_rate: Number,
        close_rate: Number,
        average_deal_value: Number | None = None,
        campaign_cost: Number | None = None,
        delivery_rate: Number | None = None,
        show_rate: Number | None = None,
        emails_per_contact: Number | None = None,
        evidence: Evidence | None = None,
        idempotency_key: str | None = None,
    ) -> GoalAnswer:
        """What each input alone has to become for a campaign to reach a goal, for one credit; else as `forecast`."""
        request = forecast_request(
            "/api/v1/goals",
            idempotency_key,
            emails_sent=emails_sent,
            reply_rate=reply_rate,
            positive_reply_rate=positive_reply_rate,
            meeting_booking_rate=meeting_booking_rate,
            close_rate=close_rate,
            average_deal_value=average_deal_value,
            campaign_cost=campaign_cost,
            delivery_rate=delivery_rate,
            show_rate=show_rate,
            emails_per_contact=emails_per_contact,
            evidence=evidence,
            goal=goal,
        )
        return cast(GoalAnswer, self._call(request))

    def benchmarks(self) -> Benchmarks:
        """The published figures on cold outreach, and what of them forecasts use. Costs no credit."""
        return cast(Benchmarks, self._call(Request("GET", "/api/v1/benchmarks")))

    def forecasts(self, campaigns: Iterable[Campaign], *, idempotency_key: str | None = None) -> CampaignForecasts:
        """Forecasts many campaigns together, up to 1,000, for one credit each: all of them or none.

        Raises UsageExhaustedError where the key has fewer credits left; else as `forecast`.
        """
        return cast(CampaignForecasts, self._call(campaigns_request(campaigns, idempotency_key)))

    def usage(self) -> KeyUsage:
        """What the key has used and has left. Costs no credit."""
        return cast(KeyUsage, self._call(Request("GET", "/api/v1/usage")))

    def ledger(self) -> Iterator[LedgerEntry]:
        """Every change of the key's credits, newest first; asks for a page when the one before is used up.

        The timeout holds for each page. Costs no credit.
        """
        cursor: str | None = None
        while True:
            page = self.ledger_page(cursor=cursor)
            yield from page["entries"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def ledger_page(self, *, cursor: str | None = None) -> LedgerPage:
        """The first 200 entries of the ledger, or those from the `next_cursor` of the page before. Costs no credit."""
        query = {"limit": "200"} if cursor is None else {"limit": "200", "cursor": cursor}
        return cast(LedgerPage, self._call(Request("GET", f"/api/v1/credits/ledger?{urlencode(query)}")))

    def credit_packs(self) -> CreditPacks:
        """The credit packs that can be ordered."""
        return cast(CreditPacks, self._call(Request("GET", "/api/v1/credit-packs")))

    def rotate_key(self, *, grace_hours: Number | None = None) -> RotatedKey:
        """Replaces the key: the answer shows the new one, this once. This client goes on with the old one.

        The old key is valid for `grace_hours` more, 0 to 72, 24 if left out. Where nobody knows whether the key was
        replaced, it is not tried again, and the failure is raised: a repeat after 0 hours would be refused, and one
        that overtakes the first would show a key that ends with the grace. Unless that was 0, the old key is valid
        then, and calling again is safe once the first call is over.
        """
        body = None if grace_hours is None else json_object({"grace_hours": grace_hours})
        return cast(RotatedKey, self._call(Request("POST", "/api/v1/keys/rotate", body, is_repeatable=False)))
