"""Any file of claims in the data's shape is read; what is no claim is named with its line."""

import bz2
import gzip
import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wkgfc.claim import Veracity
from wkgfc.datasets import LabelledClaim, Problem, containers, read_claims, stream_claims
from wkgfc.errors import BadInput


def write(path: Path, rows: list[object]) -> Path:
    text = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["claims.jsonl", "claims.jsonl.gz"])
def test_plain_and_compressed_files_are_read(tmp_path: Path, name: str) -> None:
    row = {"id": "a", "claim": "Berlin is in Germany.", "label": "SUPPORTS", "date": "2020-01-02", "meta": {"x": 1}}
    (claim,) = read_claims(write(tmp_path / name, [row, ""]))
    assert claim.veracity is Veracity.SUPPORTED
    assert claim.to_claim().date is not None
    assert claim.meta == {"x": 1}


def test_the_sets_own_words_are_mapped(tmp_path: Path) -> None:
    words = [
        "NOT ENOUGH INFO",
        "Refuted",
        "true",
        "Conflicting Evidence/Cherrypicking",
        "pants-fire",
        "not_enough_evidence",
        "so-so",
    ]
    rows: list[object] = [{"id": str(n), "claim": "c", "label": word} for n, word in enumerate(words)]
    assert [row.veracity for row in read_claims(write(tmp_path / "c.jsonl", rows))] == [
        Veracity.NOT_ENOUGH_EVIDENCE,
        Veracity.REFUTED,
        Veracity.SUPPORTED,
        Veracity.CONFLICTING_EVIDENCE,
        Veracity.REFUTED,
        Veracity.NOT_ENOUGH_EVIDENCE,
        None,
    ]


def test_a_sample_is_seeded_and_keeps_the_order(tmp_path: Path) -> None:
    path = write(tmp_path / "c.jsonl", [{"id": str(n), "claim": "c"} for n in range(50)])
    sample = [row.id for row in read_claims(path, limit=10, seed=3)]
    assert sample == [row.id for row in read_claims(path, limit=10, seed=3)]
    assert sample == sorted(sample, key=int)
    assert [row.id for row in read_claims(path, limit=2)] == ["0", "1"]


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="line 2"):
        read_claims(write(tmp_path / "c.jsonl", [{"id": "a", "claim": "c"}, "{not json"]))
    with pytest.raises(BadInput, match="line 1"):
        read_claims(write(tmp_path / "d.jsonl", [{"id": "a"}]))


def test_a_file_that_is_not_there_or_cut_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        read_claims(tmp_path / "absent.jsonl")
    whole = write(tmp_path / "c.jsonl.gz", [{"id": str(n), "claim": "c" * 50} for n in range(100)])
    whole.write_bytes(whole.read_bytes()[:60])
    with pytest.raises(BadInput, match="cannot be read"):
        read_claims(whole)


def lenient(path: Path, **options: bool | str) -> tuple[list[LabelledClaim], list[str]]:
    """The rows that are read, and what is said of the others."""
    problems: list[Problem] = []
    rows = read_claims(path, on_problem=problems.append, **options)  # type: ignore[arg-type]
    return list(rows), [str(problem).removeprefix(f"{path}, ") for problem in problems]


MIXED = b"\n".join(
    [
        b'{"id": "1", "claim": "The caf\xc3\xa9 is open.", "label": "true"}',
        b'{"id": "2", "claim": "The caf\xe9 is open.", "label": "true"}',  # Latin-1
        b'{"id": "3", "claim": "The mill is open.", "label": "maybe"}',
        b'{"id": "1", "claim": "The mill is shut.", "label": "false"}',
        b'{"id": "5", "label": "false"}',
        b'{"id": "6", "claim": "  ", "label": "false"}',
        b"[1, 2]",
        b'{"id": "8", "claim": "The mill is old.", "label": "false", "date": "long ago"}',
        b'{"id": "9", "claim": "The mill is new.", "label": "false"}',
    ]
)


