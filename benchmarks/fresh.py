"""Fresh answers, and how fairly they are judged. Run: kqa bench fresh

- tests/fresh/EXERCISE holds answers that were written from an exercise's text alone, before anyone looked at its key:
  `right_*.py` are unusual and right, `wrong_*.py` are mistakes. They were judged once before the checks were changed, and
  first_NN.json says how many right ones were refused and how many wrong ones accepted. An answer whose author had misread the
  exercise is not kept.
- Here all are judged again. The checks were corrected with these answers at hand, so today's figure says that each correction
  holds; only the first figure says how a new answer will fare.
- Prints every answer that is misjudged. The status is 1 if there is one.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from autograder.course.try_answers import try_batch
from autograder.farm.config import JudgeConfig
from autograder.sandbox.errors import InfrastructureError
from benchmarks._common import report
from kqa_core.check.exercise import Outcome

FRESH = Path(__file__).resolve().parents[1] / "tests" / "fresh"
KINDS = {"right": "refused", "wrong": "accepted"}


def is_misjudged(path: Path, outcome: str) -> bool:
    """Whether a file `right_*.py` was not judged right, or another was."""
    return (outcome == Outcome.RIGHT) != path.name.startswith("right_")


def first() -> dict[str, list[int]]:
    """Of each kind, as it was before the checks were changed: how many were misjudged, and how many there were."""
    sums = {kind: [0, 0] for kind in KINDS}
    for path in FRESH.glob("first_*.json"):
        for counts in json.loads(path.read_text(encoding="utf-8")).values():
            for kind in KINDS:
                sums[kind] = [total + count for total, count in zip(sums[kind], counts[kind], strict=True)]
    return sums


def main() -> int:
    """Judge every fresh answer, print what is misjudged, write the figures, and return the exit status."""
    written, misjudged = Counter[str](), Counter[str]()
    for path, result in try_batch(FRESH, JudgeConfig()):
        kind = path.name.partition("_")[0]
        written[kind] += 1
        if isinstance(result, InfrastructureError):
            raise SystemExit(f"{path.relative_to(FRESH)}: the judge failed: {result}")
        if is_misjudged(path, result.outcome):
            misjudged[kind] += 1
            print(f"{path.relative_to(FRESH)}: {result.outcome}. {result.sentence}", flush=True)
    before = first()
    now = {kind: [misjudged[kind], written[kind]] for kind in KINDS}
    told = [
        f"{kind} {KINDS[kind]}: {now[kind][0]} of {now[kind][1]} (at first {before[kind][0]} of {before[kind][1]})"
        for kind in KINDS
    ]
    bar = "at most 0.5 % of each"
    met = all(200 * now[kind][0] <= now[kind][1] for kind in KINDS)
    report("fresh", {"first": before, "now": now}, "; ".join(told), bar, met)
    return int(misjudged.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
