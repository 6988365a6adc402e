from __future__ import annotations

from typing import NoReturn


class Secret:
    """A text that shows in no repr, no traceback with local variables, and no pickle."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The text. Pass it on as it is: in a variable, a traceback may show it."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(…)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A secret cannot be pickled.")


class HiddenFrames:
    """A block whose failures come without the frames below it, where the text of a secret is a local variable."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if error is not None:
            raise error.with_traceback(None)
