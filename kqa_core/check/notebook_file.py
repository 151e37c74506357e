"""Run the visible checks of a notebook file without a notebook server: `kqa check NOTEBOOK.ipynb`.

- A cell that has lost nbgrader's metadata is found by its id, an answer also by the function that it defines.
- Like the judge it runs the setup cells, the answer cells and the student's own cells, in a separate process,
  in the notebook's folder. Of the student's own cells it leaves out those that no answer needs: an experiment
  may take minutes.
- The child writes its results as JSON lines to its original standard output. Text that the student's code
  prints is discarded.
- A cell or a check that takes longer than the limit ends the child. The results before it are kept.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from kqa_core.check.exercise import Exercise, Outcome, Verdict
from kqa_core.check.registry import all_exercises
from kqa_core.check.submitted import code_cells, needed, with_marks
from kqa_core.errors import UserError

BEGIN, RESULT = "begin", "result"
START_SECONDS = 60  # for Python to start and import torch


def read_cells(path: Path) -> list[tuple[str, Exercise | None]]:
    """The cells of a notebook file that its answers need, of those that are submitted:
    the source of each, and the exercise that an answer cell answers.

    Raises UserError if it is not one of the course's notebooks.
    """
    known = {exercise.id: exercise for exercise in all_exercises(path.parent)}
    checked = [name for name, exercise in known.items() if not exercise.written]
    try:
        all_cells = code_cells(with_marks(json.loads(path.read_text(encoding="utf-8-sig")), checked))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; give the path of a notebook (.ipynb)") from None
    except IsADirectoryError:
        raise UserError(f"{path}: is a folder; give the notebook (.ipynb) in it") from None
    except OSError as problem:
        raise UserError(f"{path}: cannot be read ({problem.strerror})") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError(f"{path}: is not a notebook; expected a .ipynb file as Jupyter saves it") from None
    cells = [
        (cell.source, known.get(str(cell.grade_id)) if cell.role == "solution" else None)
        for cell in needed(all_cells)
    ]
    if not any(exercise for _, exercise in cells):
        raise UserError(f"{path}: has no exercise of this course to check; expected one of its notebooks")
    return cells


def check_file(path: Path, seconds: float) -> Iterator[tuple[Exercise, Verdict, str | None]]:
    """Run the checks of a notebook file. Yields each result at once:
    exercise, verdict, and the student's line that raised.

    `seconds` is the limit for one cell or one check.
    """
    exercises = {exercise.id: exercise for _, exercise in read_cells(path) if exercise is not None}
    command = [sys.executable, "-m", __name__, path.name]
    child = subprocess.Popen(
        command,
        cwd=path.resolve().parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert child.stdout is not None
    lines: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=_pump, args=(child.stdout, lines), daemon=True).start()
    reported: set[str] = set()
    current: str | None = None
    stopped = "the process that ran your notebook ended before this check"
    try:
        line = lines.get(timeout=max(seconds, START_SECONDS))
        while line is not None:
            message = json.loads(line)
            current = message["exercise"]
            if message["kind"] == RESULT and current in exercises:
                reported.add(current)
                verdict = Verdict(Outcome(message["outcome"]), message["sentence"])
                yield exercises[current], verdict, message["detail"]
            line = lines.get(timeout=seconds)
    except queue.Empty:
        stopped = f"not reached: {current or 'a setup cell'} did not finish within {seconds:g} s"
        if current is not None and current not in reported:
            reported.add(current)
            sentence = f"your code did not finish within {seconds:g} s: look for a loop that does not end"
            yield exercises[current], Verdict(Outcome.ERROR, sentence, "time"), None
    finally:
        child.kill()
        child.wait()
    for name, exercise in exercises.items():
        if name not in reported:
            yield exercise, Verdict(Outcome.ERROR, stopped, "died"), None


def _pump(stream: TextIO, lines: queue.Queue[str | None]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def main(path: Path) -> None:
    """In the child: run the cells, then the checks, and write the results to standard output."""
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)

    def report(kind: str, exercise: Exercise | None, **more: object) -> None:
        results.write(json.dumps({"kind": kind, "exercise": exercise and exercise.id, **more}) + "\n")
        results.flush()

    from IPython.core.interactiveshell import InteractiveShell

    import kqa_core.check.local
    import kqa_core.check.run  # noqa: F401  # torch and sympy are slow to import; do not count that for a cell
    from kqa_core.check.api import Slip, judged
    from kqa_core.check.progress_store import ProgressStore

    shell: Any = InteractiveShell.instance()
    cells = read_cells(path)
    broken: dict[str, str] = {}
    for source, exercise in cells:
        report(BEGIN, exercise)
        result = shell.run_cell(source, store_history=False)
        error = result.error_before_exec or result.error_in_exec
        if error is not None and exercise is not None:
            broken[exercise.id] = (
                f"its cell stops with {type(error).__name__}: {str(error).partition(chr(10))[0]}"
            )
    store = ProgressStore()
    for exercise in dict.fromkeys(exercise for _, exercise in cells if exercise is not None):
        report(BEGIN, exercise)
        function, detail = shell.user_ns.get(exercise.id), None
        if exercise.id in broken:
            verdict = Verdict(Outcome.ERROR, broken[exercise.id], "cell")
        elif not callable(function):
            verdict = Verdict(
                Outcome.ERROR,
                f"the notebook defines no function {exercise.id}: keep the name its cell gave it",
            )
        else:
            try:
                verdict, detail = judged(exercise, function)
            except Slip as problem:
                verdict = Verdict(Outcome.ERROR, str(problem))
        store.note_check(exercise.id, verdict.outcome)
        report(RESULT, exercise, outcome=verdict.outcome, sentence=verdict.sentence, detail=detail)
    results.close()
    with contextlib.suppress(OSError):
        os.close(silence)
    os._exit(0)  # do not wait for threads or exit handlers of the student's code


if __name__ == "__main__":
    main(Path(sys.argv[1]))
