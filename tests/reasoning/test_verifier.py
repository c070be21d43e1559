"""The verifier that ships, run for real."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wkgfc.errors import NotConfigured
from wkgfc.reasoning.verifier import CARD, EMBEDDED, MODEL, TOKENIZER, Ground, Verifier, load_verifier
from wkgfc.reasoning.windows import MAX_WINDOWS
from wkgfc.usage import metered

TEXTS = (
    "Charlie Chaplin: Sir Charles Spencer Chaplin was an English comic actor born on 16 April 1889.",
    "Paris: Paris is the capital and largest city of France.",
    "Ganges: The Ganges flows through India and Bangladesh for 2,525 km. " * 8,
    "Fax: A fax machine sends scanned pages over a telephone line.",
)
CLAIMS = (
    "Charlie Chaplin was an English actor.",
    "Paris is the capital of Germany.",
    "The Ganges flows through India.",
    "Fax was a Roman emperor.",
)


@pytest.fixture(scope="module")
def verifier() -> Verifier:
    return load_verifier()


def test_supported_and_refuted_claims_are_told_apart(verifier: Verifier) -> None:
    scores = verifier.score([TEXTS[0], TEXTS[0]], [CLAIMS[0], "Charlie Chaplin was born in 1890."])

    assert scores.shape == (2, 3)
    assert scores[0].argmax() == 0
    assert scores[1].argmax() == 1
    np.testing.assert_allclose(scores.sum(axis=1), 1.0)


def test_what_runs_it_tells_nobody(tmp_path: Path) -> None:
    """onnxruntime keeps an id of the machine in its home and sends events to its maker, unless told otherwise."""
    code = (
        "from wkgfc.reasoning.verifier import Verifier; print(Verifier().score(['Paris is a city.'], ['Paris.']).shape)"
    )
    home = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}

    done = subprocess.run([sys.executable, "-c", code], env=home, capture_output=True, text=True, check=True)

    assert done.stdout == "(1, 3)\n"
    assert not list(tmp_path.iterdir())


def test_it_is_loaded_once_a_process() -> None:
    assert load_verifier() is load_verifier()


def test_its_digest_is_of_its_files_and_not_of_its_name(tmp_path: Path, verifier: Verifier) -> None:
    for file in (MODEL, TOKENIZER, CARD):
        shutil.copy(EMBEDDED / file, tmp_path / file)
    same = Verifier(tmp_path).digest
    tokenizer = tmp_path / TOKENIZER
    tokenizer.write_text(tokenizer.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    other = Verifier(tmp_path)

    assert same == verifier.digest != other.digest
    assert other.name == verifier.name


def test_a_score_does_not_depend_on_its_company() -> None:
    """Dynamic quantisation makes it depend on the batch; so pairs are run one by one."""
    together = Verifier().score(TEXTS, CLAIMS)
    alone = Verifier()
    backwards = [alone.score([text], [claim])[0] for text, claim in zip(TEXTS[::-1], CLAIMS[::-1], strict=True)]

    np.testing.assert_array_equal(together, np.array(backwards[::-1]))


def test_threads_change_nothing_that_matters(verifier: Verifier) -> None:
    scores = Verifier(threads=2).score(TEXTS, CLAIMS)

    np.testing.assert_allclose(scores, verifier.score(TEXTS, CLAIMS), atol=1e-4)


def test_a_pair_asked_twice_is_scored_and_counted_once() -> None:
    verifier = Verifier()
    with metered() as meter:
        first = verifier.score([*TEXTS, *TEXTS], [*CLAIMS, *CLAIMS])
        again = verifier.score(TEXTS, CLAIMS)

    assert meter.total.verifier_pairs == len(TEXTS)
    np.testing.assert_array_equal(first[: len(TEXTS)], again)


def test_what_it_forgot_is_scored_and_counted_again() -> None:
    verifier = Verifier()
    with metered() as meter:
        first = verifier.score(TEXTS[:1], CLAIMS[:1])
        verifier.forget()
        again = verifier.score(TEXTS[:1], CLAIMS[:1])

    assert meter.total.verifier_pairs == 2
    np.testing.assert_array_equal(first, again)


def test_temperature_makes_less_sure_and_changes_no_order(verifier: Verifier) -> None:
    cool = verifier.score(TEXTS, CLAIMS)
    warm = load_verifier(temperature=3.0).score(TEXTS, CLAIMS)

    np.testing.assert_array_equal(cool.argmax(axis=1), warm.argmax(axis=1))
    assert (warm.max(axis=1) < cool.max(axis=1)).all()
    with pytest.raises(ValueError, match="over zero"):
        Verifier(temperature=0)


@pytest.mark.parametrize(
    ("text", "claim"), [("", CLAIMS[0]), ("  \n", CLAIMS[0]), ("…!? —", CLAIMS[0]), (TEXTS[0], "")]
)
def test_where_nothing_can_be_read_the_answer_is_neither(verifier: Verifier, text: str, claim: str) -> None:
    with metered() as meter:
        scores = verifier.score([text], [claim])

    assert scores.tolist() == [[0.0, 0.0, 1.0]]
    assert meter.total.verifier_pairs == 0


def test_nothing_to_score_is_an_empty_table(verifier: Verifier) -> None:
    assert verifier.score([], []).shape == (0, 3)


def test_as_many_texts_as_claims(verifier: Verifier) -> None:
    with pytest.raises(ValueError, match="zip"):
        verifier.score(TEXTS, CLAIMS[:1])


@pytest.mark.parametrize(
    "text",
    [
        "word " * 200_000,
        "x" * 1_000_000,
        "Париж — столица Франции.",
        "パリはフランスの首都です。",
        "\u202e\x00\x07Paris\ud800",
    ],
    ids=["huge", "one huge word", "Russian", "Japanese", "control characters and a lone surrogate"],
)
def test_any_text_is_evidence(verifier: Verifier, text: str) -> None:
    scores = verifier.score([text], [CLAIMS[1]])

    assert np.isfinite(scores).all()
    assert scores.sum() == pytest.approx(1.0)


def test_a_long_document_is_read_to_its_end_and_the_sentence_that_decides_is_told(verifier: Verifier) -> None:
    padding = "The weather was fine and the shop sold bread to everybody who came. " * 40
    document = f"{padding}Paris is the capital and largest city of France. {padding}"

    ground = verifier.explain(document, "Paris is the capital of France.")

    assert ground.probabilities[0] == max(ground.probabilities)
    assert ground.sentence == "Paris is the capital and largest city of France."
    assert document[ground.start : ground.end] == ground.sentence
    np.testing.assert_allclose(verifier.score([document], ["Paris is the capital of France."])[0], ground.probabilities)


def test_a_long_document_takes_a_bounded_number_of_pairs() -> None:
    with metered() as meter:
        Verifier().score(["Paris is a city. " * 50_000], [CLAIMS[1]])

    assert 1 < meter.total.verifier_pairs <= MAX_WINDOWS


def test_nothing_readable_has_no_sentence(verifier: Verifier) -> None:
    assert verifier.explain(" … ", CLAIMS[0]) == Ground((0.0, 0.0, 1.0), "", 0, 0)


def test_a_claim_of_the_greatest_length_is_scored(verifier: Verifier) -> None:
    assert np.isfinite(verifier.score([TEXTS[0] * 40], ["a b " * 500])).all()


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=300), st.text(max_size=100))
def test_probabilities_for_arbitrary_text(text: str, claim: str) -> None:
    scores = load_verifier().score([text], [claim])

    assert (scores >= 0).all()
    assert scores.sum() == pytest.approx(1.0)


def test_a_folder_without_a_model_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match=rf"{MODEL} is missing") as error:
        load_verifier(tmp_path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (MODEL, b""),
        (MODEL, b"no model at all"),
        (MODEL, (EMBEDDED / MODEL).read_bytes()[:1_000_000]),
        (TOKENIZER, b""),
        (TOKENIZER, b'{"version": "1.0"}'),
        (TOKENIZER, (EMBEDDED / TOKENIZER).read_bytes()[:100_000]),
        (CARD, b""),
        (CARD, b'{"format": 2, "name": "later", "model_bytes": 1}'),
        (CARD, b"\xff\xfe[]"),
    ],
    ids=[
        "empty",
        "other",
        "cut",
        "empty tokenizer",
        "other tokenizer",
        "cut tokenizer",
        "empty card",
        "later format",
        "other card",
    ],
)
def test_a_damaged_file_is_one_line(tmp_path: Path, name: str, content: bytes) -> None:
    for file in (MODEL, TOKENIZER, CARD):
        shutil.copy(EMBEDDED / file, tmp_path / file)
    (tmp_path / name).write_bytes(content)

    with pytest.raises(NotConfigured) as error:
        Verifier(tmp_path)
    assert "\n" not in str(error.value)
    assert str(tmp_path) in str(error.value)


def test_another_kind_of_model_is_refused(tmp_path: Path) -> None:
    """A model of one input and one output, written byte by byte in ONNX's wire format: it is no verifier."""
    shutil.copy(EMBEDDED / TOKENIZER, tmp_path / TOKENIZER)
    model = _identity_model()
    (tmp_path / MODEL).write_bytes(model)
    (tmp_path / CARD).write_text(json.dumps({"format": 1, "name": "identity", "model_bytes": len(model)}))

    with pytest.raises(NotConfigured, match="no verifier"):
        Verifier(tmp_path)


def _identity_model() -> bytes:
    """``output = Identity(input)`` over a vector of three floats (onnx.proto3, fields by their numbers)."""

    def field(number: int, content: bytes | int) -> bytes:
        if isinstance(content, int):
            return bytes([number << 3, content])
        return bytes([number << 3 | 2, len(content)]) + content

    def joined(parts: Sequence[bytes]) -> bytes:
        return b"".join(parts)

    shape = field(2, field(1, field(1, 3)))
    vector = field(2, field(1, joined([field(1, 1), shape])))
    node = joined([field(1, b"input"), field(2, b"output"), field(4, b"Identity")])
    graph = joined(
        [
            field(1, node),
            field(2, b"identity"),
            field(11, joined([field(1, b"input"), vector])),
            field(12, joined([field(1, b"output"), vector])),
        ]
    )
    return joined([field(1, 8), field(7, graph), field(8, field(2, 13))])
