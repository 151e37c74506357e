"""The file of model answers beside a released notebook: sealed with codes, or open for everybody.

`kqa_core.check.model_answers` reads it, and says why it is made this way.
"""

from __future__ import annotations

import json
from pathlib import Path

from autograder.answer_key import model_answer
from autograder.judge.seeds import course_key, course_mark, unlock_code
from autograder.paths import read_course
from kqa_core.check.model_answers import LOCKED, OPEN, seal
from kqa_core.check.registry import of_notebook
from kqa_core.files import write_whole, writing


def write_solutions(folder: Path, course: Path, opened: bool = False) -> Path:
    """Write the model answers of the notebook NAME into `folder`, which has its name; returns the file.

    Each is sealed with its code, or readable if `opened`.
    """
    key = course_key(course / ".course_key")
    answers = {exercise.id: model_answer(exercise.id) for exercise in of_notebook(folder.name)}
    if not opened:
        answers = {exercise: seal(unlock_code(key, exercise), text) for exercise, text in answers.items()}
    content = {
        "course": read_course(course).title,
        "mark": "" if opened else course_mark(key),
        "answers": answers,
    }
    path = folder / f"{folder.name}{OPEN if opened else LOCKED}"
    with writing(path):
        write_whole(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    return path
