"""The search engines by name, what each needs, and how one is made from an environment.

Nothing here reads the process's environment: every function takes a mapping (``os.environ``, or a test's own).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import SecretStr

from wkgfc.errors import NotConfigured
from wkgfc.http import Http
from wkgfc.web.combined import Combined
from wkgfc.web.search import WebSearch
from wkgfc.web.simplify import Simplifying

INSTEAD = "choose --web embedded"
JOINED_BY = "+"
COUNTRY = "WKGFC_COUNTRY"  # of an environment, which has it or not: where searches come from


@dataclass(frozen=True)
class Provider:
    """A search engine that can be chosen.

    ``needs`` are the environment variables without which it cannot be made; ``make`` takes the client and their values.
    """

    name: str
    needs: tuple[str, ...]
    make: Callable[[Http, Mapping[str, str]], WebSearch]
    costs: str

    def missing(self, environment: Mapping[str, str]) -> tuple[str, ...]:
        """Which of its variables are not set, or empty."""
        return tuple(name for name in self.needs if not environment.get(name, "").strip())


def open_web(
    choice: str,
    http: Http,
    environment: Mapping[str, str],
    *,
    others: Mapping[str, Callable[[], WebSearch]] | None = None,
) -> WebSearch:
    """The search that ``choice`` names: one engine (``serper``), or several at once (``serper+brave``).

    ``others`` are further sources by name, made when they are asked for (``embedded``).

    Raises:
        NotConfigured: a name is unknown, a variable is not set or not usable; the text says which and what to do.
    """
    others = others or {}
    names = tuple(dict.fromkeys(part.strip() for part in choice.split(JOINED_BY)))
    unknown = [name for name in names if name not in PROVIDERS and name not in others]
    if unknown:
        known = ", ".join([*others, *PROVIDERS])
        raise NotConfigured(f"there is no search engine {unknown[0]!r}: choose of {known}, or join some with '+'")
    missing = dict.fromkeys(
        variable for name in names if name in PROVIDERS for variable in PROVIDERS[name].missing(environment)
    )
    if missing:
        raise NotConfigured(f"set {' and '.join(missing)}, or {INSTEAD}")
    searches = [PROVIDERS[name].make(http, environment) if name in PROVIDERS else others[name]() for name in names]
    search = searches[0] if len(searches) == 1 else Combined(searches)
    return Simplifying(search) if is_provider(choice) else search


def is_provider(choice: str) -> bool:
    """Whether a value of ``--web`` names an engine of the registry, alone or among others."""
    return any(part.strip() in PROVIDERS for part in choice.split(JOINED_BY))


def _key(environment: Mapping[str, str], name: str) -> SecretStr:
    value = environment[name].strip()
    if not (value.isascii() and value.isprintable()) or " " in value:
        raise NotConfigured(f"{name} is no key: it has spaces or signs in it that no header can carry")
    return SecretStr(value)


def _address(environment: Mapping[str, str], name: str) -> str:
    value = environment[name].strip()
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is None
        usable = usable and not parts.query and not parts.fragment and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise NotConfigured(
            f"{name} must be the address of an instance, as in http://localhost:8888, without a user name"
        )
    return value


def _serper(http: Http, environment: Mapping[str, str]) -> WebSearch:
    from wkgfc.web.providers.serper import Serper  # noqa: PLC0415 - an engine is imported when it is used

    return Serper(http, _key(environment, "SERPER_API_KEY"), country=environment.get(COUNTRY))


def _brave(http: Http, environment: Mapping[str, str]) -> WebSearch:
    from wkgfc.web.providers.brave import Brave  # noqa: PLC0415

    return Brave(http, _key(environment, "BRAVE_API_KEY"), country=environment.get(COUNTRY))


def _tavily(http: Http, environment: Mapping[str, str]) -> WebSearch:
    from wkgfc.web.providers.tavily import Tavily  # noqa: PLC0415

    return Tavily(http, _key(environment, "TAVILY_API_KEY"), country=environment.get(COUNTRY))


def _searxng(http: Http, environment: Mapping[str, str]) -> WebSearch:
    from wkgfc.web.providers.searxng import SearXNG  # noqa: PLC0415

    return SearXNG(http, _address(environment, "SEARXNG_URL"), country=environment.get(COUNTRY))


def _google(http: Http, environment: Mapping[str, str]) -> WebSearch:
    from wkgfc.web.providers.google import Google  # noqa: PLC0415

    key, engine = _key(environment, "GOOGLE_API_KEY"), environment["GOOGLE_CX"].strip()
    return Google(http, key, engine, country=environment.get(COUNTRY))


def _duckduckgo(http: Http, environment: Mapping[str, str]) -> WebSearch:
    from wkgfc.web.providers.duckduckgo import DuckDuckGo  # noqa: PLC0415 - and lxml with it

    return DuckDuckGo(http, country=environment.get(COUNTRY))


PROVIDERS: Mapping[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider("serper", ("SERPER_API_KEY",), _serper, "one credit a search"),
        Provider("brave", ("BRAVE_API_KEY",), _brave, "one request of the plan a search"),
        Provider("tavily", ("TAVILY_API_KEY",), _tavily, "one credit a search"),
        Provider("searxng", ("SEARXNG_URL",), _searxng, "nothing; runs on a machine of yours"),
        Provider("google", ("GOOGLE_API_KEY", "GOOGLE_CX"), _google, "100 searches a day are free"),
        Provider("duckduckgo", (), _duckduckgo, "nothing; best effort, soon refused"),
    )
}
