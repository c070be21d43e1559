"""Documents from JSONL and from folders of text, Markdown, HTML and PDF, whole, damaged and hostile."""

import datetime as dt
import gzip
import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from small_pages import PAGE, pdf
from wkgfc.errors import BadInput
from wkgfc.web import reading
from wkgfc.web.iso_dates import read_date
from wkgfc.web.reading import Document, Problem, read_documents, state_of

ROW = {
    "title": "Saltash",
    "text": "The bridge at Saltash was opened in 1859.",
    "url": "https://a.example/1",
    "date": "1859-05-03",
}


def write_rows(file: Path, *rows: object) -> Path:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    content = "\n".join(lines).encode("utf-8", "surrogatepass")
    file.write_bytes(gzip.compress(content) if file.suffix == ".gz" else content)
    return file


def read(source: Path) -> tuple[list[Document], list[Problem]]:
    documents, problems = [], []
    for found in read_documents(source):
        if isinstance(found, Document):
            documents.append(found)
        else:
            problems.append(found)
    return documents, problems


def only(source: Path) -> Document:
    documents, problems = read(source)
    assert not problems
    (document,) = documents
    return document


# JSONL


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz", "ROWS.JSONL", "rows.ndjson"])
def test_a_row_is_a_document(tmp_path: Path, name: str) -> None:
    day = dt.date(1859, 5, 3)
    expected = Document(ROW["text"], "Saltash", "https://a.example/1", day, day)
    assert only(write_rows(tmp_path / name, ROW)) == expected


def test_all_but_the_text_may_be_missing(tmp_path: Path) -> None:
    file = write_rows(
        tmp_path / "rows.jsonl", {"text": "Rain."}, {"text": "Snow.", "url": None, "date": "", "title": None}, ""
    )
    assert read(file) == ([Document("Rain."), Document("Snow.")], [])


def test_a_text_is_kept_as_it_is(tmp_path: Path) -> None:
    text = " “Naïve” \u202ecafé\u0301\r\n\ttabs 🙂\x00 "
    assert only(write_rows(tmp_path / "rows.jsonl", {"text": text})).text == text


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "not an object"),
        ("[" * 100_000, "not JSON"),
        ("{}", "no text"),
        ('{"text": "…!"}', "no text"),
        ('{"text": 5}', "text is not a string"),
        ('{"text": "a", "url": ["b"]}', "url is not a string"),
        ('{"text": "\\ud800 a"}', "text is not valid Unicode"),
        ('{"text": "a", "date": "last week"}', "date: 'last week' is no ISO date"),
        ('{"text": "a", "date": "2021-02-30"}', "date: "),
    ],
)
def test_a_bad_row_is_told_with_its_line_and_left_out(tmp_path: Path, bad: str, reason: str) -> None:
    documents, problems = read(write_rows(tmp_path / "rows.jsonl", *[ROW] * 10, bad, ROW))
    assert len(documents) == 11
    (problem,) = problems
    assert problem.where == "rows.jsonl, line 11"
    assert problem.reason.startswith(reason)


def test_a_file_of_bad_rows_is_refused_with_the_first_of_them(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "rows.jsonl", ROW, "title,text", *[ROW] * 7, "x")
    with pytest.raises(BadInput, match=r"2 of 10 rows .* the first is line 2: not JSON"):
        read(file)


def test_a_file_of_nothing_but_bad_rows_is_not_read_to_its_end(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "rows.jsonl", *["x"] * 5_000)
    with pytest.raises(BadInput, match=r"1,000 of 1,000 rows .* line 1: not JSON"):
        read(file)


def test_a_line_without_end_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_LINE_BYTES", 1_000)
    file = write_rows(tmp_path / "rows.jsonl", *[ROW] * 10, {"text": "a" * 5_000}, ROW)
    documents, problems = read(file)
    assert len(documents) == 11
    assert problems == [Problem("rows.jsonl, line 11", "over 1,000 bytes")]


def test_a_gzip_file_cut_short_is_refused(tmp_path: Path) -> None:
    file = write_rows(
        tmp_path / "rows.jsonl.gz", *[{"text": f"Row {number}: {os.urandom(40).hex()}"} for number in range(500)]
    )
    file.write_bytes(file.read_bytes()[:-2_000])
    with pytest.raises(BadInput, match="is damaged after"):
        read(file)


def test_what_is_no_gzip_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl.gz"
    file.write_text("not gzip")
    with pytest.raises(BadInput, match="is damaged after 0 rows"):
        read(file)


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_a_file_without_rows_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(content)
    with pytest.raises(BadInput, match="has no row"):
        read(file)


