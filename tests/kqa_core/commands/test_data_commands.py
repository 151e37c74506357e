import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from kqa_core.commands import data
from kqa_core.errors import UserError

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def kqa(tmp_path, monkeypatch):
    """Runs a command of this module in an empty folder, in this process:
    a new one would import torch each time.
    """
    monkeypatch.chdir(tmp_path)
    app = typer.Typer()
    data.register(app)
    return lambda *arguments: CliRunner().invoke(app, list(map(str, arguments)))


def assert_refused(result, *words):
    """The command line prints a UserError's text as its one line, and ends with status 2."""
    assert isinstance(result.exception, UserError), result
    assert "\n" not in str(result.exception) and result.output == ""
    assert all(word in str(result.exception) for word in words), str(result.exception)


def test_a_world_is_made_described_imported_and_measured(tmp_path, kqa):
    made = kqa("data", "world", "tiny")
    assert made.exit_code == 0, made.output
    assert "89 documents about 44 people" in made.output
    world = tmp_path / "data" / "world" / "tiny"
    assert (world / "wiki.txt").read_bytes() == (ROOT / "data" / "world" / "tiny" / "wiki.txt").read_bytes()
    described = kqa("data", "describe", world)
    assert described.exit_code == 0 and "91.7 % (11 of 12" in described.output
    imported = kqa("data", "import", world)
    assert imported.exit_code == 0 and (tmp_path / "data" / "imported" / "wiki.txt").exists()
    measured = kqa("baseline", world / "birth_dev.tsv")
    assert measured.exit_code == 0 and "always London" in measured.output and "ceiling" in measured.output
    (world / "wiki.txt").unlink()
    without = kqa("baseline", world / "birth_dev.tsv")
    assert without.exit_code == 0 and "no ceiling: no wiki.txt beside" in without.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("data", "world", "huge"), ("huge", "tiny, small, full")),
        (("data", "world", "tiny", "--out", "taken"), ("taken", "a file is in the way")),
        (("data", "import", "nowhere"), ("nowhere", "there is none of this name")),
        (("data", "describe", "empty"), ("empty", "wiki.txt", "missing")),
        (("baseline", "none.tsv"), ("none.tsv", "no such file")),
        (("baseline", "latin.tsv"), ("latin.tsv", "UTF-8 was expected", "line 2")),
        (("baseline", "malformed.tsv"), ("malformed.tsv, line 2", "one tab")),
        (("baseline", "questions.tsv"), ("no answers",)),
    ],
)
def test_bad_input_is_named_in_one_line_and_nothing_is_written(tmp_path, kqa, arguments, words):
    (tmp_path / "taken").write_text("mine")
    (tmp_path / "empty").mkdir()
    (tmp_path / "latin.tsv").write_bytes(
        "Where was A born?\tX\nWhere was B born?\tMal\xe9\n".encode("latin-1")
    )
    (tmp_path / "malformed.tsv").write_text("Where was A born?\tX\nWhere was B born?\n")
    (tmp_path / "questions.tsv").write_text("Where was A born?\n")
    before = sorted(path.name for path in tmp_path.rglob("*"))
    assert_refused(kqa(*arguments), *words)
    assert sorted(path.name for path in tmp_path.rglob("*")) == before
    assert (tmp_path / "taken").read_text() == "mine"


def test_a_folder_that_may_not_be_written_is_named(kqa):
    if os.access("/", os.W_OK):
        pytest.skip("this user may write everywhere")
    assert_refused(kqa("data", "world", "tiny", "--out", "/kqa-world"), "/kqa-world", "could not be written")


@pytest.mark.slow
def test_the_command_itself_prints_one_line_and_ends_with_status_2(tmp_path):
    run = "import sys; from kqa_core.cli import main; sys.argv[0] = 'kqa'; main()"
    result = subprocess.run(
        [sys.executable, "-c", run, "data", "describe", "nowhere"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("kqa: nowhere: ") and result.stderr.count("\n") == 1
