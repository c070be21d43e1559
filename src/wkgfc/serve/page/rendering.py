"""Templates into HTML. Every string is escaped, and loses the signs that a reader does not see."""

import datetime as dt
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from wkgfc.claim import visible_text
from wkgfc.months import MONTHS
from wkgfc.serve.page.assets import Asset


class Renderer:
    """The templates of the page. ``assets`` are the files that they refer to."""

    def __init__(self, assets: Mapping[str, Asset]) -> None:
        self._assets = assets
        self._environment = Environment(
            loader=PackageLoader("wkgfc.serve.page"),
            autoescape=True,  # for every template, whatever its name
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=_finalize,
        )
        self._environment.filters |= {
            "per_cent": per_cent,
            "day": day,
            "moment": moment,
            "cut": cut,
            "site": site,
        }

    def render(self, template: str, *, root: str, **values: Any) -> str:
        """A page. ``root`` is the path that the service stands under, without a slash at its end."""

        def asset(name: str) -> str:
            return f"{root}/static/{name}?v={self._assets[name].version}"

        return self._environment.get_template(template).render(root=root, asset=asset, **values)


def _finalize(value: Any) -> Any:
    """What goes into a page: strings without invisible characters. What is markup was made by a template."""
    return visible_text(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def per_cent(share: float) -> str:
    """``0.919`` as ``92 %``. What is nearly sure is never shown as quite sure.

    >>> per_cent(0.9997), per_cent(0.0004), per_cent(0.0)
    ('over 99 %', 'under 1 %', '0 %')
    """
    if 0.995 <= share < 1:
        return "over 99 %"
    return "under 1 %" if 0 < share < 0.005 else f"{round(100 * share)} %"


def day(when: dt.date) -> str:
    """``1 February 2026``, the same in every locale."""
    return f"{when.day} {MONTHS[when.month - 1]} {when.year}"


def moment(when: dt.datetime) -> str:
    """A day and a time of it, in UTC."""
    utc = when.astimezone(dt.UTC)
    return f"{day(utc)}, {utc:%H:%M} UTC"


def cut(text: str, length: int) -> str:
    """The text in one line of ``length`` characters at most."""
    line = " ".join(visible_text(text).split())
    return line if len(line) <= length else f"{line[: length - 1]}…"


def site(address: str) -> str:
    """The name of the site of an address."""
    return cut(urlsplit(address).hostname or address, 60)
