"""The tables of figures: the committed pages are what `python benchmarks/table.py`
makes of the recorded results.
"""

from __future__ import annotations

import copy
import json
import re
import shutil
import sys

import pytest
from environments import ROOT
from warm_python import python

sys.path.insert(0, str(ROOT))
import sys

from documented import PAGES, ROOT

from autograder.paths import COURSE
from benchmarks import table as tables
from benchmarks._rows_of_the_readme import HEADLINES
from benchmarks.table import ROWS
from kqa_core.check.registry import all_exercises, of_notebook
from kqa_core.commands.machine import benchmark_names

RESULTS = tables.read_results()
FULL = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
HITS = ("correct", "right", "hits")  # of a total, so they cannot grow
LADDERS = ("ladder_original", "ladder_full", "ladder_small")
NAMES = (
    "headlines",
    "questions",
    "exposures",
    "ablations",
    *dict.fromkeys(row.table for row in ROWS),
    *LADDERS,
)


@pytest.mark.parametrize("path", tables.PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_committed_page_is_what_the_command_makes(path):
    page = path.read_text(encoding="utf-8")
    assert tables.filled(page, RESULTS) == page, "run `python benchmarks/table.py` and commit what it changed"


def test_every_table_is_on_a_page():
    shown = [
        name for path in tables.PAGES for _, name, _ in tables.TABLE.findall(path.read_text(encoding="utf-8"))
    ]
    assert sorted(shown) == sorted(NAMES)


def test_the_readme_has_at_most_five_figures():
    assert 3 <= len(HEADLINES) <= 5


@pytest.mark.parametrize("row", HEADLINES, ids=lambda row: row.what)
def test_a_row_of_the_readme_is_one_number_a_comparison_and_a_command_of_the_full_page(row):
    number, compared = (tables.written(how, row.files, RESULTS) for how in (row.number, row.compared))
    assert re.fullmatch(r"[\d.]+( %| of \d+)?", number) and re.fullmatch(
        r"[^;]+: [\d.]+( %| of \d+)?", compared
    )
    assert any(full.command == row.command and row.files[0] in full.files for full in ROWS)
    assert tables.written(row.number, row.files, {}) == tables.NOT_MEASURED
    assert tables.written(row.number, row.files, CHANGED) != number


def test_each_row_says_its_commit_and_machine_its_bar_and_its_command():
    for row in ROWS:
        assert row.bar and f"`{row.command}` |\n" in FULL, row.what
        if tables.measured(row, RESULTS) == tables.NOT_MEASURED:
            assert tables.where(row, RESULTS) == "—"
        else:
            assert re.match(r"(`[0-9a-f]{7,12}\+?`(, )?)+: \w", tables.where(row, RESULTS)), row.what


def test_nothing_that_was_recorded_is_left_out():
    assert {name for row in ROWS for name in row.files} >= {*RESULTS}
    commands = " ".join(row.command for row in ROWS)
    missing = [
        name
        for name in benchmark_names(ROOT / "benchmarks")
        if f"bench {name}" not in commands and name != "ladder"
    ]
    assert missing == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.what[:60])
def test_a_row_follows_its_record(row):
    """Other figures in a file make another row, and without the file nothing is measured."""
    for name in row.files:
        others = {kept: result for kept, result in RESULTS.items() if kept != name}
        assert tables.measured(row, others) == tables.NOT_MEASURED and tables.where(row, others) == "—"
    if tables.measured(row, RESULTS) != tables.NOT_MEASURED:
        assert tables.measured(row, CHANGED) != tables.measured(row, RESULTS)


