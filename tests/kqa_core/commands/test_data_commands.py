import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
RUN = "import sys, typer\nfrom kqa_core.cli import main\nsys.argv[0] = 'kqa'\nmain()"


def kqa(*arguments, cwd):
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run([sys.executable, "-c", RUN, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, env=environment)


def assert_one_line(result, *words):
    assert result.returncode == 2, result.stderr
    assert result.stderr.startswith("kqa: ") and result.stderr.count("\n") == 1, result.stderr
    assert all(word in result.stderr for word in words), result.stderr


def test_a_world_is_made_described_imported_and_measured(tmp_path):
    made = kqa("data", "world", "tiny", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    assert "89 documents about 44 people" in made.stdout
    world = tmp_path / "data" / "world" / "tiny"
    assert (world / "wiki.txt").read_bytes() == (ROOT / "data" / "world" / "tiny" / "wiki.txt").read_bytes()
    described = kqa("data", "describe", world, cwd=tmp_path)
    assert described.returncode == 0 and "91.7 % (11 of 12" in described.stdout
    imported = kqa("data", "import", world, cwd=tmp_path)
    assert imported.returncode == 0 and (tmp_path / "data" / "imported" / "wiki.txt").exists()
    measured = kqa("baseline", world / "birth_dev.tsv", cwd=tmp_path)
    assert measured.returncode == 0 and "always London" in measured.stdout and "ceiling" in measured.stdout
    (world / "wiki.txt").unlink()
    without = kqa("baseline", world / "birth_dev.tsv", cwd=tmp_path)
    assert without.returncode == 0 and "no ceiling: no wiki.txt beside" in without.stdout


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
def test_bad_input_ends_in_one_line_and_status_2(tmp_path, arguments, words):
    (tmp_path / "taken").write_text("mine")
    (tmp_path / "empty").mkdir()
    (tmp_path / "latin.tsv").write_bytes("Where was A born?\tX\nWhere was B born?\tMal\xe9\n".encode("latin-1"))
    (tmp_path / "malformed.tsv").write_text("Where was A born?\tX\nWhere was B born?\n")
    (tmp_path / "questions.tsv").write_text("Where was A born?\n")
    before = sorted(path.name for path in tmp_path.rglob("*"))
    assert_one_line(kqa(*arguments, cwd=tmp_path), *words)
    assert sorted(path.name for path in tmp_path.rglob("*")) == before
    assert (tmp_path / "taken").read_text() == "mine"


def test_a_folder_that_may_not_be_written_is_named(tmp_path):
    if os.access("/", os.W_OK):
        pytest.skip("this user may write everywhere")
    assert_one_line(kqa("data", "world", "tiny", "--out", "/kqa-world", cwd=tmp_path), "/kqa-world", "could not be written")
