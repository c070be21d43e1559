"""One HTTP client for all live sources.

``request.py`` is what a source writes and gets, ``client.py`` sends it, ``deadline.py`` ends it in time.
"""

from wkgfc.http.request import Answer, Http, Kind, Request, Unanswered

__all__ = ["Answer", "Http", "Kind", "Request", "Unanswered"]
