"""What makes two requests the same one: for the cache, and for the replay of a recorded run."""

import hashlib
import json
from typing import Any

import httpx2

from wkgfc.http.redaction import Secrets
from wkgfc.http.request import Request

_VERSION = 1  # of the key: another number where what stands in it changes
_NOT_IN_THE_KEY = {"user-agent"}  # it says who asks, and not what


def request_key(request: Request) -> str:
    """64 hexadecimal digits that stand for method, address, parameters, body and headers, the secret ones left out.

    Raises:
        TypeError: ``json_body`` is no JSON.
    """
    text = json.dumps(described(request), sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def described(request: Request) -> dict[str, Any]:
    """The request as JSON without its secrets, as it is recorded."""
    secrets = Secrets(request)
    headers = {name.lower(): value for name, value in request.headers.items()}
    return {
        "version": _VERSION,
        "method": request.method,
        "url": secrets.hide_url(_in_order(request.url)),
        "params": _hidden(dict(sorted(request.params.items())), secrets),
        "headers": {name: secrets.hide(text) for name, text in sorted(headers.items()) if name not in _NOT_IN_THE_KEY},
        "accepts": list(request.accepts),
        "json": _hidden(request.json_body, secrets),
        "form": None if request.form is None else _hidden(dict(sorted(request.form.items())), secrets),
        "public_only": request.public_only,
    }


def _hidden(value: Any, secrets: Secrets) -> Any:
    """``value``, which is JSON, without secrets in its texts."""
    if not secrets:
        return value
    match value:
        case str():
            return secrets.hide(value)
        case list() | tuple():
            return [_hidden(each, secrets) for each in value]
        case dict():
            return {name: _hidden(each, secrets) for name, each in value.items()}
    return value


def _in_order(url: str) -> str:
    """The address in its normal form; as it is where it is none."""
    try:
        return str(httpx2.URL(url))
    except (httpx2.InvalidURL, UnicodeError, ValueError):
        return url