def test_what_is_wrong_is_named_with_its_line_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_bytes(MIXED)
    rows, problems = lenient(path, known_labels=True)
    assert [row.id for row in rows] == ["1", "9"]
    assert rows[0].claim == "The café is open."
    assert problems[:6] == [
        "line 2: not UTF-8",
        "line 3: no set has the label “maybe”",
        "line 4: the id “1” was there before, on line 1",
        "line 5: no labelled claim (claim: Field required)",
        "line 6: the claim is empty",
        "line 7: no JSON object",
    ]
    assert problems[6].startswith("line 8: no labelled claim (date: ")
    with pytest.raises(BadInput, match="line 2: not UTF-8"):
        read_claims(path)


@pytest.mark.parametrize("is_array", [False, True])
def test_a_row_that_could_not_be_written_out_or_checked_is_named(tmp_path: Path, is_array: bool) -> None:
    row = {"id": "1", "claim": "The mill is open. 😀", "label": "true"}
    wrong: list[object] = [
        row | {"claim": "The mill \ud800 is open."},
        row | {"meta": {"french": "\udc00"}},
        row | {"\ud83d": 1},
        row | {"claim": "The mill is open. " * 200},
        row | {"claim": "\u0958" * 1_001},  # two characters each, once it is brought to NFC
    ]
    lines = [json.dumps(each) for each in (*wrong, row)]
    path = tmp_path / "c.json"
    path.write_text("[" + ",\n".join(lines) + "]" if is_array else "\n".join(lines), encoding="utf-8")
    rows, problems = lenient(path)
    assert [row.claim for row in rows] == ["The mill is open. 😀"]
    half = "half a surrogate pair, which is no character"
    assert problems == [f"line {number}: {half}" for number in (1, 2, 3)] + [
        "line 4: the claim has 3,600 characters, over 2,000",
        "line 5: the claim has 2,002 characters, over 2,000",
    ]
    rows[0].model_dump_json()
    rows[0].to_claim()


def test_a_releases_own_words_are_always_checked(tmp_path: Path) -> None:
    row = {"id": 1, "verifiable": "VERIFIABLE", "label": "SUPPORTS", "claim": "c", "evidence": []}
    path = write(tmp_path / "c.jsonl", [row, row | {"id": 2, "label": "mixture"}, row | {"id": 3, "evidence": [[[1]]]}])
    rows, problems = lenient(path)
    assert [row.id for row in rows] == ["fever-1"]
    assert problems == [
        "line 2: the label “mixture” is none of fever's: SUPPORTS, REFUTES, NOT ENOUGH INFO",
        "line 3: a piece of evidence is not [annotation, evidence, page, sentence]",
    ]


def test_columns_that_no_set_has_are_answered_with_those_that_sets_have(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"line 1: no format has these columns \(text, stars\).*fever: "):
        read_claims(write(tmp_path / "c.jsonl", [{"text": "t", "stars": 5}]))


@pytest.mark.parametrize(
    "content", [b"", b"\n \n", b"\xef\xbb\xbf", b"[]", b"id,claim,label\n", gzip.compress(b"", mtime=0)]
)
def test_an_empty_file_is_said_to_be_empty(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "c.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadInput, match="has no claims"):
        read_claims(path)


def test_prose_and_pickles_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text("Dear all\n", encoding="utf-8")
    with pytest.raises(BadInput, match="line 1: neither JSON nor a table"):
        read_claims(path)
    path.write_bytes(b"\x80\x04\x95")
    with pytest.raises(BadInput, match="pickle, which is never opened"):
        read_claims(path)


def test_an_array_on_one_line_of_any_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers, "MAX_ROW", 200)
    path = tmp_path / "c.json"
    path.write_text(json.dumps([{"claim": f"Claim {number}."} for number in range(50)]), encoding="utf-8")
    assert [row.fields["claim"] for row in containers.read_rows(path) if isinstance(row, containers.Row)] == [
        f"Claim {number}." for number in range(50)
    ]


ROWS = [{"id": str(n), "claim": f"Claim “{n}”, {{and}} [so] on.", "label": "true"} for n in range(300)]


