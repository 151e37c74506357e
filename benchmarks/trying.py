"""How many answers `kqa course try --batch` judges in a second. Run: kqa bench trying

- The answers are fresh ones to exercises of notebooks 01 and 04 whose checks are cheap, so that what is
  measured is the way to the verdict and not the check.
- Both ways in one run, with one worker for each core: in processes without a sandbox, which is the command's
  default, and in the sandbox. Start-up counts.
- The verdicts of both ways must be the same. The status is 1 if one differs.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from autograder.course.answer_files import FileAnswer, answers_in
from autograder.course.try_answers import try_answers
from autograder.grading.config import JudgeConfig
from autograder.judge.results import ExerciseResult
from autograder.sandbox.unconfined import TIER
from benchmarks._common import report
from benchmarks.fresh import FRESH

CHEAP = (
    *("average_two", "average_all", "copy_one", "select_first", "attention_scores", "causal_mask"),
    *("masked_attention", "merge_heads", "split_heads"),
)
LEAST = 20.0  # answers a second


def judged(answers: list[FileAnswer], tier: str | None) -> tuple[dict[str, ExerciseResult], float]:
    """The results by place, and the answers a second."""
    began = time.perf_counter()
    results = {
        answer.place: result
        for answer, result in try_answers(answers, JudgeConfig(tier=tier))
        if isinstance(result, ExerciseResult)
    }
    return results, len(answers) / (time.perf_counter() - began)


def main() -> int:
    """Judge the answers in both ways, write the figures, and return the exit status."""
    answers = [answer for answer in answers_in(FRESH) if answer.exercise in CHEAP]
    (here, rate), (there, sandboxed) = judged(answers, TIER), judged(answers, None)
    same = here == there and len(here) == len(answers)
    figures = {"answers": len(answers), "rate": rate, "rate_in_the_sandbox": sandboxed, "same": same}
    told = f"{rate:.1f} answers a second without the sandbox, {sandboxed:.1f} in it, of {len(answers)}"
    bar = f"at least {LEAST:.0f} without it on two quiet cores, the same verdicts"
    report("trying", figures, told, bar, same and rate >= LEAST)
    return int(not same)


if __name__ == "__main__":
    sys.exit(main())
