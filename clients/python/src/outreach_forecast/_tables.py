"""DataFrames of pandas and Polars as input, and of pandas as output. Neither library has to be installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, cast

_observed, _out_of = "_observed", "_out_of"


class Table(Protocol):
    """A pandas or Polars DataFrame whose columns have the names of the fields."""

    @property
    def columns(self) -> Any: ...


def rows_of(campaigns: Iterable[Mapping[str, object]] | Table) -> Iterable[Mapping[str, object]]:
    """The campaigns as dictionaries. In a table, evidence for a rate is in the columns RATE_observed and RATE_out_of."""
    table: Any = campaigns
    rows: Iterable[Mapping[str, object]] = table
    if hasattr(table, "columns"):
        rows = map(_with_evidence, table.to_dicts() if hasattr(table, "to_dicts") else table.to_dict("records"))
    return rows


def _with_evidence(row: Mapping[object, object]) -> Mapping[str, object]:
    campaign = {str(name): value for name, value in row.items()}
    evidence: dict[str, object] = {}
    for rate in [name[: -len(_observed)] for name in campaign if name.endswith(_observed)]:
        observed, out_of = campaign.pop(rate + _observed), campaign.pop(rate + _out_of, None)
        # A cell without a number is NaN, which is not equal to itself.
        if observed is not None and observed == observed:
            evidence[rate] = {"observed": observed, "out_of": out_of}
    return {**campaign, "evidence": evidence} if evidence else campaign


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
