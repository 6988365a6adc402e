"""The method of both clients that has two forms of response, by its argument `minimal`."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Callable, Protocol, TypeVar, overload

from ._endpoint import Endpoint

if TYPE_CHECKING:
    from typing import Literal

    from typing_extensions import Unpack

    from ._async_client import AsyncClient
    from ._client import Client
    from ._requests import History, Request, Spread
    from .types import Assumptions, ForecastAnswer, MinimalForecast, Number

Whole = TypeVar("Whole", covariant=True)
Minimal = TypeVar("Minimal", covariant=True)


class ForecastMethod(Protocol[Whole, Minimal]):
    """A method that returns the whole forecast, or with `minimal=True` the short form."""

    @overload
    def __call__(
        self,
        *,
        minimal: Literal[True],
        spread: Spread | Number | None = None,
        history: History | Number | None = None,
        idempotency_key: str | Number | None = None,
        **assumptions: Unpack[Assumptions],
    ) -> Minimal: ...

    @overload
    def __call__(
        self,
        *,
        spread: Spread | Number | None = None,
        history: History | Number | None = None,
        minimal: Literal[False] | Number = False,
        idempotency_key: str | Number | None = None,
        **assumptions: Unpack[Assumptions],
    ) -> Whole: ...


if TYPE_CHECKING:

    class Forecasting:
        """An Endpoint whose methods have a type for each form of the response."""

        def __init__(self, request: Callable[..., Request[ForecastAnswer]]) -> None: ...

        @overload
        def __get__(self, client: Client, owner: object) -> ForecastMethod[ForecastAnswer, MinimalForecast]: ...

        @overload
        def __get__(
            self, client: AsyncClient, owner: object
        ) -> ForecastMethod[Coroutine[Any, Any, ForecastAnswer], Coroutine[Any, Any, MinimalForecast]]: ...

        @overload
        def __get__(self, client: None, owner: object) -> Callable[..., Any]: ...

        def __get__(self, client: Any, owner: object) -> Any: ...

else:
    Forecasting = Endpoint
