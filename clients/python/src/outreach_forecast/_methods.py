from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from ._endpoint import Endpoint
from ._forecasting import Forecasting
from ._requests import (
    NULL,
    History,
    Request,
    Spread,
    campaigns_in,
    checked_flag,
    checked_key,
    history_in,
    request,
)
from ._settings import Settings
from ._tables import Table
from .types import (
    Benchmarks,
    Campaign,
    CampaignsAnswer,
    CreatedSubKey,
    CreditPacks,
    ForecastAnswer,
    Goal,
    GoalAnswer,
    KeyUsage,
    LedgerPage,
    LegacyForecastAnswer,
    Number,
    OpenCounts,
    ProgressAnswer,
    RotatedKey,
    SoFar,
    SubKey,
    SubKeys,
    UsageTable,
)

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .types import Assumptions


class Methods:
    """The calls that the service offers.

    Each method raises an OutreachForecastError: APIError or a subclass if the service answers with an error,
    InvalidResponseError if the answer cannot be from the service, APIConnectionError or APITimeoutError if there
    is none, and InvalidArgumentError for what cannot be sent.
    """

    _settings: Settings

    def with_options(self, *, timeout: float | None = None, max_retries: int | None = None) -> Self:
        """The same client with other settings, for one call or many. Closing either closes the connections of both."""
        other = object.__new__(type(self))
        vars(other).update(vars(self), _settings=self._settings.with_changes(timeout, max_retries))
        return other

    def __repr__(self) -> str:
        # A traceback may show a client that is not fully initialized.
        return f"{type(self).__name__}({vars(self).get('_settings', '')})"

    # An Endpoint's function has no `self`. A number for `spread`, `history`, `minimal` or `idempotency_key` is refused, but its
    # type is accepted: to a type checker, unpacking a `dict[str, float]` may pass a number for any argument.

    @Forecasting
    def forecast(
        *,
        spread: Spread | Number | None = None,
        history: History | Number | None = None,
        minimal: bool | Number = False,
        idempotency_key: str | Number | None = None,
        **assumptions: Unpack[Assumptions],
    ) -> Request[ForecastAnswer]:
        """Forecasts a campaign, for one credit, however many attempts it takes.

        Rates are percentages from 0 to 100: 5 means 5 percent. A Decimal is sent as the nearest float; None and NaN are
        left out. `history` contains past campaigns, as dictionaries or a pandas or Polars DataFrame. For 24 hours, the
        same assumptions with the `idempotency_key` of an earlier call return its response again, at no cost. With
        `minimal=True` the response is a MinimalForecast: the same figures without the details and the notes.
        """
        fields = {**assumptions, "spread": spread, "history": history_in(history)}
        whole = request("POST /api/v1/forecast", fields, idempotency_key=checked_key(idempotency_key))
        return replace(whole, is_minimal=checked_flag("minimal", minimal))

    @Endpoint
    def legacy_roi(
        *,
        spread: Spread | Number | None = None,
        history: History | Number | None = None,
        idempotency_key: str | Number | None = None,
        **assumptions: Unpack[Assumptions],
    ) -> Request[LegacyForecastAnswer]:
        """Forecasts a campaign on the legacy path, with a campaign score and a risk level; otherwise like `forecast`."""
        fields = {**assumptions, "spread": spread, "history": history_in(history)}
        return request("POST /api/v1/service/roi", fields, idempotency_key=checked_key(idempotency_key))

    @Endpoint
    def goal(
        *,
        goal: Goal,
        spread: Spread | Number | None = None,
        history: History | Number | None = None,
        idempotency_key: str | Number | None = None,
        **assumptions: Unpack[Assumptions],
    ) -> Request[GoalAnswer]:
        """Finds the value that each input alone needs to reach a goal, for one credit; otherwise like `forecast`."""
        varied = {"spread": spread, "history": history_in(history)}
        fields = {**assumptions, **varied, "goal": goal}
        return request("POST /api/v1/goals", fields, idempotency_key=checked_key(idempotency_key))

    @Endpoint
    def progress(
        plan: Mapping[str, object],  # pyright: ignore[reportGeneralTypeIssues]
        *,
        so_far: SoFar,
        open: OpenCounts | None = None,
        emails_left: Number | None = None,
        idempotency_key: str | None = None,
    ) -> Request[ProgressAnswer]:
        """Forecasts the end of a campaign that is being sent, and tells bad luck from a bad plan, for one credit.

        `plan` contains its assumptions, with a `history` if there is one; `so_far` has its results so far, and `open`
        how many of each count are undecided. `emails_left` is by default the number of planned emails not yet sent.
        Otherwise like `forecast`.
        """
        counts = {"so_far": so_far, "open": open, "emails_left": emails_left}
        fields = {**plan, "history": history_in(plan.get("history")), **counts}
        return request("POST /api/v1/progress", fields, idempotency_key=checked_key(idempotency_key))

    @Endpoint
    def forecasts(
        campaigns: Iterable[Campaign] | Iterable[Mapping[str, object]] | Table,  # pyright: ignore[reportGeneralTypeIssues]
        *,
        history: History | None = None,
        independent: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Request[CampaignsAnswer]:
        """Forecasts many campaigns together, up to 1,000, for one credit each: all or nothing.

        Takes dictionaries, or a pandas or Polars DataFrame whose columns have the names of the fields. The rates of all
        campaigns are learned from `history`, if there is one; without one, they are one sender's unless they are
        `independent`. Raises UsageExhaustedError if the key has too few credits left; otherwise like `forecast`.
        """
        context = {"history": history_in(history), "independent": independent}
        fields = {"campaigns": campaigns_in(campaigns), **context}
        return request("POST /api/v1/forecasts", fields, idempotency_key=checked_key(idempotency_key))

    @Endpoint
    def benchmarks() -> Request[Benchmarks]:
        """The published figures on cold outreach, and which of them forecasts use. Costs no credit."""
        return request("GET /api/v1/benchmarks")

    @Endpoint
    def usage() -> Request[KeyUsage]:
        """Returns the usage of the key and its remaining credits. Costs no credit."""
        return request("GET /api/v1/usage")

    @Endpoint
    def usage_by(
        by: Literal["day", "sub_key"],  # pyright: ignore[reportGeneralTypeIssues]
        *,
        month: str | None = None,
    ) -> Request[UsageTable]:
        """The forecasts of a month like 2026-11, the current one if left out, by day and sub-key or by sub-key alone."""
        return request("GET /api/v1/usage", by=by, month=month)

    @Endpoint
    def ledger_page(*, cursor: str | None = None) -> Request[LedgerPage]:
        """The first 200 entries of the ledger, or those from a page's `next_cursor`. Costs no credit."""
        return request("GET /api/v1/credits/ledger", limit=200, cursor=cursor)

    @Endpoint
    def credit_packs() -> Request[CreditPacks]:
        """The credit packs for sale."""
        return request("GET /api/v1/credit-packs")

    @Endpoint
    def rotate_key(*, grace_hours: Number | None = None) -> Request[RotatedKey]:
        """Replaces the key: the response shows the new one, only once. This client keeps using the old one.

        The old key stays valid for `grace_hours`, 0 to 72, 24 if left out. If it is unclear whether the key was
        replaced, the call is not retried and the error is raised: a retry with 0 hours would be refused, and one
        that overtakes the first request would return a key that expires with the grace period. Unless that was 0, the
        old key is still valid then, and it is safe to call again once the first call is over.
        """
        return request("POST /api/v1/keys/rotate", {"grace_hours": grace_hours})

    @Endpoint
    def sub_keys(*, cursor: str | None = None) -> Request[SubKeys]:
        """The first 200 sub-keys of the key, oldest first, or those from a page's `next_cursor`.

        Those revoked in the last 90 days too.
        """
        return request("GET /api/v1/sub-keys", limit=200, cursor=cursor)

    @Endpoint
    def sub_key(
        sub_key_id: str,  # pyright: ignore[reportGeneralTypeIssues]
    ) -> Request[SubKey]:
        """One of the sub-keys."""
        return request("GET /api/v1/sub-keys/{sub_key_id}", sub_key_id=sub_key_id)

    @Endpoint
    def create_sub_key(*, name: str, monthly_limit: Number | None = None) -> Request[CreatedSubKey]:
        """Creates a sub-key: the response shows its secret, only once.

        `monthly_limit` is the most credits that it may spend in a UTC month; no limit if left out. If it is unclear whether
        the sub-key was created, the call is not retried and the error is raised: the name is then taken, and
        `rotate_sub_key` shows a secret.
        """
        return request("POST /api/v1/sub-keys", {"name": name, "monthly_limit": monthly_limit})

    @Endpoint
    def change_sub_key(
        sub_key_id: str,  # pyright: ignore[reportGeneralTypeIssues]
        *,
        name: str | None = None,
        monthly_limit: Number | None = None,
        remove_limit: bool = False,
    ) -> Request[SubKey]:
        """Renames a sub-key, or changes or removes its limit. Values that are left out stay the same."""
        fields = {"name": name, "monthly_limit": NULL if remove_limit else monthly_limit}
        return request("PATCH /api/v1/sub-keys/{sub_key_id}", fields, sub_key_id=sub_key_id)

    @Endpoint
    def revoke_sub_key(
        sub_key_id: str,  # pyright: ignore[reportGeneralTypeIssues]
    ) -> Request[None]:
        """Revokes a sub-key for good."""
        return request("DELETE /api/v1/sub-keys/{sub_key_id}", sub_key_id=sub_key_id)

    @Endpoint
    def rotate_sub_key(
        sub_key_id: str,  # pyright: ignore[reportGeneralTypeIssues]
        *,
        grace_hours: Number | None = None,
    ) -> Request[RotatedKey]:
        """Replaces the secret of a sub-key, as `rotate_key` does with that of the key."""
        return request("POST /api/v1/sub-keys/{sub_key_id}/rotate", {"grace_hours": grace_hours}, sub_key_id=sub_key_id)

