"""The fresh answers of tests/fresh: every checked exercise has some, and one right and one wrong of each are
judged here.

`kqa bench fresh` judges them all, in some minutes, and writes the figure.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from autograder.course.try_answers import try_batch
from autograder.farm.config import JudgeConfig
from autograder.sandbox.errors import InfrastructureError
from benchmarks.fresh import FRESH, KINDS, ROUNDS, is_misjudged
from kqa_core.check.registry import all_exercises

CHECKED = {exercise.id: exercise for exercise in all_exercises() if not exercise.written}
FEWEST = {"right": 4, "wrong": 6}


def test_every_checked_exercise_has_fresh_answers_and_a_first_measurement() -> None:
    folders = [path for path in FRESH.iterdir() if path.is_dir()]
    found = {path.name: {kind: len(list(path.glob(f"{kind}_*.py"))) for kind in KINDS} for path in folders}
    assert found.keys() == CHECKED.keys()
    assert not {
        name: counts for name, counts in found.items() if any(counts[kind] < FEWEST[kind] for kind in KINDS)
    }
    for round_ in ROUNDS:
        files = [json.loads(path.read_text(encoding="utf-8")) for path in FRESH.glob(f"{round_}_*.json")]
        measured = {name: counts for each in files for name, counts in each.items()}
        assert measured.keys() == CHECKED.keys()
        assert all(0 <= wrong <= total for counts in measured.values() for wrong, total in counts.values())


@pytest.mark.slow
def test_a_right_and_a_wrong_fresh_answer_of_each_exercise_are_judged_as_they_are_named(
    tmp_path: Path,
) -> None:
    for name in CHECKED:
        (tmp_path / name).mkdir()
        for kind in KINDS:
            shutil.copy(min((FRESH / name).glob(f"{kind}_*.py")), tmp_path / name)
    results = dict(try_batch(tmp_path, JudgeConfig(workers=1)))
    assert not [path for path, result in results.items() if isinstance(result, InfrastructureError)]
    assert not {
        str(path): result.sentence for path, result in results.items() if is_misjudged(path, result.outcome)
    }
