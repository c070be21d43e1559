"""The picture of a table, by Vega-Lite (altair), as SVG: made on this machine, with nothing fetched."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from wkgfc.errors import NotConfigured

Kind = Literal["dots", "lines", "points"]

WIDTH = 260
MISSING = "tables need packages that are missing: pip install 'wkgfc[evaluate]'"


def need_packages() -> None:
    """See that what tables are drawn with is there, before hours are spent on their cells.

    Raises:
        NotConfigured: it is not.
    """
    from importlib.util import find_spec  # noqa: PLC0415 - a look at what is installed

    if any(find_spec(name) is None for name in ("altair", "vl_convert", "jinja2")):
        raise NotConfigured(MISSING)


def draw(data: Sequence[Mapping[str, Any]], title: str, kind: Kind, path: Path) -> None:
    """Draw figures as SVG. Each has ``row``, ``column`` and ``value``; ``low`` and ``high``, or ``x``, where it has.

    A panel a column; dots a row with their intervals, or lines or points over ``x``.
    """
    import altair as alt  # noqa: PLC0415 - an extra
    import vl_convert  # noqa: PLC0415

    columns = list(dict.fromkeys(each["column"] for each in data))
    values = alt.InlineData(values=[{**each} for each in data])
    value = alt.X("value:Q", title=title, scale=alt.Scale(zero=False))
    chart: Any
    if kind == "dots":
        rows = list(dict.fromkeys(each["row"] for each in data))
        names = alt.Y("row:N", title=None, sort=rows)
        chart = alt.Chart(values).mark_point(filled=True, size=50).encode(x=value, y=names)
        if any("low" in each for each in data):
            rule = alt.Chart(values).mark_rule(opacity=0.5).encode(x="low:Q", x2="high:Q", y=names)
            chart = rule + chart
    else:
        over = alt.X("x:Q", title=None, axis=alt.Axis(tickMinStep=1) if kind == "lines" else alt.Axis())
        height = alt.Y("value:Q", title=title, scale=alt.Scale(zero=False))
        base = alt.Chart(values)
        mark = base.mark_line(point=True) if kind == "lines" else base.mark_point(filled=True, size=60)
        chart = mark.encode(
            x=over, y=height, color=alt.Color("row:N", title=None), shape=alt.Shape("row:N", title=None)
        )
    faceted = chart.properties(width=WIDTH).facet(facet=alt.Facet("column:N", title=None, sort=columns), columns=3)
    faceted = faceted.resolve_scale(x="independent" if kind != "lines" else "shared", y="shared")
    path.write_text(vl_convert.vegalite_to_svg(faceted.to_dict()), encoding="utf-8")
