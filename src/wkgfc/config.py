"""Settings: every limit and choice with its documented default, and where each value came from.

A value is taken from the first of: what the caller passes (a flag), the environment (``WKGFC_…``), the settings file
(``config.toml`` in the user's configuration folder, or the file that ``WKGFC_CONFIG`` names), the default.

What search engines need (``SERPER_API_KEY`` and the like) is read from the environment under the names that those who
give out the keys use, as ``WKGFC_SERPER_API_KEY`` too, and from the settings file in lower case. A key is a
``SecretStr``: it is never printed, recorded or written into an error.
"""

import os
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

import platformdirs
from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from wkgfc.errors import NotConfigured

APP = "wkgfc"
_PREFIX = "WKGFC_"


def config_file() -> Path:
    """The settings file, whether it exists or not."""
    return Path(os.environ.get("WKGFC_CONFIG") or Path(platformdirs.user_config_dir(APP)) / "config.toml")


def is_url(choice: str) -> bool:
    """Whether a value of ``kg`` is the address of a service."""
    return choice.lower().startswith(("http://", "https://"))


def _needed(name: str, description: str) -> Any:
    """A setting that an engine needs, by its own name in the environment."""
    return Field(
        None, validation_alias=AliasChoices(name, f"{_PREFIX.lower()}{name}"), description=description, repr=False
    )


