"""A file is written whole or not at all, and nothing is left beside it."""

from __future__ import annotations

import pytest

from kqa_core.files import digest_of, write_whole


@pytest.mark.parametrize("content", ["", "ü☂\r\nno line end is changed\n", b"\x00\xff\n"])
def test_what_is_written_is_what_was_given_and_folders_are_made(tmp_path, content):
    path = tmp_path / "a" / "b.txt"
    for _ in range(2):  # over what is there, too
        write_whole(path, content)
        assert path.read_bytes() == (content if isinstance(content, bytes) else content.encode())
        assert path.stat().st_mode & 0o777 == 0o644
    assert list(path.parent.iterdir()) == [path]


def test_a_text_that_cannot_be_encoded_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "a.txt"
    write_whole(path, "before", mode=0o600)
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "half of a character: \ud800")
    assert path.read_text() == "before" and path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_in_the_way_stays_and_nothing_is_left_beside_it(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path / "a", "text")
    assert list(tmp_path.iterdir()) == [tmp_path / "a"] and list((tmp_path / "a").iterdir()) == []


def test_a_digest_depends_on_names_and_contents_and_not_on_where_they_lie_or_in_which_order(tmp_path):
    def written(folder, files):
        for name, text in files.items():
            write_whole(tmp_path / folder / name, text)
        return [tmp_path / folder / name for name in files], tmp_path / folder

    files = {"a.py": "1", "b/c.py": "2"}
    first = digest_of(*written("one", files))
    paths, root = written("two", files)
    assert first == digest_of(reversed(paths), root) and len(first) == 64
    others = [
        {"a.py": "1", "b/c.py": "3"},
        {"a.py": "2", "b/c.py": "1"},
        {"a.py": "1", "c.py": "2"},
        {"a.py": "1"},
    ]
    digests = {digest_of(*written(f"other{number}", each)) for number, each in enumerate(others)}
    assert len(digests | {first}) == 5 and digest_of([], tmp_path) != first
