"""Progress survives restarts, damage and two notebooks at once."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from kqa_core.check.exercise import Outcome
from kqa_core.check.progress_store import ProgressStore, Record, folder


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    monkeypatch.delenv("KQA_FOLDER", raising=False)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)


def test_a_new_store_reads_what_another_wrote(tmp_path):
    ProgressStore(tmp_path).note_check("average_two", Outcome.NOT_YET)
    ProgressStore(tmp_path).note_check("average_two", Outcome.RIGHT)
    ProgressStore(tmp_path).note_check("average_two", Outcome.ERROR)
    assert ProgressStore(tmp_path).read() == {"average_two": Record(Outcome.RIGHT, Outcome.ERROR, tries=3)}


DAMAGES = [b"", b"{", b"\xff\xfe\x00", b"[]", b"[" * 100_000]
DAMAGES += [b'{"format": 99, "exercises": {}}', b'{"format": 1, "exercises": {"a": 1}}']


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_set_aside_and_named(tmp_path, damage):
    (tmp_path / "progress.json").write_bytes(damage)
    store = ProgressStore(tmp_path)
    store.note_check("copy_one", Outcome.RIGHT)
    aside = tmp_path / "progress.json.damaged-1"
    assert aside.read_bytes() == damage
    assert len(store.notices) == 1 and str(aside) in store.notices[0]
    assert ProgressStore(tmp_path).read() == {"copy_one": Record(Outcome.RIGHT, Outcome.RIGHT, tries=1)}


def test_a_second_damaged_file_does_not_replace_the_first(tmp_path):
    for content in (b"one", b"two"):
        (tmp_path / "progress.json").write_bytes(content)
        ProgressStore(tmp_path).read()
    assert (tmp_path / "progress.json.damaged-1").read_bytes() == b"one"
    assert (tmp_path / "progress.json.damaged-2").read_bytes() == b"two"


def test_a_folder_that_cannot_be_written_is_named_and_the_check_goes_on(tmp_path):
    (tmp_path / "blocked").write_text("a file where the folder should be")
    store = ProgressStore(tmp_path / "blocked")
    store.note_check("copy_one", Outcome.RIGHT)
    assert store.take_hint("copy_one", 3) == 1
    assert "cannot be kept" in store.notices[0] and str(tmp_path / "blocked") in store.notices[0]


def test_an_unreadable_file_is_not_overwritten(tmp_path):
    (tmp_path / "progress.json").mkdir()  # reading it is an OSError, for root too
    store = ProgressStore(tmp_path)
    store.note_check("copy_one", Outcome.RIGHT)
    assert (tmp_path / "progress.json").is_dir()
    assert "cannot be kept" in store.notices[0]


def _many(place: str, name: str) -> None:
    for _ in range(40):
        ProgressStore(Path(place)).note_check(name, Outcome.NOT_YET)


@pytest.mark.slow
def test_two_notebooks_at_once_lose_nothing(tmp_path):
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=_many, args=(str(tmp_path), name)) for name in ("copy_one", "average_two")
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    records = ProgressStore(tmp_path).read()
    assert {name: record.tries for name, record in records.items()} == {"copy_one": 40, "average_two": 40}


def test_a_file_is_never_half_written(tmp_path, monkeypatch):
    ProgressStore(tmp_path).note_check("copy_one", Outcome.RIGHT)
    before = (tmp_path / "progress.json").read_bytes()

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "chmod", stop)  # by then it is written, beside the file
    with pytest.raises(KeyboardInterrupt):
        ProgressStore(tmp_path).note_check("copy_one", Outcome.ERROR)
    assert (tmp_path / "progress.json").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lock", "progress.json"]


def test_notebooks_of_one_working_copy_share_one_folder(tmp_path, monkeypatch):
    (tmp_path / ".kqa").mkdir()
    (tmp_path / "01_attention").mkdir()
    monkeypatch.chdir(tmp_path / "01_attention")
    assert folder() == tmp_path / ".kqa"


def test_a_folder_that_the_environment_names_may_begin_with_the_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("KQA_FOLDER", "~/.kqa")
    assert folder() == tmp_path / ".kqa"


def test_without_one_the_folder_is_beside_the_notebook(tmp_path, monkeypatch):
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert folder() == deep / ".kqa"
