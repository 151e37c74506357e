"""What the tables and figures of the ladder and of the three questions say of its records."""

import json
import math
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from kqa_core.errors import UserError
from kqa_core.experiments.ladder_tables import (
    CLOZES,
    THREE,
    cloze_runs,
    exposed_runs,
    exposures_lines,
    ladder_table,
    questions_table,
    recorded_clozes,
    recorded_exposures,
    recorded_reader,
)
from kqa_core.experiments.own_training import STAGES, recorded_own
from kqa_core.experiments.results import (
    BEST_ROW,
    LADDER,
    WITHOUT,
    LadderRow,
    ladder_step,
    of_row,
    read_ladder,
    rows_in,
    told,
)
from kqa_core.show.figures.nb08b_ladder import (
    accuracy_by_lever,
    accuracy_by_seconds,
    show_exposures,
    show_ladder,
    show_questions,
)
from kqa_core.stats import Proportion
from kqa_core.training.recipes import BEST

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from benchmarks import ladder


def row(name: str = "best", seed: int = 0, correct: int = 40, seconds: float | None = 60.0) -> LadderRow:
    curve = [{"step": 10, "seconds": 30.0, "correct": correct // 2}] if seconds is not None else []
    sizes = {
        "steps": 20,
        "characters": 1000,
        "documents": 30,
        "parameters": 99,
        "targets": 300,
        "exposures": 12.0,
    }
    answers = "1" * correct + "0" * (50 - correct)
    return LadderRow(
        "small",
        name,
        seed,
        {},
        Proportion(correct, 50),
        **sizes,
        answers=answers,
        seconds=seconds,
        curve=curve,
        machine={},
    )


def test_the_table_says_how_many_rows_were_not_measured():
    rows = [row(seed=0), row(seed=1, correct=42), row("resumed", seconds=None)]
    lines = ladder_table(rows, "small", ["best", "resumed", "other"]).splitlines()
    assert "82.0 ± 2.8" in lines[1] and lines[1].endswith("60")
    assert "80.0" in lines[2] and lines[2].endswith("12.0")
    assert lines[3:] == ["not measured yet: 1 of 3 rows"]
    assert len(ladder_table(rows, "small", ["best"]).splitlines()) == 2
    assert [each.seed for each in of_row(rows, "small", "best")] == [0, 1]


def test_a_row_is_compared_with_the_row_above_seed_by_seed_and_question_by_question():
    lower, upper = LADDER[:2]
    rows = [row(lower, 0, 10), row(lower, 1, 20), row(upper, 0, 16), row(upper, 1, 24), row(upper, 2, 50)]
    step = ladder_step(rows, "small", lower, upper)
    assert step.points == pytest.approx(10.0)  # 12 and 8, in the two seeds that have both
    # t = 10 / (2 √2 / √2) = 5 with one degree of freedom
    assert step.over_seeds == pytest.approx(0.1257, abs=1e-4)
    assert step.over_questions == pytest.approx(2 / 2**10)  # ten questions gained, none lost
    assert ladder_step(rows, "small", lower, "best") is None
    # three seeds that agree are no more evidence about questions than one: each question counts once
    three = [row(name, seed, right) for name, right in ((lower, 10), (upper, 16)) for seed in range(3)]
    assert ladder_step(three, "small", lower, upper).over_questions == 2 / 2**6
    same = [row(lower, 0, 7), row(lower, 1, 14), row(upper, 0, 10), row(upper, 1, 17)]
    unclear = ladder_step(same, "small", lower, upper)
    assert math.isnan(unclear.over_seeds) and unclear.p_over_seeds == "", "two equal changes have no variance"
    assert (step.p_over_seeds, step.p_over_questions) == ("0.126", "0.002")
    tiny = replace(step, over_seeds=0.0004, over_questions=0.0)
    assert (tiny.p_over_seeds, tiny.p_over_questions) == ("<0.001", "<0.001"), "no p is 0"
    assert replace(tiny, over_questions=0.001).p_over_questions == "0.001"
    assert "+10.0" in ladder_table(rows, "small", [lower, upper]).splitlines()[2]
    assert "0.0" in ladder_table([row(BEST_ROW), row(WITHOUT[0])], "small", WITHOUT[:1])


def test_a_row_says_what_its_pretraining_is_told_of_the_questions_to_come():
    letters = {
        lever.name: told(replace(row(lever.name), run={"recipe": asdict(lever.recipe)}))
        for lever in (*ladder.ladder(BEST), *ladder.whole(BEST))
    }
    assert told(row()) == ""
    assert [letters[name] for name in rows_in("original", LADDER)] == ["a"] * 8 + ["b"] * 7 + ["c"]
    letters[CLOZES] = "a"
    assert {asked.letter: {letters[name] for name in asked.rows} for asked in THREE} == {
        "a": {"a"}, "b": {"b"}, "c": {"c"},
    }  # fmt: skip
    table = questions_table([*read_ladder(), *recorded_clozes()], recorded_reader())
    assert "best, all of it" in table and "92.0" in table and "not measured" not in table
    assert questions_table([], recorded_reader()).count("not measured") == sum(len(a.rows) for a in THREE)


def test_runs_with_cloze_questions_are_those_asked_for_the_birthplace_at_full_length(tmp_path):
    record = {"row": "a: cloze questions", "relation": "place", "steps": None, "test": False}
    record |= {
        "documents": 1.0,
        "world": "original",
        "seed": 1,
        "finetuning": "assignment",
        "answers": "1101",
    }
    others = [
        record | change
        for change in (
            {"relation": "year"},
            {"steps": 9},
            {"documents": 0.5},
            {"test": True},
            {"row": "b: the cue"},
            {"finetuning": "best"},
        )
    ]
    [run] = cloze_runs([*others, record])
    assert (run.name, run.seed, run.accuracy) == (CLOZES, 1, Proportion(3, 4))
    assert "75.0" in questions_table([run], recorded_reader())
    assert recorded_clozes(tmp_path / "absent.json") == []
    (tmp_path / "damaged.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UserError, match="kqa bench relations"):
        recorded_clozes(tmp_path / "damaged.json")


def test_exposures_stand_beside_what_is_stored_and_what_is_answered(tmp_path):
    record = {
        "world": "small",
        "documents": 1.0,
        "row": "a: salient spans",
        "relation": "place",
        "steps": None,
    }
    record |= {"finetuning": "assignment", "test": False, "answers": "1100", "exposures": [158.7, 0.0]}
    stored = record | {"finetuning": "none", "answers": "111"}
    part = {"world": "original-small", "documents": 0.125, "row": "a: cloze questions", "steps": 3900}
    others = [
        record | change
        for change in (
            {"finetuning": "best"},
            {"test": True},
            {"documents": 0.5},
            {"row": "b: the cue", "exposures": None},
            {"relation": "job"},
        )
    ]
    short = record | {"steps": 325, "answers": "1000", "exposures": [39.7, 0.0]}
    year = record | part | {"relation": "year", "answers": "10", "exposures": [65.0, 65.0]}
    runs = exposed_runs([*others, year, record, record | {"answers": "1111"}, stored, short])
    heads, *lines = exposures_lines(runs)
    assert heads[2:5] == ("birthplace masked", "birthplace stored, %", "birthplace answered, %")
    assert lines == [
        ("the small world",),
        ("salient rows", "325", "40", "", "25.0", "", "", ""),
        ("salient rows", "1,300", "159", "100.0", "75.0 ± 35.4", "", "", ""),
        ("an eighth of the original data, with the small world's recipe",),
        ("half cloze questions", "3,900", "", "", "", "65 + 65", "", "50.0"),
    ]
    assert "half cloze questions" in repr(show_exposures(recorded_exposures()))
    assert recorded_exposures(tmp_path / "absent.json") == []


def test_a_table_shows_half_of_its_rows_and_folds_all():
    names = LADDER[:4]
    rows = [
        row(name, seed, right) for name, right in zip(names, (10, 12, 30, 31), strict=True) for seed in (0, 1)
    ]
    table = show_ladder(rows, "small", names)
    seen, fold = table.to_html().split("<details>")
    assert [name in seen for name in names] == [True, False, True, False], "the first, and the largest step"
    assert all(name in fold for name in names) and "all 4 rows" in fold
    assert repr(table) == ladder_table(rows, "small", names), "the text has all rows"
    chosen = show_ladder(rows, "small", names, names[3:]).to_html().split("<details>")[0]
    assert [name in chosen for name in names] == [False, False, False, True]
    assert "not measured yet: 1 of 5 rows" in show_ladder(rows, "small", LADDER[:5]).to_html()


def test_a_table_leaves_out_an_empty_column_and_escapes_its_cells():
    name = LADDER[0]
    assert "seconds" in ladder_table([row(name)], "small", [name])
    assert "seconds" not in ladder_table([row(name, seconds=None)], "small", [name])
    certain = [row(name, 0, right) for name, right in ((LADDER[0], 0), (LADDER[1], 50))]
    html = show_ladder(certain, "small", LADDER[:2]).to_html()
    assert "<td>&lt;0.001</td>" in html and "<td><0.001" not in html
    asked = show_questions(read_ladder(), recorded_reader()).to_html()
    assert asked.count("colspan=4") == len(THREE) and "<details>" not in asked


@pytest.mark.slow
def test_the_figures_say_the_same_in_words():
    rows = [row(seed=0), row(seed=1, correct=42), row("alone")]
    bars = accuracy_by_lever(rows, "small", ["best", "alone", "other"], "Small world")
    assert "best: 82.0 ± 2.8 %" in bars.sentence and "not measured yet: 1 of 3 rows" in bars.sentence
    assert "alone: 80.0 % (67.0 to 88.8, one seed)" in bars.sentence
    lines = accuracy_by_seconds({"best": row()}, {"ceiling": 0.958})
    assert "best: 80.0 % after 1 minutes" in lines.sentence and "ceiling: 95.8 %" in lines.sentence
    assert [label.get_text() for label in bars.figure.axes[0].get_yticklabels()] == ["best", "alone"]
    assert "not measured yet: 1 of 1 rows" in accuracy_by_lever([], "small", ["best"]).sentence
    assert bars.png().startswith(b"\x89PNG") and lines.png().startswith(b"\x89PNG")


def test_a_run_without_seconds_is_no_line_of_the_figure(recwarn):
    lines = accuracy_by_seconds({"broken off": row(seconds=None)}, {"ceiling": 0.958})
    assert "broken off" not in lines.sentence and not lines.figure.legends
    assert accuracy_by_seconds({"best": row()}, {}).figure.legends
    assert not recwarn.list


def test_records_that_cannot_be_read_are_named(tmp_path):
    path = tmp_path / "ladder.json"
    assert read_ladder(path) == []
    for content in ("{", "[]", json.dumps({"rows": [{"world": "small"}]})):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(UserError, match="kqa bench ladder"):
            read_ladder(path)
    path.write_text(json.dumps({"rows": [row().to_json()]}), encoding="utf-8")
    assert read_ladder(path) == [row()]


def test_recorded_runs_are_a_table_with_a_line_a_seed(tmp_path):
    file = tmp_path / "own_training.json"
    figures = {
        "right": {stage: [10 * i, 10 * i + 1] for i, stage in enumerate(STAGES)},
        "questions": 100,
        "seconds": [1, 2],
    }
    file.write_text(
        json.dumps({"figures": figures, "machine": {"processor": "X", "cores": 2}}), encoding="utf-8"
    )
    runs = recorded_own(file)
    assert runs.right["text, then questions"] == [20, 21] and runs.machine == "X, 2 cores"
    assert [line.split()[0] for line in runs.table().split("\n")] == ["seed", "0", "1"]
    assert runs.table().endswith("21")
    with pytest.raises(UserError, match="kqa bench own_training"):
        recorded_own(tmp_path / "absent.json")
