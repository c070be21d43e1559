"""Whatever the text, it stays inside its term."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, QuerySolutions, Store

from small_graphs import HOSTILE
from wkgfc.kg.terms import iri, is_iri, is_language, language_tag, literal

ANY_TEXT = st.text(st.characters(exclude_categories=[])) | st.sampled_from(HOSTILE)


def read_back(term: str) -> object:
    """The term as a reference parser reads it."""
    answer = Store().query(f"SELECT (({term}) AS ?x) WHERE {{}}")
    assert isinstance(answer, QuerySolutions)
    ((node,),) = list(answer)
    return node


@given(ANY_TEXT)
@settings(deadline=None)
def test_a_literal_is_the_text_itself(text: str) -> None:
    whole = text.encode("utf-8", "ignore").decode()  # without halves of characters, which no query can hold
    assert read_back(literal(text)) == Literal(whole)
    assert read_back(literal(text, "en")) == Literal(whole, language="en")


HOSTS = st.sampled_from(["http://a/", "http://", "https://a.b:", "http://a?", "http://a#"])


@given(ANY_TEXT | st.builds(str.__add__, HOSTS, ANY_TEXT | st.text('<>"{}|^`\\ ht:/.%0#[]@?\ufffe\U0001fffe\ue000')))
@settings(deadline=None)
def test_what_is_an_iri_is_read_as_that_iri(text: str) -> None:
    if is_iri(text):
        assert read_back(iri(text)) == NamedNode(text)
    else:
        with pytest.raises(ValueError, match="no IRI"):
            iri(text)


@pytest.mark.parametrize(
    "text",
    [
        "http://dbpedia.org/resource/O'Neill_(album)",
        "https://example.org/Zürich",
        "http://a/%22",
        "http://a/東京#x?y=z",
    ],
)
def test_the_iris_of_real_graphs_pass(text: str) -> None:
    assert read_back(iri(text)) == NamedNode(text)


BROKEN = ("http://[", "http://a/[b]", "http://a:b/", "http://u@a/", "http://a/%zz", "http://a##", "http://a/\ue000")


@pytest.mark.parametrize(
    "text",
    ["", "urn:x", "javascript:alert(1)", "http://", "http://a/b c", "http://a/>", 'http://a/"', "http://a/\n", *BROKEN],
)
def test_what_could_end_the_term_does_not(text: str) -> None:
    assert not is_iri(text)


@pytest.mark.parametrize("tag", ["en", "pt-br", "zh-hant", "mul", "be-tarask", "en-GB"])
def test_languages(tag: str) -> None:
    assert language_tag(tag) == f'"{tag}"'


@given(st.text())
@settings(deadline=None)
def test_any_other_text_is_no_language(tag: str) -> None:
    if not is_language(tag):
        with pytest.raises(ValueError, match="no language"):
            literal("x", tag)