@pytest.mark.parametrize(
    ("value", "date", "earliest"),
    [
        (None, None, None),
        ("", None, None),
        ("2021-05-03", dt.date(2021, 5, 3), dt.date(2021, 5, 3)),
        ("20210503", dt.date(2021, 5, 3), dt.date(2021, 5, 3)),
        ("2021-05-03T23:30:00-08:00", dt.date(2021, 5, 3), dt.date(2021, 5, 3)),
        ("2021-05-03 10:00", dt.date(2021, 5, 3), dt.date(2021, 5, 3)),
        ("2021-05", None, dt.date(2021, 5, 1)),
        (2021, None, dt.date(2021, 1, 1)),
    ],
)
def test_a_date_has_its_precision(value: object, date: dt.date | None, earliest: dt.date | None) -> None:
    assert read_date(value) == (date, earliest)


@given(st.one_of(st.text(max_size=30), st.from_regex(r"\d{4}-?\d\d-?\d\d.*", fullmatch=True), st.integers()))
def test_any_date_is_read_or_refused(value: object) -> None:
    try:
        date, earliest = read_date(value)
    except ValueError:
        return
    assert date is None or date == earliest


# Folders


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "archive"
    (folder / "2021" / "deep").mkdir(parents=True)
    (folder / "note.txt").write_text("The bridge was painted green in 1961.")
    (folder / "2021" / "story.md").write_text("---\ndate: 2021-05\n---\n# The **ferry**\n\nIt stopped in *2021*.")
    (folder / "2021" / "page.html").write_text(PAGE)
    (folder / "2021" / "deep" / "report.PDF").write_bytes(
        pdf("The toll was abolished in 1996.", "Traffic doubled.", title="Toll report", created="D:19970214093000Z")
    )
    return folder


def test_every_document_of_a_folder_is_read_in_the_order_of_names(archive: Path) -> None:
    documents, problems = read(archive)
    assert not problems
    assert [document.title for document in documents] == ["Toll report", "The new bridge", "The ferry", "note"]


def test_text_has_the_address_of_its_file(archive: Path) -> None:
    note = only(archive / "note.txt")
    assert note == Document("The bridge was painted green in 1961.", "note", (archive / "note.txt").resolve().as_uri())


def test_markdown_is_read_without_its_markup(archive: Path) -> None:
    story = only(archive / "2021" / "story.md")
    assert story.text == "The ferry\n\nIt stopped in 2021."
    assert (story.date, story.earliest) == (None, dt.date(2021, 5, 1))


def test_of_a_page_its_main_text_title_address_and_day_are_read(archive: Path) -> None:
    page = only(archive / "2021" / "page.html")
    assert page.title == "The new bridge"
    assert page.url == "https://paper.example/bridge"
    assert page.date == dt.date(2021, 5, 3)
    assert "It is 320 metres long and cost 41 million pounds" in page.text
    for rest in ("Sport", "Copyright", "not text", "nor this"):
        assert rest not in page.text


def test_a_day_that_only_the_text_of_a_page_names_is_not_its_date(tmp_path: Path) -> None:
    body = "<p>The bridge over the river was opened on 3 May 1859 by the prince, who had come by train.</p>" * 3
    (tmp_path / "page.html").write_text(f"<html><body><article>{body}</article></body></html>")
    page = only(tmp_path / "page.html")
    assert page.date is None
    assert page.earliest is None


def test_of_a_pdf_all_pages_title_and_day_are_read(archive: Path) -> None:
    report = only(archive / "2021" / "deep" / "report.PDF")
    assert report.text == "The toll was abolished in 1996.\n\nTraffic doubled."
    assert (report.title, report.date) == ("Toll report", dt.date(1997, 2, 14))
    assert report.url is not None
    assert report.url.startswith("file://")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "cp1251"])
def test_old_encodings_are_told_by_their_letters(tmp_path: Path, encoding: str) -> None:
    russian = "Мост через реку был открыт в прошлом году при большом стечении народа. " * 4
    french = "Le pont a été inauguré en présence du préfet ; les élèves de l'école y étaient déjà à midi. " * 4
    text = russian if encoding == "cp1251" else french
    (tmp_path / "old.txt").write_bytes(text.encode(encoding))
    assert only(tmp_path / "old.txt").text == text


def test_hidden_files_and_other_kinds_are_left_out(archive: Path) -> None:
    (archive / ".hidden.txt").write_text("hidden")
    (archive / ".git").mkdir()
    (archive / ".git" / "note.txt").write_text("hidden")
    (archive / "photo.jpg").write_bytes(b"\xff\xd8")
    assert len(read(archive)[0]) == 4