class Settings(BaseSettings):
    """All settings. The description of each is what ``wkgfc config`` prints."""

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX, extra="forbid", frozen=True, hide_input_in_errors=True, populate_by_name=True
    )

    kg: str = Field(
        "embedded",
        description="knowledge graph: embedded, none, wikidata, dbpedia, the URL of a SPARQL endpoint, or the PATH of "
        "a store of 'wkgfc kg build'",
    )
    web: str = Field(
        "embedded",
        description="passages: embedded, none, the PATH of an index of 'wkgfc corpus build', or search engines joined "
        "by '+': serper, brave, tavily, searxng, google, duckduckgo, embedded",
    )
    reasoner: str = Field(
        "embedded",
        description="who makes the judgements: embedded, or a language model as VENDOR:MODEL, of openai, anthropic, "
        "google, openrouter, azure, ollama, vllm, openai-compatible, local (PATH.gguf); after commas others for some: "
        "'openai:gpt-4o, grade=embedded, select=embedded'",
    )
    policy: Path | None = Field(
        None,
        description="FOLDER of a policy: prompts for the language model, embedded.json for the embedded reasoner; what "
        "is not in it is built in",
    )
    llm_url: str | None = Field(
        None,
        description="address of the model's service, as http://localhost:8000/v1, where it is not the vendor's own",
    )
    llm_actions: Literal["auto", "tools", "schema"] = Field(
        "auto",
        description="how the four actions are offered: as functions to call, or as a JSON schema, which small models "
        "keep to better; auto: functions for the models of vendors, a schema for those of one's own",
    )
    llm_answers: Literal["auto", "schema", "tool", "prompt"] = Field(
        "auto",
        description="what makes the model keep to the form of an answer: a JSON schema, a function, or the prompt; "
        "auto: the first of them that it knows",
    )
    llm_prompts: Literal["auto", "full", "short"] = Field(
        "auto", description="short: little is shown at a time, for small models; auto: short for local ones"
    )
    llm_concurrency: int = Field(8, ge=1, le=256, description="questions to one provider of models at a time")
    llm_timeout_s: float = Field(120.0, gt=0, le=3_600, description="seconds for one answer of a model")
    llm_max_tokens: int = Field(4_000, ge=100, description="tokens of one answer of a model, at most")
    llm_thinking_tokens: int | None = Field(
        None,
        ge=0,
        le=200_000,
        description="tokens beside these for what a model thinks before it answers; without it 8000 for a model that "
        "is known to think, and none for others",
    )
    llm_temperature: Annotated[float, Field(ge=0, le=2)] | Literal["model"] = Field(
        0.0, description="of a model's sampling; model: its own, as some models of vendors refuse to be told one"
    )
    attributions: Literal["said", "true"] = Field(
        "said", description="whether a language model checks of 'X said Y' that X said it, or that Y is true"
    )
    mode: Literal["single", "debate"] = Field(
        "single",
        description="who looks for evidence: single: one agent; debate: an advocate and a sceptic in turn, and a judge",
    )
    votes: int = Field(
        1, ge=1, le=15, description="verdicts that a language model is asked for; their agreement counts in confidence"
    )
    second_opinion: Literal["none", "flag", "shown"] = Field(
        "flag",
        description="the verifier beside a language model's verdict: flag where it disagrees; shown: to the judge too",
    )
    verifier: Path | None = Field(
        None, description="FOLDER of the verifier of the embedded reasoner; without it the one that ships"
    )
    data_dir: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir(APP)), description="folder of the embedded stores"
    )
    hops: int = Field(4, ge=1, le=8, description="hops of one KG retrieval (N; paper, section 5.6)")
    beam: int = Field(4, ge=1, le=16, description="relations kept a hop, and entities of the next frontier (k)")
    triples: int = Field(5, ge=1, le=50, description="triples kept a relation, direction and entity (m)")
    max_steps: int = Field(6, ge=2, le=30, description="actions a check, the verdict included")
    passages: int = Field(8, ge=1, le=50, description="passages taken from one web search")
    counting: Literal["batched", "faithful"] = Field(
        "batched", description="batched: one query a frontier; faithful: the paper's query an entity and direction"
    )
    timeout_s: float = Field(
        120.0, gt=0, description="seconds for the retrieval of a check: what is not there by then is a failure"
    )
    max_tokens: int | None = Field(
        None, ge=1_000, description="tokens that models read and write in a check; at the limit it concludes"
    )
    max_cost_usd: float | None = Field(None, gt=0, description="dollars for models a check; at the limit it concludes")
    run_max_steps: int | None = Field(
        None, ge=1, description="actions of a whole run (one command); at the limit no further check begins"
    )
    run_max_tokens: int | None = Field(None, ge=1_000, description="tokens of a whole run; likewise")
    run_max_cost_usd: float | None = Field(None, gt=0, description="dollars of a whole run; likewise")
    run_timeout_s: float | None = Field(None, gt=0, description="seconds of a whole run; likewise")
    run_concurrency: int = Field(8, ge=1, le=4_096, description="claims that a batch checks at a time, in all")
    run_workers: int | None = Field(
        None,
        ge=1,
        le=256,
        description="processes of a batch; without it one a core where everything is on this machine, and else one",
    )
    run_claim_timeout_s: float | None = Field(
        None, gt=0, description="seconds after which a batch gives up a claim; without it four times timeout_s"
    )
    run_kept_answers: int = Field(
        5_000, ge=0, description="answers of sources that a batch keeps in memory for its other claims, in each process"
    )
    run_stores: Literal["mounted", "shipped"] = Field(
        "mounted",
        description="local stores on the machines of a cluster: mounted: there, at the same paths; "
        "shipped: sent to them",
    )
    run_shards: Path | None = Field(
        None, description="FOLDER that all machines of a cluster share: what a lost process had done is found there"
    )
    run_export_s: float = Field(
        60.0, ge=0, description="seconds between two exports of a batch under way, at least; 0: only at the end"
    )
    run_store: str | None = Field(
        None,
        description="where batches are kept that several machines write: postgresql://user@host/database, the password "
        "in PGPASSWORD or .pgpass; without it a SQLite file in --out",
    )
    price_input_usd: float | None = Field(
        None, ge=0, description="dollars for a million tokens read, for models whose price is not known; own server: 0"
    )
    price_output_usd: float | None = Field(None, ge=0, description="dollars for a million tokens written; likewise")
    trace_content: bool = Field(
        False, description="put what was said (claims, queries, prompts, answers) into traces too, for OpenTelemetry"
    )
    local_timeout_s: float = Field(
        1_800.0, gt=0, description="timeout_s of a check in which a model on this machine judges, which takes minutes"
    )
    local_context: int = Field(
        4096, ge=512, le=1_000_000, description="tokens that a model on this machine holds, prompt and answer together"
    )
    local_threads: int | None = Field(
        None, ge=1, le=1024, description="threads of a model on this machine; without it one a core"
    )
    blocked_sites: tuple[str, ...] = Field((), description="sites whose passages are never evidence")
    allowed_sites: tuple[str, ...] = Field((), description="if given, the only sites whose passages are evidence")
    benchmark: bool = Field(
        False, description="keep out fact-checking sites, and pages that quote the claim with a verdict on it"
    )

    earlier_checks: bool = Field(
        False,
        description="look up what fact-checkers have said of the claim, and show it beside the verdict; "
        "never evidence, and never in a benchmark",
    )
    publisher_name: str | None = Field(
        None, description="who publishes the verdicts, in 'wkgfc export --as claimreview'"
    )
    publisher_url: str | None = Field(None, description="the publisher's address on the web, likewise")
    contact: str | None = Field(
        None,
        description="e-mail address or web page of yours, told to every live source in the User-Agent; Wikidata "
        "asks for it",
    )
    wikidata_endpoint: str = Field(
        "https://query.wikidata.org/sparql",
        description="query service of --kg wikidata; https://query-scholarly.wikidata.org/sparql has the articles",
    )
    wikidata_api: str = Field(
        "https://www.wikidata.org/w/api.php", description="Action API of --kg wikidata, where names are looked up"
    )
    dbpedia_endpoint: str = Field("https://dbpedia.org/sparql", description="SPARQL endpoint of --kg dbpedia")
    dbpedia_lookup: str = Field(
        "https://lookup.dbpedia.org/api/search", description="lookup service of --kg dbpedia, where names are looked up"
    )
    query_timeout_s: float = Field(60.0, gt=0, le=600, description="seconds for one SPARQL query")
    attempts: int = Field(3, ge=1, le=10, description="times that a request is sent, where its failure may pass")
    redirects: int = Field(5, ge=0, le=20, description="redirects followed for one request")

    country: str | None = Field(
        None,
        pattern="^[A-Za-z]{2}$",
        description="two letters of a country (gb, de): search engines that take the wish prefer its pages",
    )
    proxy: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("wkgfc_proxy", "https_proxy", "all_proxy"),
        description="address of an HTTP proxy, as http://user:password@proxy.example:3128, that everything goes "
        "through but what is on this machine; read from HTTPS_PROXY and ALL_PROXY too",
        repr=False,
    )
    no_proxy: str | None = Field(
        None,
        validation_alias=AliasChoices("wkgfc_no_proxy", "no_proxy"),
        description="hosts that are reached without the proxy, by commas, with their subdomains; NO_PROXY too",
    )
    proxy_resolves: bool = Field(
        False,
        description="let the proxy look up the names of pages, where this machine cannot: whether a name leads into "
        "your own network is then for the proxy to refuse",
    )
    max_pages: int = Field(8, ge=0, le=50, description="pages read for one web search; 0: the engine's summaries alone")
    page_bytes: int = Field(10_000_000, ge=1_000, le=100_000_000, description="bytes of one page, decompressed")
    page_timeout_s: float = Field(15.0, gt=0, le=600, description="seconds for one page to arrive")
    reading_timeout_s: float = Field(20.0, gt=0, le=600, description="seconds for the text of one page to be read")
    pages_timeout_s: float = Field(25.0, gt=0, le=600, description="seconds for all pages of one web search")
    passages_per_page: int = Field(4, ge=1, le=50, description="passages of one page among those of a web search")
    robots: bool = Field(True, description="read no page that its site's robots.txt keeps from machines")
    archive: bool = Field(
        False, description="where a page cannot be had, take the Internet Archive's copy, which learns its address"
    )
    keep_pages: Path | None = Field(
        None, description="FOLDER in which the text of every page used is kept; without it none is"
    )

    cache_dir: Path = Field(
        default_factory=lambda: Path(platformdirs.user_cache_dir(APP)), description="folder of the answers kept"
    )
    cache_bytes: int = Field(500_000_000, ge=0, description="bytes of all answers kept, compressed; 0: none are")
    cache_entity_s: float = Field(7 * 86_400.0, ge=0, description="seconds that an answer about names is kept")
    cache_query_s: float = Field(86_400.0, ge=0, description="seconds that the answer to a SPARQL query is kept")
    cache_search_s: float = Field(3_600.0, ge=0, description="seconds that the answer of a search engine is kept")
    cache_page_s: float = Field(7 * 86_400.0, ge=0, description="seconds that a page is kept")

    reward_correctness: float = Field(
        0.5,
        ge=0,
        description="what a right verdict weighs in the reward that policies are learned by (docs/learning.md)",
    )
    reward_sufficiency: float = Field(0.2, ge=0, description="what evidence that decides for the label weighs there")
    reward_citations: float = Field(0.1, ge=0, description="what citations that bear the verdict out weigh there")
    reward_efficiency: float = Field(0.15, ge=0, description="what few queries, searches and calls weigh there")
    reward_contradictions: float = Field(0.05, ge=0, description="what rightly handled contradictions weigh there")

    mcp_token: SecretStr | None = Field(
        None,
        min_length=16,
        description="what a client of 'wkgfc mcp --http' must send as its bearer token; needed where others reach it",
        repr=False,
    )

    serve_host: str = Field("127.0.0.1", description="address that 'wkgfc serve' listens on: this machine alone")
    serve_port: int = Field(8765, ge=0, le=65_535, description="port that it listens on; 0: any that is free")
    serve_dir: Path | None = Field(
        None, description="FOLDER of the service's checks and API keys; without it 'service' in data_dir"
    )
    serve_hosts: tuple[str, ...] = Field(
        (),
        description="names that the service is reached by, as factcheck.example: a request under another is refused. "
        "Without any: on this machine alone its own names; on an address that others reach, every name is answered",
    )
    serve_origins: tuple[str, ...] = Field(
        (), description="origins whose pages may call the API from a browser, as https://desk.example (CORS)"
    )
    serve_trusted_proxies: tuple[str, ...] = Field(
        (), description="addresses of reverse proxies whose word counts for who is asking (X-Forwarded-For)"
    )
    serve_workers: int | None = Field(
        None,
        ge=0,
        le=64,
        description="processes that check claims; 0: threads of the service's own; without it one a core, at most 4, "
        "and one where the waiting is for live sources",
    )
    serve_concurrency: int | None = Field(
        None,
        ge=1,
        le=256,
        description="checks at a time in each of them; without it 1, and 8 where the waiting is for live sources",
    )
    serve_worker_checks: int = Field(
        1_000,
        ge=1,
        description="checks of one such process, then a new one takes its place: what it remembers does not grow for "
        "ever",
    )
    serve_queue: int = Field(500, ge=1, le=1_000_000, description="checks that wait, at most: further ones get a 429")
    serve_batch: int = Field(200, ge=1, le=100_000, description="claims of one batch, or of one text, at most")
    serve_rate: int = Field(
        1_200, ge=1, description="requests a minute of one API key, or of one address; each claim of a batch is one"
    )
    serve_streams: int = Field(200, ge=1, description="streams of events that are open at a time")
    serve_body_bytes: int = Field(
        2_000_000, ge=1_000, le=100_000_000, description="bytes of the body of one request, at most"
    )
    serve_check_timeout_s: float | None = Field(
        None,
        gt=0,
        description="seconds after which a check, or the reading of a text, is given up; without it twice what the "
        "retrieval of a check may take",
    )
    serve_shutdown_s: float = Field(
        20.0, ge=0, le=3_600, description="seconds that running checks have to end when the service is told to stop"
    )
    serve_heartbeat_s: float = Field(
        15.0, gt=0, le=600, description="seconds without an event after which a stream says that it is alive"
    )
    serve_keep_days: float | None = Field(
        None, gt=0, description="days that checks are kept after they ended; without it until somebody removes them"
    )

    serper_api_key: SecretStr | None = _needed("serper_api_key", "key of --web serper")
    brave_api_key: SecretStr | None = _needed("brave_api_key", "key of --web brave")
    tavily_api_key: SecretStr | None = _needed("tavily_api_key", "key of --web tavily")
    google_api_key: SecretStr | None = _needed("google_api_key", "key of --web google")
    google_cx: str | None = _needed("google_cx", "id of the Programmable Search Engine of --web google")
    searxng_url: str | None = _needed("searxng_url", "address of the instance of --web searxng")
    google_factcheck_api_key: SecretStr | None = _needed("google_factcheck_api_key", "key of --earlier-checks")

    openai_api_key: SecretStr | None = _needed("openai_api_key", "key of --reasoner openai:…")
    anthropic_api_key: SecretStr | None = _needed("anthropic_api_key", "key of --reasoner anthropic:…")
    gemini_api_key: SecretStr | None = _needed("gemini_api_key", "key of --reasoner google:…")
    openrouter_api_key: SecretStr | None = _needed("openrouter_api_key", "key of --reasoner openrouter:…")
    azure_openai_api_key: SecretStr | None = _needed("azure_openai_api_key", "key of --reasoner azure:…")
    azure_openai_endpoint: str | None = _needed("azure_openai_endpoint", "address of --reasoner azure:…")
    openai_api_version: str | None = _needed("openai_api_version", "version of the API of --reasoner azure:…")
    llm_api_key: SecretStr | None = _needed("llm_api_key", "key of the service at llm_url, where it asks for one")

    @field_validator(
        "llm_url",
        "azure_openai_endpoint",
        "kg",
        "wikidata_endpoint",
        "wikidata_api",
        "dbpedia_endpoint",
        "dbpedia_lookup",
        "searxng_url",
    )
    @classmethod
    def _has_no_password(cls, value: str | None) -> str | None:
        """An address is printed and recorded, so it must hold nothing secret."""
        try:
            is_plain = value is None or not is_url(value) or urlsplit(value).username is None
        except ValueError:
            is_plain = False
        if not is_plain:
            raise ValueError("it must be an address without a user name and a password")
        return value

    @field_validator("run_store")
    @classmethod
    def _is_database(cls, value: str | None) -> str | None:
        """As above: the password is told to the driver in the ways that it knows."""
        try:
            parts = urlsplit(value) if value is not None else None
            is_plain = parts is None or (
                parts.scheme in {"postgres", "postgresql"} and parts.password is None and "password" not in parts.query
            )
        except ValueError:
            is_plain = False
        if not is_plain:
            raise ValueError("it must be postgresql://user@host/database, with the password in PGPASSWORD or .pgpass")
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What the caller passes, then the environment, then the settings file."""
        return (init_settings, env_settings, TomlConfigSettingsSource(settings_cls, config_file()))

    def environment(self) -> Mapping[str, str]:
        """What search engines are told, by the names of environment variables, as ``wkgfc.web.providers`` takes it."""
        values = {name.upper(): getattr(self, name) for name in NEEDED_BY_ENGINES}
        values[f"{_PREFIX}COUNTRY"] = self.country
        return {
            name: value.get_secret_value() if isinstance(value, SecretStr) else value
            for name, value in values.items()
            if value is not None
        }

    def shown(self) -> dict[str, Any]:
        """All settings as JSON, for people to read: of a key, whether it is set."""
        values = self.model_dump(mode="json", exclude=set(SECRETS))
        return {
            name: ("set" if getattr(self, name) else "not set") if name in SECRETS else values[name]
            for name in type(self).model_fields
        }

    def shared_by(self, number: int) -> Self:
        """The settings of each of ``number`` processes that do a run together: its part of what the run may use.

        Dollars, tokens and steps are divided, and whole numbers are at least 1; time passes for all alike.
        """
        cost_usd, tokens, steps = self.run_max_cost_usd, self.run_max_tokens, self.run_max_steps
        if number == 1 or (cost_usd is None and tokens is None and steps is None):
            return self
        return self.model_copy(
            update={
                "run_max_cost_usd": None if cost_usd is None else cost_usd / number,
                "run_max_tokens": None if tokens is None else max(1, tokens // number),
                "run_max_steps": None if steps is None else max(1, steps // number),
            }
        )


NEEDED_BY_ENGINES = (
    "serper_api_key",
    "brave_api_key",
    "tavily_api_key",
    "google_api_key",
    "google_cx",
    "searxng_url",
)
NEEDED_BY_MODELS = (
    "openai_api_key",
    "anthropic_api_key",
    "gemini_api_key",
    "openrouter_api_key",
    "azure_openai_api_key",
    "azure_openai_endpoint",
    "openai_api_version",
    "llm_api_key",
)
NEEDED = (*NEEDED_BY_ENGINES, *NEEDED_BY_MODELS, "google_factcheck_api_key")
SECRETS = tuple(name for name, field in Settings.model_fields.items() if field.annotation == SecretStr | None)


def load_settings(**given: Any) -> Settings:
    """The settings with those ``given`` that are not ``None`` on top.

    Raises:
        NotConfigured: a value cannot be used; the text names the setting and what is wrong with it.
    """
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = str(first["loc"][0]) if first["loc"] else "settings"
        if first["type"] == "extra_forbidden":
            near = get_close_matches(name, Settings.model_fields, 1)
            meant = f" (is it {near[0]}?)" if near else ""
            raise NotConfigured(
                f"there is no setting {name}{meant}: 'wkgfc config' lists them; the settings file is {config_file()}"
            ) from error
        said = f"setting {name}: {first['msg'].removeprefix('Value error, ')}"
        # What was given is shown where it cannot be a secret: neither a key nor what nobody knows the meaning of.
        if name in Settings.model_fields and name not in SECRETS and first["type"] != "value_error":
            said += f" (got {first.get('input')!r}; see 'wkgfc config')"
        raise NotConfigured(said) from error
    except SettingsError as error:  # a list that is none, in the environment
        raise NotConfigured(
            f'{error}: a list is written as JSON there, as WKGFC_BLOCKED_SITES=\'["a.example", "b.example"]\''
        ) from error
    except ValueError as error:  # the file is no TOML
        raise NotConfigured(f"the settings file {config_file()} cannot be read: {error}") from error


def origin(name: str) -> str:
    """Where the value of setting ``name`` comes from when no flag is given: environment, file or default."""
    alias = Settings.model_fields[name].validation_alias
    named = alias.choices if isinstance(alias, AliasChoices) else ()
    variables = {f"{_PREFIX}{name}".upper(), *(str(each).upper() for each in named)}
    if variables & {variable.upper() for variable in os.environ}:
        return "environment"
    return "file" if name in TomlConfigSettingsSource(Settings, config_file()).toml_data else "default"


def as_table() -> str:
    """All settings with defaults and meanings, as the table of ``docs/settings.md``."""
    rows = ["| setting | default | what it is |", "| --- | --- | --- |"]
    for name, field in Settings.model_fields.items():
        default = "a folder of the user's" if field.default_factory is not None else _written(field.default)
        if field.default_factory is None and field.default is not None:
            default = f"`{default}`"
        rows.append(f"| `{name}` | {default} | {field.description} |")
    return "\n".join(rows)


def _written(value: Any) -> str:
    """A default as the settings file has it."""
    match value:
        case None:
            return "not set"
        case bool():
            return str(value).lower()
        case ():
            return "[]"
        case float():
            return f"{value:g}"
        case _:
            return str(value)


if __name__ == "__main__":
    print(as_table())
