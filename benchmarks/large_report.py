"""The report on a large class: how big its index is, how long it takes to write, and how long a browser takes to show it.

500 students with the course's real exercises, each with a made-up outcome, sentence and answer of a usual length; the results are
made by hand and the gradebook is left out, so what is timed is the report. Chromium opens the index from the disk, without a
network, until the first layout is done; in the same run it opens the index of a class of 50.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from autograder.judge.results import ExerciseResult, Status, SubmissionResult, overall
from autograder.report.facts import NotebookFacts, exercise_facts
from autograder.report.report import index
from benchmarks._common import report
from kqa_core.check.registry import all_exercises, of_notebook
from kqa_core.files import write_whole

STUDENTS, FEW = 500, 50
LINES = 12  # of an answer
SENTENCES = [f"for keys of {n} dimensions, the weight on key {n} should tend to one half" for n in range(8)]
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


def main() -> None:
    """Make both classes, write both indexes, open both, print and report."""
    with tempfile.TemporaryDirectory() as folder:
        taken = {count: _written(count, Path(folder) / f"class_{count}.html") for count in (FEW, STUDENTS)}
        shown = {count: _opened(Path(folder) / f"class_{count}.html") for count in (FEW, STUDENTS)}
        size = {count: (Path(folder) / f"class_{count}.html").stat().st_size / 1e6 for count in (FEW, STUDENTS)}
    print(f"{'students':>8}  {'index, MB':>9}  {'written, s':>10}  {'first paint, s':>14}  {'nodes':>8}")
    for count in (FEW, STUDENTS):
        seconds, nodes = shown[count]
        print(f"{count:8d}  {size[count]:9.1f}  {taken[count]:10.1f}  {seconds:14.1f}  {nodes:8d}")
    figures = {
        str(count): {"megabytes": size[count], "written": taken[count], "shown": shown[count][0], "nodes": shown[count][1]}
        for count in (FEW, STUDENTS)
    }
    head = f"{STUDENTS} students × {len(all_exercises())} exercises: {size[STUDENTS]:.1f} MB, open in {shown[STUDENTS][0]:.1f} s"
    report("large_report", figures, head, "opens")


def _written(count: int, path: Path) -> float:
    facts = [_facts(name, count) for name in dict.fromkeys(exercise.notebook for exercise in all_exercises())]
    answer = "\n".join(f"    line_{i} = softmax(keys @ query * beta)[{i}]" for i in range(LINES))
    sources = {each.name: {exercise.id: answer for exercise in of_notebook(each.name)} for each in facts}
    answers = {each.name: dict.fromkeys(each.students, sources[each.name]) for each in facts}
    start = time.perf_counter()
    write_whole(path, index(facts, answers))
    return time.perf_counter() - start


def _facts(name: str, count: int) -> NotebookFacts:
    rng, results = random.Random(name), {}
    for number in range(count):
        made = []
        for exercise in of_notebook(name):
            outcome = rng.choices(("right", "not yet", "error", "unattempted"), (6, 2, 1, 1))[0]
            made.append(
                ExerciseResult(
                    exercise.id,
                    {"unattempted": Status.UNATTEMPTED}.get(outcome, Status.GRADED),
                    outcome,
                    float(exercise.points if outcome == "right" else 0),
                    exercise.points,
                    "well done" if outcome == "right" else rng.choice(SENTENCES),
                    extra=exercise.extra,
                )
            )
        results[f"student{number:04}"] = SubmissionResult(f"student{number:04}", name, overall(tuple(made)), tuple(made))
    most = float(sum(each.points for each in of_notebook(name)) or 1)
    marks = {student: (each.marks, most, False) for student, each in results.items()}
    return NotebookFacts(name, results, marks, {}, exercise_facts(results.values(), {}))


def _opened(path: Path) -> tuple[float, int]:
    """Seconds from the navigation to the first paint of the whole document, and its elements."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        tab = browser.new_context(offline=True).new_page()
        tab.set_default_timeout(600_000)
        start = time.perf_counter()
        tab.goto(path.as_uri())
        tab.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        seconds = time.perf_counter() - start
        nodes = tab.evaluate("document.querySelectorAll('*').length")
        browser.close()
    return seconds, nodes


if __name__ == "__main__":
    main()
