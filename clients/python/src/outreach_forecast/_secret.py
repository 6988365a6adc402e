from __future__ import annotations

from typing import NoReturn, cast


class Secret:
    """A text that appears in no repr, no traceback with local variables, and no pickle."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The text. Do not keep it in a variable, which a traceback may show."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(…)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A client cannot be pickled: it holds a key and connections. Create one in each process.")


class HiddenFrames:
    """A block whose errors omit the frames below it, in which a secret is a local variable."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if error is not None:
            _forget_frames(error)
            raise error


def _forget_frames(error: BaseException | None) -> None:
    """Removes the traceback from an exception and from all its causes."""
    if error is None or (error.__traceback__ is None and error.__cause__ is None and error.__context__ is None):
        return
    error.__traceback__ = None
    group = cast("tuple[BaseException, ...]", getattr(error, "exceptions", ()))
    for other in (error.__cause__, error.__context__, *group):
        _forget_frames(other)
