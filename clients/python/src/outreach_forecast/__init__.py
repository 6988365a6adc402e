"""The client of Outreach Forecast: assumptions of a cold-email campaign in, an exact ROI forecast out."""

from ._async_client import AsyncClient
from ._client import Client
from ._requests import Evidence, ForecastRequest, Measurement
from ._version import __version__
from .answers import (
    AmountRange,
    BreakEven,
    CreditPack,
    CreditPacks,
    Forecast,
    KeyUsage,
    LedgerEntry,
    LedgerPage,
    LegacyForecast,
    Outlook,
    RotatedKey,
    StageOutlook,
    UncertaintyFrom,
    Usage,
)
from .errors import (
    APIError,
    AuthenticationError,
    BadRequestError,
    FieldError,
    InvalidResponseError,
    PermissionDeniedError,
    RateLimitError,
    UsageExhaustedError,
)

__all__ = [
    "APIError",
    "AmountRange",
    "AsyncClient",
    "AuthenticationError",
    "BadRequestError",
    "BreakEven",
    "Client",
    "CreditPack",
    "CreditPacks",
    "Evidence",
    "FieldError",
    "Forecast",
    "ForecastRequest",
    "InvalidResponseError",
    "KeyUsage",
    "LedgerEntry",
    "LedgerPage",
    "LegacyForecast",
    "Measurement",
    "Outlook",
    "PermissionDeniedError",
    "RateLimitError",
    "RotatedKey",
    "StageOutlook",
    "UncertaintyFrom",
    "Usage",
    "UsageExhaustedError",
    "__version__",
]
