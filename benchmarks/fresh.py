"""Fresh answers, and how fairly they are judged. Run: kqa bench fresh

- tests/fresh/EXERCISE.py holds answers that were written from an exercise's text alone, by somebody who had
  not seen its key: `right_…` are unusual and right, `wrong_…` are mistakes. An answer whose author had
  misread the exercise is not kept. A function is a cell that defines the exercise's function; a cell that is
  more than one function is a string. The text of each is exactly what its author wrote.
- They were written in two rounds. Each round was judged once before its misjudged answers were looked at:
  rounds.json says of each exercise how many right ones were refused and how many wrong ones accepted. The
  first round led to the repairs of the checks. The second (`right_second_…`, `wrong_second_…`) was written
  after them, so it says how a new answer fares.
- Here all are judged again. The checks were corrected with the help of these answers, so today's figure says
  only that each correction holds.
- Prints every answer that is misjudged. The status is 1 if there is one.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from autograder.course.answer_files import answers_in
from autograder.course.try_answers import try_answers
from autograder.grading.config import JudgeConfig
from autograder.sandbox.errors import InfrastructureError
from benchmarks._common import report

FRESH = Path(__file__).resolve().parents[1] / "tests" / "fresh"
KINDS = {"right": "refused", "wrong": "accepted"}
ROUNDS = ("first", "second")


def measured(round_: str) -> dict[str, list[int]]:
    """Of each kind, when this round was judged for the first time:
    how many answers were misjudged, and how many there were.
    """
    sums = {kind: [0, 0] for kind in KINDS}
    for rounds in json.loads((FRESH / "rounds.json").read_text(encoding="utf-8")).values():
        for kind, counts in rounds[round_].items():
            sums[kind] = [total + count for total, count in zip(sums[kind], counts, strict=True)]
    return sums


def main() -> int:
    """Judge every fresh answer, print what is misjudged, write the figures, and return the exit status."""
    written, misjudged = Counter[str](), Counter[str]()
    for answer, result in try_answers(answers_in(FRESH), JudgeConfig()):
        kind = "right" if answer.right else "wrong"
        written[kind] += 1
        if isinstance(result, InfrastructureError):
            raise SystemExit(f"{answer.place}: the judge failed: {result}")
        if not answer.as_named(result.outcome):
            misjudged[kind] += 1
            print(f"{answer.place}: {result.outcome}. {result.sentence}", flush=True)
    figures = {each: measured(each) for each in ROUNDS}
    figures["now"] = {kind: [misjudged[kind], written[kind]] for kind in KINDS}
    told = "; ".join(
        f"{when}: right {KINDS['right']} {counts['right'][0]} of {counts['right'][1]},"
        f" wrong {KINDS['wrong']} {counts['wrong'][0]} of {counts['wrong'][1]}"
        for when, counts in figures.items()
    )
    met = all(
        200 * figures[when][kind][0] <= figures[when][kind][1] for when in ("second", "now") for kind in KINDS
    )
    report("fresh", figures, told, "second and now: at most 0.5 % of each", met)
    return int(misjudged.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
