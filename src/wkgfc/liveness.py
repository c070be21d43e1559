"""Whether live sources and language models that are chosen answer: a cheap question to each, and what is missing."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from wkgfc.claim import read_claim
from wkgfc.config import Settings
from wkgfc.errors import NotConfigured
from wkgfc.http import Http
from wkgfc.http.deadline import deadline
from wkgfc.network import Network
from wkgfc.reasoning.llm.hybrid import EMBEDDED as EMBEDDED_REASONER
from wkgfc.reasoning.llm.hybrid import read_choice
from wkgfc.sources import EMBEDDED, is_live_graph, is_live_web, open_live_graph
from wkgfc.state import Failed, Found, Nothing
from wkgfc.web.earlier_checks import open_lookup
from wkgfc.web.providers.registry import JOINED_BY, open_web

TIMEOUT_S = 20.0  # for all questions to sources together
MODEL_TIMEOUT_S = 180.0  # for those to models: one on this machine has to be loaded
NAME = "Earth"  # an entity that every general graph has
QUERY = "Eiffel Tower height"
CLAIM = "The Earth is flat."
TO_A_MODEL = "Answer with one word: yes."
MODEL_TOKENS = 16  # the least that all vendors accept
ONE_ROW = "SELECT ?one WHERE { VALUES ?one { 1 } }"  # reads nothing of the graph


@dataclass(frozen=True)
class Answered:
    """What a source did with its question: ``text`` says what came, or why nothing did and what to do."""

    source: str
    works: bool
    text: str


async def probe_all(settings: Settings, *, http: Http | None = None) -> list[Answered]:
    """Ask every live source and every model of ``settings`` once; none of them is asked anything about a claim.

    A search engine counts this as a search, and a vendor some thirty tokens. Nothing is taken from the
    cache, and nothing kept.
    """
    try:
        network = Network(settings.model_copy(update={"cache_bytes": 0}), http=http)
    except NotConfigured as error:
        return [Answered("contact", False, str(error))]
    with deadline(TIMEOUT_S):
        async with network.connected():
            answers = [await _answered(name, ask) for name, ask in _graph_questions(settings, network.http)]
            answers += [await _answered(name, ask) for name, ask in _web_questions(settings, network.http)]
            answers += [await _answered(name, ask) for name, ask in _lookup_questions(settings, network.http)]
    with deadline(MODEL_TIMEOUT_S):
        async with network.connected():
            answers += [await _answered(name, ask) for name, ask in _model_questions(settings, network.models)]
    return answers


_Ask = Callable[[], Awaitable[Failed | str]]


async def _answered(source: str, ask: _Ask) -> Answered:
    try:
        outcome = await ask()
    except NotConfigured as error:
        return Answered(source, False, str(error))
    return Answered(source, False, outcome.reason) if isinstance(outcome, Failed) else Answered(source, True, outcome)


def _graph_questions(settings: Settings, http: Http) -> list[tuple[str, _Ask]]:
    """The endpoint and, where that is another service, the one that knows names."""
    if not is_live_graph(settings.kg):
        return []

    async def endpoint() -> Failed | str:
        from wkgfc.kg.sparql import Endpoint  # noqa: PLC0415 - where it is used

        open_live_graph(settings, http)  # says what is missing
        urls = {"wikidata": settings.wikidata_endpoint, "dbpedia": settings.dbpedia_endpoint}
        service = Endpoint(http, urls.get(settings.kg, settings.kg), headers=_agent(settings), timeout_s=TIMEOUT_S)
        rows = await service.select(ONE_ROW, ["one"])
        return rows if isinstance(rows, Failed) else f"{service.host} answers queries"

    async def names() -> Failed | str:
        match await open_live_graph(settings, http).candidates(NAME, 1):
            case Failed() as failed:
                return failed
            case Found(items=[first, *_]):
                return f"“{NAME}” is {first.entity.id}"
            case _:
                return f"answers, and has nothing named “{NAME}”"

    has_names = settings.kg in ("wikidata", "dbpedia")  # a search by SPARQL may read a whole graph
    return [(settings.kg, endpoint), *([(f"{settings.kg} names", names)] if has_names else ())]


def _agent(settings: Settings) -> dict[str, str]:
    if settings.kg != "wikidata":
        return {}
    from wkgfc.kg.wikidata import user_agent  # noqa: PLC0415

    return {"User-Agent": user_agent(settings.contact)}


def _web_questions(settings: Settings, http: Http) -> list[tuple[str, _Ask]]:
    if not is_live_web(settings.web):
        return []

    def question(name: str) -> _Ask:
        async def ask() -> Failed | str:
            match await open_web(name, http, settings.environment()).search(QUERY, 1):
                case Failed() as failed:
                    return failed
                case Nothing():
                    return "answers, and found nothing for a query that many pages are about"
                case Found(items=[first, *_]):
                    return f"found {first.passage.url or first.passage.title}"
                case _:
                    raise AssertionError("a retrieval is one of three")

        return ask

    names = dict.fromkeys(name.strip() for name in settings.web.split(JOINED_BY))
    return [(name, question(name)) for name in names if name != EMBEDDED]


def _lookup_questions(settings: Settings, http: Http) -> list[tuple[str, _Ask]]:
    async def ask() -> Failed | str:
        lookup = open_lookup(settings, http)
        match await lookup.search(read_claim(CLAIM), 1) if lookup else Nothing():
            case Failed() as failed:
                return failed
            case Found(items=[first, *_]):
                return f"found a check by {first.publisher or 'somebody'}"
            case _:
                return "answers, and has no check of a claim that many have checked"

    return [("earlier checks", ask)] if settings.earlier_checks and not settings.benchmark else []


def _model_questions(settings: Settings, http: Http) -> list[tuple[str, _Ask]]:
    def question(name: str) -> _Ask:
        async def ask() -> Failed | str:
            from wkgfc.reasoning.llm.models import open_model  # noqa: PLC0415 - seconds of import, where it is used

            model = open_model(name, settings, http)

            from pydantic_ai.direct import model_request  # noqa: PLC0415
            from pydantic_ai.exceptions import AgentRunError  # noqa: PLC0415
            from pydantic_ai.messages import ModelRequest  # noqa: PLC0415

            from wkgfc.reasoning.llm.transport import reason_of  # noqa: PLC0415

            try:
                response = await model_request(
                    model.model,
                    [ModelRequest.user_text_prompt(TO_A_MODEL)],
                    model_settings={"max_tokens": MODEL_TOKENS, "timeout": MODEL_TIMEOUT_S, "max_retries": 0},
                )
            except AgentRunError as error:
                return Failed(model.without_secrets(reason_of(error)))
            usage = response.usage
            return f"answers ({usage.input_tokens} tokens read, {usage.output_tokens} written)"

        return ask

    return [(name, question(name)) for name in read_choice(settings.reasoner).names if name != EMBEDDED_REASONER]
