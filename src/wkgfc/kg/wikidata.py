"""Wikidata, live: triples from its query service, names from its Action API.

Sources: https://www.wikidata.org/wiki/Wikidata:Data_access; the query service's limits,
https://wikitech.wikimedia.org/wiki/Wikidata_Query_Service/Technical_interactions; the User-Agent policy,
https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy
"""

import re
from importlib.metadata import version

from wkgfc.errors import NotConfigured
from wkgfc.http import Http
from wkgfc.kg.labels import SparqlNames, languages_of
from wkgfc.kg.sparql import TIMEOUT_S, Endpoint
from wkgfc.kg.wikibase import Wikibase
from wkgfc.kg.wikidata_api import ApiNames

QUERY_SERVICE = "https://query.wikidata.org/sparql"
SCHOLARLY_QUERY_SERVICE = "https://query-scholarly.wikidata.org/sparql"  # articles, which the other has not since 2025
API = "https://www.wikidata.org/w/api.php"

_GRAPH = "http://www.wikidata.org"  # the query service tells the schema:dateModified of this
_CONTACT = re.compile(r"(?:https?://)?[A-Za-z0-9._%+~/?=&#:-]{1,150}(?:@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)?", re.ASCII)
_NOT_TOKEN = re.compile(r"[^A-Za-z0-9.]+")


def open_wikidata(
    http: Http,
    contact: str | None,
    *,
    endpoint: str = QUERY_SERVICE,
    api: str | None = API,
    language: str = "en",
    timeout_s: float = TIMEOUT_S,
) -> Wikibase:
    """Wikidata with names in ``language``, and in English where it has none in that.

    ``contact`` is an e-mail address or a web page of whoever runs this. ``endpoint`` may be
    ``SCHOLARLY_QUERY_SERVICE``. Without an ``api``, names are asked of the endpoint too, and only whole ones are found.

    Raises:
        NotConfigured: there is no contact, or an address is none.
    """
    headers = {"User-Agent": user_agent(contact)}
    service = Endpoint(http, endpoint, headers=headers, timeout_s=timeout_s)
    spoken = languages_of(language)
    names = ApiNames(http, api, headers, spoken) if api else SparqlNames(service, spoken, any_case=False)
    return Wikibase(service, names, name="wikidata", dated=_GRAPH)


def user_agent(contact: str | None) -> str:
    """What Wikimedia's servers know the operator by: a name made of the contact, the contact, then this program.

    >>> user_agent("desk@news.example").partition(" WKGFC/")[0]
    'desk-news.example/1.0 (desk@news.example)'

    Raises:
        NotConfigured: there is no contact, or it is neither an e-mail address nor a web page.
    """
    given = (contact or "").strip()
    is_page = given.startswith(("http://", "https://"))
    if not _CONTACT.fullmatch(given) or not (is_page or "@" in given) or "." not in given:
        raise NotConfigured(
            "Wikidata needs a contact, an e-mail address or a web page of yours (WKGFC_CONTACT): Wikimedia's policy "
            "asks every program to say who runs it, counts its limits by that, and blocks those that do not"
        )
    name = _NOT_TOKEN.sub("-", re.sub("^https?://", "", given)).strip("-.")
    return f"{name}/1.0 ({given}) WKGFC/{version('wkgfc')}"