@pytest.mark.parametrize(
    "content",
    [
        "\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS).encode("utf-16"),
        b"\xef\xbb\xbf" + "\r\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS).encode(),
        bz2.compress("\n".join(map(json.dumps, ROWS)).encode()),
        json.dumps(ROWS).encode(),
        json.dumps(ROWS, indent=4, ensure_ascii=False).encode(),
        gzip.compress(json.dumps(ROWS, indent=1).encode()),
        ("id\tclaim\tlabel\n" + "".join(f"{r['id']}\t{r['claim']}\t{r['label']}\n" for r in ROWS)).encode(),
        ("id,label,claim\n" + "".join(f'{r["id"]},{r["label"]},"{r["claim"]}"\n' for r in ROWS)).encode(),
    ],
    ids=["utf-16", "mark", "bzip2", "array", "indented", "packed", "tabs", "commas"],
)
def test_encodings_and_containers_are_told_from_the_content(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "claims"
    path.write_bytes(content)
    assert [row.claim for row in read_claims(path)] == [row["claim"] for row in ROWS]


def test_a_table_names_the_row_that_has_other_columns(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_bytes(b'id,claim,label\na,"over\ntwo lines",true\nb,too,many,columns\nc,caf\xe9,true\nd,fine,true\n')
    rows, problems = lenient(path)
    assert [row.id for row in rows] == ["a", "d"]
    assert problems == ["line 4: 4 columns where the header has 3", "line 5: not UTF-8"]


def test_an_array_that_breaks_off_keeps_what_was_whole(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(json.dumps(ROWS[:3], indent=1)[:-30], encoding="utf-8")
    rows, problems = lenient(path)
    assert [row.id for row in rows] == ["0", "1"]
    assert problems == ["line 12: the JSON array is damaged, or breaks off, here"]


def test_a_packed_file_that_is_cut_keeps_what_came_before(tmp_path: Path) -> None:
    path = write(tmp_path / "c.jsonl.gz", [{"id": f"{n}-{hash_of(n)}", "claim": "c"} for n in range(20_000)])
    path.write_bytes(path.read_bytes()[:-4_000])
    rows, problems = lenient(path)
    assert 0 < len(rows) < 20_000
    assert "the file cannot be read to its end" in problems[-1]
    with pytest.raises(BadInput, match="cannot be read"):
        read_claims(path)


def hash_of(number: int) -> int:
    return number * 2_654_435_761 % 2**32


def test_a_line_without_end_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    whole = b'{"id": "%d", "claim": "c"}\n'
    path.write_bytes(whole % 1 + b'{"id": "2", "claim": "' + b"x" * (17 * 2**20) + b'"}\n' + whole % 3)
    rows, problems = lenient(path)
    assert [row.id for row in rows] == ["1", "3"]
    assert problems == ["line 2: longer than 16 MiB"]


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    def peak(number: int) -> int:
        path = write(tmp_path / "c.jsonl", [{"id": f"claim-{n}", "claim": "c" * 200} for n in range(number)])
        tracemalloc.start()
        assert sum(1 for _ in stream_claims(path)) == number
        assert len(read_claims(path, limit=5, seed=1)) == 5
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(500)
    assert peak(20_000) < peak(2_000) + 500_000  # the files differ by five megabytes


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused_in_one_line(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "c"
    path.write_bytes(content)
    said = ""
    try:
        lenient(path)
    except BadInput as error:
        said = str(error)
    assert "\n" not in said


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["id", "claim", "label", "evidence", "questions"]),
            st.none() | st.text() | st.integers() | st.lists(st.text(max_size=3), max_size=2),
        )
    )
)
def test_any_values_in_known_columns_are_read_or_named(
    tmp_path_factory: pytest.TempPathFactory, objects: list[dict[str, object]]
) -> None:
    path = tmp_path_factory.mktemp("any") / "c.json"
    path.write_text(json.dumps(objects), encoding="utf-8")
    rows: list[LabelledClaim] = []
    said = "line"
    try:
        rows, _ = lenient(path)
    except BadInput as error:
        said = str(error)
    assert "line" in said or "no claims" in said
    assert all(any(map(str.isalnum, row.claim)) for row in rows)
