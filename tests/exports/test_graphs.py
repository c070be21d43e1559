"""The evidence graph in three forms, read back by parsers of others; hostile labels stay labels."""

import re
from typing import Any
from xml.etree import ElementTree

import pyoxigraph
import pytest

from wkgfc.errors import BadInput
from wkgfc.evidence import Entity, EvidenceGraph, Relation, Source, Time, Triple
from wkgfc.exports.graphml import NAMESPACE, graphml
from wkgfc.exports.mermaid import escaped, mermaid
from wkgfc.exports.rdf import n_triples
from wkgfc.kg.vocabulary import PQ, PS, RDFS, WD, WDT, WIKIBASE, P
from wkgfc.result import CheckResult

X = f"{{{NAMESPACE}}}"


def store_of(text: str) -> pyoxigraph.Store:
    store = pyoxigraph.Store()
    store.load(text.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    return store


def with_triple(result: CheckResult, triple: Triple) -> CheckResult:
    graph = EvidenceGraph()
    graph.add_kg_triple(triple, hop=1)
    return result.model_copy(update={"graph": graph.to_record()})


def test_n_triples_keep_qualifiers_and_ranks_in_wikidatas_vocabulary(result: CheckResult) -> None:
    rows: Any = store_of(n_triples(result)).query(
        f"""SELECT ?spouse ?start ?rank WHERE {{ <{WD}Q882> <{P}P26> ?s . ?s <{PS}P26> ?spouse ; <{PQ}P580> ?start ;
        <{PQ}P1107> 0.5 ; <{WIKIBASE}rank> ?rank . <{WD}Q882> <{WDT}P26> ?spouse ;
        <{RDFS}label> "Charlie Chaplin"@en }}"""
    )
    [(spouse, start, rank)] = list(rows)

    assert spouse.value == f"{WD}Q231116"
    assert start.value == "1943-06-16T00:00:00Z"
    assert rank.value == f"{WIKIBASE}NormalRank"


def test_names_for_a_claim_in_another_language_are_not_called_english(result: CheckResult) -> None:
    french = result.model_copy(update={"claim": result.claim.model_copy(update={"language": "fr"})})

    assert '"Charlie Chaplin"@en' in n_triples(result)
    assert '"Charlie Chaplin" .' in n_triples(french)
    assert "@en" not in n_triples(french)


def test_n_triples_of_hostile_texts_are_that_many_terms_and_no_more(result: CheckResult, hostile: CheckResult) -> None:
    store = store_of(n_triples(hostile))

    # Of the passage one line less: its address is none of the web.
    assert len(store) == len(store_of(n_triples(result))) - 1
    assert not list(store.quads_for_pattern(None, pyoxigraph.NamedNode("http://schema.org/url"), None))


@pytest.mark.parametrize("identifier", ["http://dbpedia.org/resource/Turin", "a> <b", "é\u0000\ud800"])
def test_ids_of_other_graphs_become_iris(result: CheckResult, identifier: str) -> None:
    triple = Triple(
        subject=Entity(id=identifier, label="x"),
        relation=Relation(id="http://dbpedia.org/ontology/country", label="country"),
        object=Entity(id="Q38", label="Italy"),
        source=Source(name="dbpedia"),
    )
    [quad] = store_of(n_triples(with_triple(result, triple))).quads_for_pattern(
        None, pyoxigraph.NamedNode("http://dbpedia.org/ontology/country"), None
    )

    assert quad.object == pyoxigraph.NamedNode(f"{WD}Q38")


def test_a_time_that_is_none_is_refused_with_its_id(result: CheckResult) -> None:
    triple = Triple(
        subject=Entity(id="Q1", label="x"),
        relation=Relation(id="P569", label="born"),
        object=Time(value="never", precision=11),
        source=Source(name="test"),
    )
    with pytest.raises(BadInput, match="K1 cannot be written"):
        n_triples(with_triple(result, triple))


def test_graphml_has_nodes_edges_and_what_they_are(result: CheckResult) -> None:
    root = ElementTree.fromstring(graphml(result))
    values = [
        {data.get("key"): data.text for data in element}
        for element in root.iter()
        if element.tag in (f"{X}node", f"{X}edge")
    ]

    assert {"node_label": "Oona O'Neill", "node_kind": "entity", "node_used": "false"} in values
    spouse = next(each for each in values if each.get("edge_label") == "spouse")
    assert spouse["edge_qualifiers"] == "(share: 0.5), since 16 June 1943" or "1943" in str(spouse["edge_qualifiers"])
    assert [each["edge_kind"] for each in values if "edge_kind" in each] == ["kg", "kg", "annotation", "contradiction"]


def test_graphml_of_hostile_texts_is_well_formed_and_has_the_same_shape(
    result: CheckResult, hostile: CheckResult
) -> None:
    plain, attacked = (ElementTree.fromstring(graphml(each)) for each in (result, hostile))

    assert [each.tag for each in attacked.iter(f"{X}node")] == [each.tag for each in plain.iter(f"{X}node")]
    assert "javascript:" not in "".join(
        data.text or "" for data in attacked.iter(f"{X}data") if data.get("key") == "node_address"
    )


LINE = re.compile(
    r"flowchart LR|  classDef \w+ [\w:#,-]+|  class n\d+ [\w,]+|  linkStyle \d+ [\w:#,-]+"
    r"|  n\d+(?:\[|\(|>)\"(?:[\w .,:/()–—’…-]|#\d+;)+\"(?:\]|\))"
    r"|  n\d+ (?:-->|-\.->|<-->)\|\"(?:[\w .,:/()–—’…-]|#\d+;)+\"\| n\d+"
    r"|  click n\d+ href \"https?://[^\"\s;<>]+\" _blank"
)


def test_mermaid_is_made_of_the_lines_that_we_mean(result: CheckResult, hostile: CheckResult) -> None:
    for each in (result, hostile):
        for line in mermaid(each).rstrip("\n").split("\n"):
            assert LINE.fullmatch(line), line
    assert "href" in mermaid(result)
    assert "href" not in mermaid(hostile)


def test_mermaid_labels_hold_no_syntax() -> None:
    assert escaped('a"b-->c') == "a#34;b#45;#45;#62;c"
    assert escaped("1. FC Köln") == "1#46; FC Köln"
    assert escaped("- a") == "#45; a"
    assert escaped("3.5 million - or 2) less") == "3.5 million - or 2) less"
    assert escaped("%%{init}%%") == "#37;#37;#123;init#125;#37;#37;"


@pytest.mark.parametrize("form", [n_triples, graphml, mermaid])
def test_without_a_trace_it_says_how_to_get_one(form: object, result: CheckResult) -> None:
    assert callable(form)
    with pytest.raises(BadInput, match="--trace"):
        form(result.model_copy(update={"graph": None}))
