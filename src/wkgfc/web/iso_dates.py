"""Days of publication in ISO 8601, as the markup of pages and the rows of files give them."""

import datetime as dt
import re


def read_date(value: object) -> tuple[dt.date | None, dt.date | None]:
    """The day that a date in ISO 8601 names, and the earliest day that it can mean; times of day are left out.

    >>> read_date("2021-05-03T10:00:00Z")[0]
    datetime.date(2021, 5, 3)
    >>> read_date("2021-05")
    (None, datetime.date(2021, 5, 1))

    Raises:
        ValueError: it is no such date.
    """
    if value is None or value == "":
        return None, None
    found = re.fullmatch(r"(\d{4})(?:-?(\d\d)(?:-?(\d\d)(?:[T ].*)?)?)?", str(value).strip(), re.DOTALL)
    if found is None:
        raise ValueError(f"{str(value)[:40]!r} is no ISO date")
    year, month, day = (int(part) if part else None for part in found.groups())
    earliest = dt.date(year or 0, month or 1, day or 1)
    return (earliest if day else None), earliest


def published(value: str | None) -> tuple[dt.date | None, dt.date | None]:
    """``read_date`` of what a page says of itself: one that is written in some other way leaves it undated."""
    try:
        return read_date(value)
    except ValueError:
        return None, None