def test_links_lead_to_nothing_outside_and_to_nothing_twice(archive: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("secret")
    (archive / "link.txt").symlink_to(outside / "secret.txt")
    (archive / "folder").symlink_to(outside, target_is_directory=True)
    (archive / "again.txt").symlink_to(archive / "note.txt")
    (archive / "loop").symlink_to(archive, target_is_directory=True)
    (archive / "broken.txt").symlink_to(archive / "gone.txt")
    titles = [document.title for document in read(archive)[0]]
    assert titles == ["Toll report", "The new bridge", "The ferry", "note"]


def test_a_pipe_is_not_waited_for(archive: Path) -> None:
    os.mkfifo(archive / "pipe.txt")
    assert len(read(archive)[0]) == 4


def test_what_cannot_be_read_is_told_and_left_out(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (archive / "a.pdf").write_bytes(b"%PDF-1.4\nbroken")
    (archive / "b.pdf").write_bytes(pdf("Cut short.")[:120])
    (archive / "c.html").write_text("<html></html>")
    (archive / "d.txt").write_text(" \n")
    (archive / "e.txt").write_text("long " * 1_000)
    monkeypatch.setattr(reading, "MAX_TEXT_BYTES", 4_000)
    documents, problems = read(archive)
    assert len(documents) == 4
    assert [problem.where for problem in problems] == ["a.pdf", "b.pdf", "c.html", "d.txt", "e.txt"]
    assert [problem.reason for problem in problems][2:] == ["no main text", "no text", "5,000 bytes, over 4,000"]


def test_a_pdf_of_too_many_pages_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_PDF_PAGES", 2)
    (tmp_path / "long.pdf").write_bytes(pdf("One.", "Two.", "Three."))
    with pytest.raises(BadInput, match=r"long.pdf: 3 pages, over 2"):
        read(tmp_path)


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 5_000 + "deep" + "</div>" * 5_000,
        '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;"><!ENTITY f SYSTEM "file:///etc/passwd">]><p>&c;&f;</p>',
        "<html><body><p>" + "&#0;&#xD800;&#x110000;" * 50 + "</p></body></html>",
        "<script>" * 500 + "alert(1)",
        '<html><head><base href="file:///etc/"><meta http-equiv="refresh" content="0;url=http://169.254.169.254/"></head>'
        '<body><iframe src="http://127.0.0.1:1/"></iframe></body></html>',
        "\x00" * 2_000,
        '<p title="' + "x" * 100_000,
    ],
)
def test_a_hostile_page_is_read_or_told(tmp_path: Path, page: str) -> None:
    (tmp_path / "good.html").write_text(PAGE)
    (tmp_path / "hostile.html").write_text(page)
    documents, problems = read(tmp_path)
    assert len(documents) + len(problems) == 2
    assert documents[0].title == "The new bridge"
    assert "root:" not in "".join(document.text for document in documents)


@settings(max_examples=40, deadline=None)
@given(content=st.binary(max_size=400), suffix=st.sampled_from([".txt", ".md", ".html", ".pdf"]), header=st.booleans())
def test_any_bytes_are_read_or_told(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, suffix: str, header: bool
) -> None:
    folder = tmp_path_factory.mktemp("bytes")
    (folder / "a.txt").write_text("A good one.")
    (folder / f"b{suffix}").write_bytes((b"%PDF-1.4\n" if suffix == ".pdf" and header else b"") + content)
    documents, problems = read(folder)
    assert len(documents) + len(problems) == 2
    assert all(document.text.encode() for document in documents)


# What there is not


def test_a_folder_without_documents_is_refused(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"")
    with pytest.raises(BadInput, match="has no document that can be read: give JSONL"):
        read(tmp_path)


def test_a_folder_of_which_nothing_can_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"no")
    with pytest.raises(BadInput, match=r"none of the 1 documents .* a.pdf: not a PDF"):
        read(tmp_path)


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(b"PK")
    with pytest.raises(BadInput, match="is of no kind that can be read"):
        read(tmp_path / "a.docx")
    with pytest.raises(BadInput, match="there is no file or folder"):
        read(tmp_path / "gone")
    with pytest.raises(BadInput, match="there is no file or folder"):
        state_of(tmp_path / "gone")


def test_the_state_of_a_folder_changes_with_its_documents(archive: Path) -> None:
    before = state_of(archive)
    assert len(before) == 4
    (archive / "photo.jpg").write_bytes(b"")
    assert state_of(archive) == before
    (archive / "note.txt").write_text("The bridge was painted red.")
    assert state_of(archive) != before
