"""DataFrames of pandas, Polars and others as input. No library has to be installed."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from .errors import InvalidArgumentError


class Table(Protocol):
    """A pandas or Polars DataFrame, or an Arrow table, whose columns have the names of the fields."""

    @property
    def columns(self) -> Any: ...


class Fields(Protocol):
    """The type of a dictionary, which knows the names of its members."""

    __required_keys__: frozenset[str]
    __optional_keys__: frozenset[str]


_texts = frozenset(("name", "spread"))

# Columns that name a row in the tables of others, without "_" and spaces.
_namings = frozenset(
    "campaign campaignname campaignid id title label company companyname subject subjectline".split()
)


def rows_of(campaigns: Iterable[Mapping[str, object]] | Table, fields: Fields, name: str) -> list[Mapping[str, object]]:
    """The campaigns as dictionaries.

    Raises InvalidArgumentError for a table that cannot be read, and once for each column that is wrong in every row.
    """
    # Asking a LazyFrame itself for its columns would compute them, with a warning.
    if not hasattr(type(campaigns), "columns") and not hasattr(campaigns, "columns"):
        given: Any = campaigns
        try:
            return [dict(campaign) for campaign in given]
        except (TypeError, ValueError) as error:
            raise InvalidArgumentError(f"{name} must be a list of dictionaries, or a DataFrame.") from error
    names, rows = _read(campaigns, name)
    faults = _faults(names, rows, fields)
    if faults:
        raise InvalidArgumentError(f"{name} cannot be sent: {' '.join(faults)}")
    return rows


def _read(table: Any, name: str) -> tuple[list[str], list[Mapping[str, object]]]:
    """The names of the columns of a table, and its rows."""
    for evaluate in ("collect", "compute"):
        # A LazyFrame of Polars, and a DataFrame of Dask.
        if hasattr(table, evaluate) and not hasattr(table, "to_dicts"):
            return _read(getattr(table, evaluate)(), name)
    # An Arrow table has the names elsewhere, and a dictionary of a row would keep the last of two.
    columns = [str(column) for column in getattr(table, "column_names", table.columns)]
    twice = sorted({column for column in columns if columns.count(column) > 1})
    if twice:
        faults = (f"Column {column!r} is there more than once; keep one of them." for column in twice)
        raise InvalidArgumentError(f"{name} cannot be sent: {' '.join(faults)}")
    if hasattr(table, "to_dicts"):
        rows = table.to_dicts()
    elif hasattr(table, "to_pylist"):
        rows = table.to_pylist()
    elif hasattr(table, "to_dict"):
        rows = _named_by_index(table).to_dict("records")
    else:
        kind = type(table).__name__
        raise InvalidArgumentError(f"{name} is a {kind}, which cannot be read: convert it to a pandas or Polars DataFrame.")
    read: list[Mapping[str, object]] = [{str(column): value for column, value in row.items()} for row in rows]
    return list(read[0]) if read else [], read


def _named_by_index(frame: Any) -> Any:
    """A pandas DataFrame whose index is a column if it has the names of the campaigns."""
    index = getattr(frame, "index", None)
    if index is None or "name" in frame.columns:
        return frame
    if "name" in getattr(index, "names", ()):
        return frame.reset_index(level="name")
    if getattr(index, "nlevels", 1) != 1:
        return frame
    are_texts = len(index) > 0 and all(isinstance(label, str) for label in index)
    return frame.rename_axis("name").reset_index() if are_texts else frame


def _plain(name: str) -> str:
    return name.replace("_", "").replace(" ", "").lower()


def _meant(column: str, missing: list[str]) -> str | None:
    """The field that a column was probably meant to be, of those that are missing."""
    if column in _namings:
        return "name" if "name" in missing else None
    return next(iter(difflib.get_close_matches(column, missing, 1)), None)


def _faults(names: list[str], rows: list[Mapping[str, object]], fields: Fields) -> list[str]:
    """What is wrong with whole columns: unknown names, those that are missing, and text instead of numbers."""
    known = fields.__required_keys__ | fields.__optional_keys__
    by_plain = {_plain(field): field for field in sorted(known)}
    faults: list[str] = []
    found = {by_plain[_plain(column)] for column in names if _plain(column) in by_plain}
    missing = [each for each in by_plain if by_plain[each] not in found]
    for column in names:
        field = by_plain.get(_plain(column))
        if field is None:
            near = _meant(_plain(column), missing)
            if near == "name":
                missing.remove(near)
            hint = f"; did you mean {by_plain[near]!r}?" if near else "; leave it out, as with drop."
            faults.append(f"Column {column!r} is not a field{hint}")
        elif field not in _texts:
            texts = [row[column] for row in rows if isinstance(row[column], str)]
            if texts and len(texts) == sum(row[column] is not None for row in rows):
                faults.append(f"Column {column!r} has text, such as {texts[0]!r}; it must have numbers.")
    if names:
        faults += [f"Column {field!r} is missing." for field in sorted(fields.__required_keys__ - found)]
    return faults