def changed(result):
    """A result with other figures: numbers are squared plus 1, what was equal is not."""
    found = copy.deepcopy(result)

    def half(value):
        return value // 2 if isinstance(value, int) else other(value)

    def other(value):
        if isinstance(value, bool):
            return not value
        if isinstance(value, str) and set(value) == {"0", "1"}:  # right or wrong, question by question
            return value.translate(str.maketrans("01", "10"))
        if isinstance(value, (int, float)):
            return value * value + 1  # halves would leave ratios as they are
        if isinstance(value, list) and len(value) == 2 and all(isinstance(each, int) for each in value):
            return [value[0] // 2, value[1]]  # a share
        if isinstance(value, list):
            return [other(each) for each in value]
        if isinstance(value, dict):
            ways = {"seed": lambda n: n, "of": lambda n: n, "total": lambda n: n} | dict.fromkeys(HITS, half)
            return {key: ways.get(key, other)(each) for key, each in value.items()}
        return value

    part = "figures" if "figures" in found else "rows" if "rows" in found else None
    return {**found, part: other(found[part])} if part else other(found)


CHANGED = {name: changed(result) for name, result in RESULTS.items()}


@pytest.fixture
def clone(tmp_path):
    """The benchmarks and their results elsewhere, where the command may write."""
    for name in ("benchmarks", "kqa_core", "data/encoder"):
        shutil.copytree(
            ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.safetensors")
        )
    shutil.copy(ROOT / "README.md", tmp_path)
    return tmp_path


def run(clone, *arguments):
    return python("benchmarks/table.py", *arguments, cwd=clone)


@pytest.mark.slow
def test_a_recorded_figure_is_in_both_pages_with_this_machine(clone):
    done = run(
        clone,
        "--record",
        "hostile",
        "submissions=7",
        "as_expected=6",
        "marks_unearned=0",
        "neighbours_changed=0",
    )
    assert done.returncode == 0, done.stderr
    recorded = clone / "benchmarks" / "results" / "recorded.json"
    written = json.loads(recorded.read_text(encoding="utf-8"))["hostile"]
    assert written["figures"]["as_expected"] == 6 and written["machine"]["cores"] >= 1
    for page, shown in (("README.md", "| 0 of 7 |"), ("benchmarks/README.md", "| 6 of 7; 0; 0 |")):
        assert shown in (clone / page).read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--record", "step", "ratio=3"), "'step'"),
        (("--record", "sandbox", "attempts=54"), "attempts, found"),
        (("--record", "sandbox", "attempts=many", "found=0"), "'attempts=many'"),
        (("everything",), "everything"),
    ],
)
def test_a_record_that_cannot_be_is_refused_in_one_line(clone, arguments, said):
    before = {path: path.read_bytes() for path in (clone / "benchmarks").rglob("*.json")}
    done = run(clone, *arguments)
    assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1
    assert {path: path.read_bytes() for path in (clone / "benchmarks").rglob("*.json")} == before


@pytest.mark.slow
def test_figures_that_pages_repeat_are_those_of_the_code():
    from autograder.judge.escape_attempts import ATTEMPTS
    from kqa_core.model.variant_registry import variant_names

    assert f"tries {len(ATTEMPTS)} ways out of it" in PAGES["docs/judge.md"].text
    named = PAGES["docs/training.md"].text.partition("The variants are ")[2].partition(";")[0]
    assert sorted(re.findall(r"`(\w+)`", named)) == variant_names()
    listed = re.findall(r"^\| (\d\d[a-z]?) [^|]*\|[^|]*\| ([^|]*) \|$", PAGES["README.md"].text, re.MULTILINE)
    folders = sorted((COURSE / "source").iterdir())
    assert listed == [(path.name.partition("_")[0], points_of(path.name)) for path in folders]
    checked = sum(each.check is not None for each in all_exercises())
    counted = (
        f"{len(all_exercises())} exercises, of which {checked} check themselves and"
        f" {len(all_exercises()) - checked} are"
    )
    assert counted in " ".join(PAGES["README.md"].text.split())


def points_of(notebook):
    """The points of a notebook, as the README's table writes them."""
    regular, extra = (
        sum(each.points for each in of_notebook(notebook) if each.extra is kind) for kind in (False, True)
    )
    return f"{regular}, and {extra} extra" if extra else str(regular or "none")
