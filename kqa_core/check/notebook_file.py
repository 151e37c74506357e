"""Run the visible checks of a notebook file without a notebook server: `kqa check NOTEBOOK.ipynb`.

- A cell that has lost nbgrader's metadata is found by its id, an answer also by the function that it defines.
- Like the judge it runs the setup cells, the answer cells and the student's own cells, in a separate process,
  in the notebook's folder. Of the student's own cells it leaves out those that no answer needs: an experiment
  may take minutes.
- The child writes its results as JSON lines to its original standard output. Text that the student's code
  prints is discarded.
- A cell or a check that takes longer than the limit, or ends the child, costs what it belongs to. As in the
  judge, another child goes on: without that cell, or with the next check.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from kqa_core.check.exercise import Exercise, Outcome, Verdict
from kqa_core.check.registry import all_exercises
from kqa_core.check.submitted import Cell, code_cells, needed, with_marks
from kqa_core.errors import UserError

CELL, BEGIN, RESULT = "cell", "begin", "result"
START_SECONDS = 60  # for Python to start and import torch
RESTARTS = 12  # as many as the judge allows
ENDED = "the process that ran your code ended before your code returned"


def read_cells(path: Path) -> list[tuple[Cell, Exercise | None]]:
    """The cells of a notebook file that its answers need, of those that are submitted,
    and the exercise that an answer cell answers.

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
        (cell, known.get(str(cell.grade_id)) if cell.role == "solution" else None)
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
    cells = read_cells(path)
    waiting = {exercise.id: exercise for _, exercise in cells if exercise is not None}
    late = f"your code did not finish within {seconds:g} s: look for a loop that does not end"
    failed: dict[int, Verdict] = {}  # by the number of a cell that is not run again
    why = "your notebook stopped the process that ran it too often"
    for _ in range(RESTARTS + 1):
        at: dict[str, Any] = {}
        for message in _child(path, seconds, {"skip": sorted(failed), "left": list(waiting)}):
            at = message
            if message.get("exercise") in waiting and message["kind"] == RESULT:
                exercise = waiting.pop(message["exercise"])
                numbers = [n for n, (_, answered) in enumerate(cells) if answered is exercise and n in failed]
                if message["undefined"] and numbers:
                    yield exercise, failed[numbers[-1]], None
                else:
                    verdict = Verdict(Outcome(message["outcome"]), message["sentence"])
                    yield exercise, verdict, message["detail"]
        if not waiting:
            return
        slow = bool(at.get("slow"))
        verdict = Verdict(Outcome.ERROR, late, "time") if slow else Verdict(Outcome.ERROR, ENDED, "died")
        if at.get("kind") == BEGIN and at["exercise"] in waiting:
            yield waiting.pop(at["exercise"]), verdict, None
        elif at.get("kind") == RESULT:
            continue
        elif at.get("kind") == CELL and cells[at["number"]][0].role != "setup":
            failed[at["number"]] = verdict
        else:
            why = f"not reached: a setup cell did not finish within {seconds:g} s" if slow else ENDED
            break
    for exercise in waiting.values():
        yield exercise, Verdict(Outcome.ERROR, why, "died"), None


def _child(path: Path, seconds: float, task: Mapping[str, object]) -> Iterator[dict[str, Any]]:
    """The messages of a child, until it ends. If it takes too long, the last one comes again, with "slow"."""
    child = subprocess.Popen(
        [sys.executable, "-m", __name__, path.name, json.dumps(task)],
        cwd=path.resolve().parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert child.stdout is not None
    lines: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=_pump, args=(child.stdout, lines), daemon=True).start()
    message: dict[str, Any] = {}
    try:
        line = lines.get(timeout=max(seconds, START_SECONDS))
        while line is not None:
            message = json.loads(line)
            yield message
            line = lines.get(timeout=seconds)
    except queue.Empty:
        yield {**message, "slow": True}
    finally:
        child.kill()
        child.wait()


def _pump(stream: TextIO, lines: queue.Queue[str | None]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def main(path: Path, skip: Sequence[int], left: Sequence[str]) -> None:
    """In the child: run the cells but those in `skip`, then the checks of the exercises in `left`, and write
    the results to standard output.
    """
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)

    def report(kind: str, **more: object) -> None:
        results.write(json.dumps({"kind": kind, **more}) + "\n")
        results.flush()

    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    import kqa_core.check.local  # noqa: F401  # torch and sympy are slow to import; do not count that for a cell
    from kqa_core.check.api import Slip, judged
    from kqa_core.check.progress_store import ProgressStore
    from kqa_core.check.run import MISSING, UNATTEMPTED
    from kqa_core.errors import useful_line, with_article

    config = Config()
    config.HistoryManager.enabled = False  # it would be the student's own
    shell: Any = InteractiveShell.instance(config=config)
    cells = read_cells(path)
    broken: dict[str, str] = {}
    for number, (cell, exercise) in enumerate(cells):
        if number in skip:
            continue
        report(CELL, number=number)
        result = shell.run_cell(cell.source, store_history=True)
        error = result.error_before_exec or result.error_in_exec
        if error is not None and exercise is not None:
            said = error.msg if isinstance(error, SyntaxError) else useful_line(str(error))
            what = f"{with_article(type(error).__name__)}{said and f': {said}'}"
            broken[exercise.id] = (
                f"{exercise.id} is not defined, because the solution cell stopped with {what}"
            )
    store = ProgressStore()
    for exercise in dict.fromkeys(exercise for _, exercise in cells if exercise is not None):
        if exercise.id not in left:
            continue
        report(BEGIN, exercise=exercise.id)
        function, detail = shell.user_ns.get(exercise.id), None
        # a cell that stops behind its definition costs nothing
        undefined = not callable(function)
        if undefined and not any(cell.source.strip() for cell, answered in cells if answered is exercise):
            verdict = Verdict(Outcome.UNATTEMPTED, UNATTEMPTED)
        elif undefined:
            verdict = Verdict(Outcome.ERROR, broken.get(exercise.id, MISSING))
        else:
            try:
                verdict, detail = judged(exercise, function)
            except Slip as problem:
                verdict = Verdict(Outcome.ERROR, str(problem))
        store.note_check(exercise.id, verdict.outcome)
        more = {"outcome": verdict.outcome, "sentence": verdict.sentence, "detail": detail}
        report(RESULT, exercise=exercise.id, undefined=undefined, **more)
    results.close()
    with contextlib.suppress(OSError):
        os.close(silence)
    os._exit(0)  # do not wait for threads or exit handlers of the student's code


if __name__ == "__main__":
    main(Path(sys.argv[1]), **json.loads(sys.argv[2]))
