"""A small file is the old one or the new one, whatever stops the writing."""

from pathlib import Path

import pytest

from wkgfc.whole_files import write_whole


def test_a_file_is_written_and_written_again_with_nothing_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file.json"
    assert write_whole(path, "one\n") == path
    write_whole(path, "två\n")
    assert path.read_bytes() == "två\n".encode()
    assert list(path.parent.iterdir()) == [path]


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    write_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "new \ud800")
    assert path.read_text(encoding="utf-8") == "old"
