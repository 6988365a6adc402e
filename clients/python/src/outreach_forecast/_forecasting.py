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

    class Arguments(Assumptions, total=False):
        """The arguments of a forecast except `minimal`, also unpacked from a dictionary of numbers."""

        spread: Spread | Number | None
        history: History | Number | None
        idempotency_key: str | Number | None

    class Nothing:
        """The type of no value, except those of type Any."""

    class AnyArguments(Assumptions, total=False, extra_items=Nothing):
        """The same, unpacked from a dictionary of values of type Any."""

        spread: Spread | None
        history: History | None
        idempotency_key: str | None


Whole = TypeVar("Whole", covariant=True)
Minimal = TypeVar("Minimal", covariant=True)


class ForecastMethod(Protocol[Whole, Minimal]):
    """A method that returns the whole forecast, or with `minimal=True` the short form.

    To a type checker, an unpacked dictionary may have a `minimal` too. If its values are of type Any, pyright prefers the
    first overload, as only that takes further arguments.
    """

    @overload
    def __call__(self, **arguments: Unpack[AnyArguments]) -> Whole: ...

    @overload
    def __call__(self, *, minimal: Literal[True], **arguments: Unpack[Arguments]) -> Minimal: ...

    @overload
    def __call__(self, **arguments: Unpack[Arguments]) -> Whole: ...

    @overload
    def __call__(self, *, minimal: Literal[False], **arguments: Unpack[Arguments]) -> Whole: ...

    @overload
    def __call__(self, *, minimal: bool, **arguments: Unpack[Arguments]) -> Whole | Minimal: ...


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
