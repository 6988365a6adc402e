from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Callable, Generic, TypeVar, overload

from ._requests import Request
from .types import Assumptions, ForecastRequest

if TYPE_CHECKING:
    from typing_extensions import ParamSpec

    from ._async_client import AsyncClient
    from ._client import Client

    P = ParamSpec("P")
else:
    # Generic accepts this instead of a ParamSpec on Python 3.9.
    P = TypeVar("P")

A = TypeVar("A")


class Endpoint(Generic[P, A]):
    """A method of both clients, made from a function that turns its arguments into a request.

    Called on a Client, it returns the response; called on an AsyncClient, it returns a coroutine.
    """

    def __init__(self, request: Callable[P, Request[A]]) -> None:
        self._request = request
        self._signature = _signature_of(request)

    @overload
    def __get__(self, client: Client, owner: object) -> Callable[P, A]: ...

    @overload
    def __get__(self, client: AsyncClient, owner: object) -> Callable[P, Coroutine[Any, Any, A]]: ...

    @overload
    def __get__(self, client: None, owner: object) -> Callable[..., Any]: ...

    def __get__(self, client: Any, owner: object) -> Any:
        def of_class(client: Any, *args: Any, **kwargs: Any) -> Any:
            return getattr(client, self._request.__name__)(*args, **kwargs)

        def of_client(*args: Any, **kwargs: Any) -> Any:
            return client._call(self._checked(*args, **kwargs))

        async def of_async_client(*args: Any, **kwargs: Any) -> Any:
            return await client._call(self._checked(*args, **kwargs))

        method: Any = of_class
        if client is not None:
            method = of_async_client if inspect.iscoroutinefunction(client._call) else of_client
        functools.update_wrapper(method, self._request)
        method.__signature__ = self._signature
        return method

    def _checked(self, *args: P.args, **kwargs: P.kwargs) -> Request[A]:
        # The request function itself would accept any name as a number of the campaign.
        try:
            self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(self._advice(args, kwargs) or str(error)) from None
        return self._request(*args, **kwargs)

    def _advice(self, args: tuple[object, ...], kwargs: dict[str, object]) -> str | None:
        """A sentence on a dictionary in place of named arguments or the reverse, or on a name that is unknown."""
        call = f"{self._request.__name__}()"
        known = self._signature.parameters
        if args and all(each.kind is inspect.Parameter.KEYWORD_ONLY for each in known.values()):
            return f"{call} takes named arguments: unpack a dictionary, as in {self._request.__name__}(**plan)."
        unknown = next((name for name in kwargs if name not in known), None)
        if unknown is None:
            return None
        if "plan" in known and unknown in ForecastRequest.__annotations__:
            return f"{call} takes the plan as one dictionary, as in {self._request.__name__}(plan, so_far=…)."
        near = difflib.get_close_matches(unknown, known, 1)
        hint = f"did you mean {near[0]!r}?" if near else "leave it out."
        return f"{call} has no argument {unknown!r}; {hint}"


def _signature_of(request: Callable[..., Request[A]]) -> inspect.Signature:
    """The signature that `help` and notebooks show: each number of a campaign by name, and the type of the response."""
    signature = inspect.signature(request)
    parameters = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    if len(parameters) < len(signature.parameters):
        is_optional = [name not in Assumptions.__required_keys__ for name in Assumptions.__annotations__]
        numbers = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=None if optional else inspect.Parameter.empty,
                annotation="Number | None" if optional else "Number",
            )
            for name, optional in zip(Assumptions.__annotations__, is_optional)
        ]
        parameters = [*numbers, *parameters]
    answer = str(signature.return_annotation)[len("Request[") : -1]
    return signature.replace(parameters=parameters, return_annotation=answer)
