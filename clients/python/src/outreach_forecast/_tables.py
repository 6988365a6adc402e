"""DataFrames of pandas and Polars as input, and of pandas as output. Neither library has to be installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, cast


class Table(Protocol):
    """A pandas or Polars DataFrame whose columns have the names of the fields."""

    @property
    def columns(self) -> Any: ...


def rows_of(campaigns: Iterable[Mapping[str, object]] | Table) -> Iterable[Mapping[str, object]]:
    """The campaigns as dictionaries."""
    table: Any = campaigns
    rows: Iterable[Mapping[str, object]] = table
    if hasattr(table, "columns"):
        rows = map(_named, table.to_dicts() if hasattr(table, "to_dicts") else table.to_dict("records"))
    return rows


def _named(row: Mapping[object, object]) -> Mapping[str, object]:
    return {str(name): value for name, value in row.items()}


def flat(record: Mapping[str, Any]) -> dict[str, object]:
    """A flat record: `{"a": {"b": 1}}` becomes `{"a_b": 1}`, and a list becomes its items separated by spaces."""
    cells: dict[str, object] = {}
    for name, value in record.items():
        if isinstance(value, Mapping):
            nested = flat(cast("Mapping[str, Any]", value))
            cells.update({f"{name}_{key}": cell for key, cell in nested.items()})
        elif isinstance(value, list):
            cells[name] = " ".join(map(str, cast("list[object]", value)))
        else:
            cells[name] = value
    return cells
