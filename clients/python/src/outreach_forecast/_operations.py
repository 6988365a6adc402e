# Generated from the OpenAPI document by `npm run fix`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, Optional, Protocol, TypeVar, overload

from . import types

if TYPE_CHECKING:
    from ._requests import Request

_AnyUsage = TypeVar("_AnyUsage", types.KeyUsage, types.UsageTable)


class Operations(Protocol):
    """The parameters of each operation, and the type of its response."""

    @overload
    def __call__(self, operation: Literal["POST /api/v1/forecast"], fields: Mapping[str, object], *, idempotency_key: str) -> Request[types.ForecastAnswer]: ...

    @overload
    def __call__(self, operation: Literal["POST /api/v1/service/roi"], fields: Mapping[str, object], *, idempotency_key: str) -> Request[types.LegacyForecastAnswer]: ...

    @overload
    def __call__(self, operation: Literal["POST /api/v1/goals"], fields: Mapping[str, object], *, idempotency_key: str) -> Request[types.GoalAnswer]: ...

    @overload
    def __call__(self, operation: Literal["POST /api/v1/progress"], fields: Mapping[str, object], *, idempotency_key: str) -> Request[types.ProgressAnswer]: ...

    @overload
    def __call__(self, operation: Literal["POST /api/v1/forecasts"], fields: Mapping[str, object], *, idempotency_key: str) -> Request[types.CampaignsAnswer]: ...

    @overload
    def __call__(self, operation: Literal["GET /api/v1/benchmarks"]) -> Request[types.Benchmarks]: ...

    @overload
    def __call__(self, operation: Literal["GET /api/v1/usage"], *, by: Optional[str] = None, month: Optional[str] = None) -> Request[_AnyUsage]: ...

    @overload
    def __call__(self, operation: Literal["GET /api/v1/credits/ledger"], *, cursor: Optional[str] = None, limit: Optional[int] = None) -> Request[types.LedgerPage]: ...

    @overload
    def __call__(self, operation: Literal["GET /api/v1/credit-packs"]) -> Request[types.CreditPacks]: ...

    @overload
    def __call__(self, operation: Literal["POST /api/v1/keys/rotate"], fields: Mapping[str, object]) -> Request[types.RotatedKey]: ...

    @overload
    def __call__(self, operation: Literal["GET /api/v1/sub-keys"], *, cursor: Optional[str] = None, limit: Optional[int] = None) -> Request[types.SubKeys]: ...

    @overload
    def __call__(self, operation: Literal["POST /api/v1/sub-keys"], fields: Mapping[str, object]) -> Request[types.CreatedSubKey]: ...

    @overload
    def __call__(self, operation: Literal["GET /api/v1/sub-keys/{sub_key_id}"], *, sub_key_id: str) -> Request[types.SubKey]: ...

    @overload
    def __call__(self, operation: Literal["PATCH /api/v1/sub-keys/{sub_key_id}"], fields: Mapping[str, object], *, sub_key_id: str) -> Request[types.SubKey]: ...

    @overload
    def __call__(self, operation: Literal["DELETE /api/v1/sub-keys/{sub_key_id}"], *, sub_key_id: str) -> Request[None]: ...

    @overload
    def __call__(self, operation: Literal["POST /api/v1/sub-keys/{sub_key_id}/rotate"], fields: Mapping[str, object], *, sub_key_id: str) -> Request[types.RotatedKey]: ...
