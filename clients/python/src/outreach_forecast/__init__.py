"""The Outreach Forecast client: turns the assumptions of a cold-email campaign into an exact ROI forecast."""

from ._async_client import AsyncClient as AsyncClient
from ._client import Client as Client
from ._transport import DeadlineTransport as DeadlineTransport
from ._version import __version__ as __version__
from .errors import APIConnectionError as APIConnectionError
from .errors import APIError as APIError
from .errors import APITimeoutError as APITimeoutError
from .errors import AuthenticationError as AuthenticationError
from .errors import BadRequestError as BadRequestError
from .errors import InvalidArgumentError as InvalidArgumentError
from .errors import InvalidResponseError as InvalidResponseError
from .errors import OutreachForecastError as OutreachForecastError
from .errors import PermissionDeniedError as PermissionDeniedError
from .errors import RateLimitError as RateLimitError
from .errors import UsageExhaustedError as UsageExhaustedError
from .types import *

# Another name of SubKeyInput.
NewSubKey = SubKeyInput
