"""A response as HTML for notebooks, which needs no stylesheet and is legible in light and dark schemes."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

_stages = (
    ("replies", "Replies"),
    ("positive_replies", "Positive replies"),
    ("meetings", "Meetings"),
    ("clients", "Clients"),
)
_most_rows = 10


def forecast_html(forecast: Mapping[str, Any]) -> str:
    """The funnel of a forecast: expected numbers, and the range that holds in 80 of 100 such campaigns."""
    outlook: Mapping[str, Mapping[str, float]] = forecast["outlook"]
    widest = max([outlook[name]["high"] for name, _ in _stages]) or 1
    rows = "".join(
        f"<tr>{_cell(title, 'left')}{_cell(_number(forecast['estimated_' + name]))}"
        f"{_cell(_range(outlook[name]))}<td style='width:20em'>{_bar(outlook[name], widest)}</td></tr>"
        for name, title in _stages
    )
    name = forecast.get("name")
    facts = [
        forecast["performance_grade"].replace("_", " "),
        *_money("revenue", forecast["estimated_revenue"]),
        *_money("profit", forecast["estimated_profit"]),
        *([] if forecast["roi_multiple"] is None else [f"{_number(forecast['roi_multiple'])} times the cost"]),
        f"no client in {forecast['outlook']['chance_of_no_client'] * 100:.3g} of 100 such campaigns",
    ]
    title = "" if name is None else f"<b>{escape(str(name))}</b>: "
    return _table(title + escape(" · ".join(facts)), ("", "Expected", "80% range", ""), rows)


def campaigns_html(answer: Mapping[str, Any]) -> str:
    """The totals of many campaigns, and the best of them."""
    forecasts, order, totals = answer["forecasts"], answer["ranking"]["order"], answer["totals"]
    by_name = {i if one["name"] is None else one["name"]: one for i, one in enumerate(forecasts)}
    best = [(called, by_name[called]) for called in order[:_most_rows]]
    rows = "".join(
        f"<tr>{_cell(str(rank))}{_cell(str(called), 'left')}{_cell(_number(forecast['estimated_clients']))}"
        f"{_cell(_range(forecast['outlook']['clients']))}{_cell(_number(forecast['estimated_profit']))}</tr>"
        for rank, (called, forecast) in enumerate(best, 1)
    )
    facts = [
        f"{len(forecasts):,} campaigns",
        f"{_number(totals['estimated_clients'])} clients",
        *_money("profit", totals["estimated_profit"]),
        *([f"the best {_most_rows} of them by {answer['ranking']['by']}"] if len(order) > _most_rows else []),
    ]
    return _table(escape(" · ".join(facts)), ("Rank", "Campaign", "Clients", "80% range", "Profit"), rows)


def _table(caption: str, titles: tuple[str, ...], rows: str) -> str:
    head = "".join(
        f"<th style='text-align:{'left' if title == 'Campaign' else 'right'}'>{title}</th>" for title in titles
    )
    return (
        f"<div>{caption}</div><table style='color:inherit'><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _cell(text: str, side: str = "right") -> str:
    return f"<td style='text-align:{side};white-space:nowrap'>{escape(text)}</td>"


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def _money(what: str, value: float | None) -> list[str]:
    return [] if value is None else [f"{what} {_number(value)}"]


def _range(stage: Mapping[str, float]) -> str:
    return f"{stage['low']:,} to {stage['high']:,}"


def _bar(stage: Mapping[str, float], widest: float) -> str:
    """A bar up to the median, with the range across its end."""
    low, median, high = (stage[name] / widest * 100 for name in ("low", "median", "high"))
    place = "position:absolute;left"
    return (
        "<div style='position:relative;height:1em;min-width:12em'>"
        f"<div style='{place}:0;width:{median:.1f}%;height:100%;background:#4c78a8;opacity:.55'></div>"
        f"<div style='{place}:{low:.1f}%;width:{max(high - low, 0.5):.1f}%;top:35%;height:30%;background:#e45756'>"
        "</div>"
        "</div>"
    )
