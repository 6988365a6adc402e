from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any

from ._methods import Methods
from ._requests import Request
from ._secret import Secret
from ._settings import calls_with

if TYPE_CHECKING:
    from typing_extensions import Self


class Client(Methods):
    """A client of the service, for any number of threads. Keeps its connections until it is closed.

    `api_key` is read from SERVICE_API_KEY if left out; `timeout` is in seconds and holds for a whole call, with all
    its attempts and pauses; `max_retries` is how often a call is tried again after a failure that may pass. Proxy and
    certificates come from HTTP_PROXY, HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE and SSL_CERT_DIR.
    Raises ValueError for a setting that cannot work, and where there is no key.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str = "http://127.0.0.1:3000",
        timeout: float = 10,
        max_retries: int = 2,
    ) -> None:
        secret = None if api_key is None else Secret(api_key)
        # Where a setting is refused, the traceback does not show it.
        api_key = None
        self._calls = calls_with(secret, base_url, timeout, max_retries)

    def __repr__(self) -> str:
        # A traceback may show a client that is not made yet.
        return f"{type(self).__name__}({vars(self).get('_calls', '')})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections. A call after it raises RuntimeError."""
        self._calls.close()

    def _call(self, request: Request) -> dict[str, Any]:
        return self._calls.call(request, self._calls.deadline())
