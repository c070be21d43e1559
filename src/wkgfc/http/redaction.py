"""Secrets out of everything that is kept or shown: addresses, headers, bodies, reasons."""

import json
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import quote, quote_plus

import httpx2

from wkgfc.http.request import Answer, Request, Unanswered

HIDDEN = "[secret]"
_SHORTEST = 8  # a shorter one is no key ("none", "ollama"), and would be found in ordinary text
_SHORTEST_PART = 8  # of "Bearer KEY" the key alone is one too; the word before it is none
_PRIVATE_HEADERS = {"set-cookie", "set-cookie2"}


class Secrets:
    """The secrets of one request, in every form in which a server may send them back."""

    def __init__(self, request: Request) -> None:
        self._params = frozenset(request.secret_params)
        values: set[str] = set()
        for secret in (*request.secret_headers.values(), *request.secret_params.values()):
            value = secret.get_secret_value()
            values |= {value} if len(value) >= _SHORTEST else set()
            values |= {part for part in value.split() if len(part) >= _SHORTEST_PART}
        forms = {
            form for value in values for form in (value, quote(value, safe=""), quote_plus(value), _escaped(value))
        }
        self._forms = sorted(forms, key=len, reverse=True)

    def __bool__(self) -> bool:
        return bool(self._forms or self._params)

    def hide(self, text: str) -> str:
        """``text`` without secrets."""
        for form in self._forms:
            text = text.replace(form, HIDDEN)
        return text

    def hide_bytes(self, body: bytes) -> bytes:
        """``body`` without secrets."""
        for form in self._forms:
            body = body.replace(form.encode("utf-8", "surrogatepass"), HIDDEN.encode())
        return body

    def hide_url(self, url: str) -> str:
        """``url`` without the secret parameters, and without secrets elsewhere."""
        if self._params:
            try:
                parsed = httpx2.URL(url)
            except (httpx2.InvalidURL, UnicodeError, ValueError):
                return self.hide(url)
            for name in self._params:
                if name in parsed.params:
                    parsed = parsed.copy_remove_param(name)
            url = str(parsed)
        return self.hide(url)

    def hide_headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """``headers`` without cookies and secrets."""
        return {name: self.hide(value) for name, value in headers.items() if name.lower() not in _PRIVATE_HEADERS}


def redacted(request: Request, outcome: Answer | Unanswered) -> Answer | Unanswered:
    """What came of ``request`` without anything that may not be kept."""
    secrets = Secrets(request)
    if isinstance(outcome, Unanswered):
        if not secrets:
            return outcome
        return replace(outcome, reason=secrets.hide(outcome.reason), body=secrets.hide_bytes(outcome.body))
    headers = secrets.hide_headers(outcome.headers)
    if not secrets:
        return replace(outcome, headers=headers)
    return replace(outcome, url=secrets.hide_url(outcome.url), headers=headers, body=secrets.hide_bytes(outcome.body))


def _escaped(value: str) -> str:
    return json.dumps(value)[1:-1]
