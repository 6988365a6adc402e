"""The client of Outreach Forecast: assumptions of a cold-email campaign in, an exact ROI forecast out."""

from ._async_client import AsyncClient
from ._client import Client
from ._requests import Evidence, ForecastRequest, Measurement
from ._version import __version__
from .answers import (
    CreditPack,
    CreditPacks,
    Forecast,
    KeyUsage,
    LedgerEntry,
    LedgerPage,
    LegacyForecast,
    RotatedKey,
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
    "AsyncClient",
    "AuthenticationError",
    "BadRequestError",
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
    "PermissionDeniedError",
    "RateLimitError",
    "RotatedKey",
    "Usage",
    "UsageExhaustedError",
    "__version__",
]
