"""What the checks say of every known wrong answer, in one process. Run: kqa bench known_answers

- The known wrong answers of an exercise are its key's rejected ones and the `wrong_…` of tests/fresh.
- *Passes here*: the visible check alone calls it right, so the notebook would. At most 3 % of an exercise's.
- *Accused wrongly*: the judge would give it the name of a mistake, because it behaves like the rejected
  answer of that name (`autograder.judge.diagnose`), but on other inputs it does not. The check's own
  sentences are printed with `python benchmarks/known_answers.py --sentences EXERCISE …`, each with all whom
  it is told: one sentence for answers with different mistakes must say what was seen, and no cause. That
  holds also where a check says the sentence of a rejected answer itself.
- *Announced*: it passes here, and the exercise says in the notebook what only the hidden check decides.
- *Right, and refused*: a right answer of the key or of tests/fresh that one of the two checks refuses.
- Every submission gets other inputs in the hidden check, so one draw says little about rare ones:
  `python benchmarks/known_answers.py --draws SECONDS EXERCISE …` judges the right answers of each of these
  exercises, or of all, again and again, on other inputs each time, for so many seconds of processor time.
- Nothing is confined, and answers run as in a notebook; `kqa bench fresh` has the judge's verdicts.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import linecache
import random
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from autograder.answer_key import AnswerKey, find_checked, sentence
from autograder.course.answer_files import FileAnswer, answers_in
from autograder.judge.clock import OutOfTime, clock
from autograder.judge.diagnose import SEED, diagnose, known
from autograder.paths import COURSE
from autograder.submissions.merge import with_answer
from autograder.submissions.skeleton import Skeleton, load_skeleton
from benchmarks._common import report
from kqa_core.check.api import visible_seed
from kqa_core.check.display import right_text
from kqa_core.check.exercise import Check, Exercise, JudgeError, Outcome, Verdict, observed_and_cause
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import all_exercises, find
from kqa_core.check.run import behaviour, run_check
from kqa_core.check.same_behaviour import same_behaviour
from kqa_core.errors import UserError

FRESH = Path(__file__).resolve().parents[1] / "tests" / "fresh"
SECONDS = 10.0  # of an answer in one check
MOST = 0.03  # of an exercise's wrong answers may pass its visible check
OTHER_SEEDS = (11, 12, 13)  # of the inputs on which a named mistake is compared again

Function = Callable[..., Any]


@dataclass
class Told:
    """What an exercise's wrong answers are told."""

    exercise: Exercise
    count: int = 0
    # of processor time, for all of its answers in both checks, and to name mistakes; without what no judge
    # does, to see who is accused wrongly
    seconds: float = 0.0
    passing: list[tuple[str, str]] = field(default_factory=list)  # name, and what the visible check says
    accused: list[tuple[str, str]] = field(default_factory=list)  # name, and the mistake it did not make
    lost: list[tuple[str, str]] = field(default_factory=list)  # rejected ones that are told something else
    refused: list[tuple[str, str]] = field(default_factory=list)  # right ones, and what they are told
    sentences: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    @property
    def announced(self) -> int:
        """How many pass where the notebook says what is decided later."""
        return len(self.passing) if self.exercise.decided_later else 0

    @property
    def allowed(self) -> bool:
        """Whether as few pass as may."""
        return len(self.passing) <= MOST * self.count


def wrong_answers(exercise: Exercise, fresh: Sequence[FileAnswer]) -> Iterator[tuple[str, Function]]:
    """The known wrong answers of an exercise, by name. A fresh one whose cell stops is left out."""
    key = find_checked(exercise.id)
    for function in key.rejected:
        yield function.__name__, function
    for answer in fresh:
        if answer.exercise == exercise.id and not answer.right:
            function = in_a_notebook(exercise, answer)
            if function is not None:
                yield answer.place.rpartition("::")[2], function


def right_answers(exercise: Exercise, fresh: Sequence[FileAnswer]) -> list[tuple[str, Function]]:
    """The known right answers of an exercise, by name. A fresh one whose cell stops is left out."""
    key = find_checked(exercise.id)
    rights = [(function.__name__, function) for function in (key.reference, *key.accepted)]
    for answer in fresh:
        if answer.exercise == exercise.id and answer.right:
            function = in_a_notebook(exercise, answer)
            if function is not None:
                rights.append((answer.place.rpartition("::")[2], function))
    return rights


def in_a_notebook(exercise: Exercise, answer: FileAnswer) -> Function | None:
    """The function that a cell defines after the setup cells; None if the cell stops or defines none."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(
        with_answer(skeleton_of(exercise.notebook), exercise.id, answer.source).run
    ):
        name = f"<{answer.place} {number}>"
        linecache.cache[name] = (len(cell.source), None, cell.source.splitlines(keepends=True), name)
        try:
            exec(compile(cell.source, name, "exec"), names)
        except Exception:
            return None
    function = names.get(exercise.id)
    return function if callable(function) else None


@functools.cache
def skeleton_of(notebook: str) -> Skeleton:
    """The notebook's skeleton."""
    return load_skeleton(COURSE / "source" / notebook / f"{notebook}.ipynb")


def told(exercise: Exercise, fresh: Sequence[FileAnswer]) -> Told:
    """What the checks of one exercise say of its known wrong answers."""
    assert exercise.check is not None
    key, found = find_checked(exercise.id), Told(exercise)
    for name, function in wrong_answers(exercise, fresh):
        found.count += 1
        stage, outcome, said = "visible", Outcome.ERROR, "out of time"
        for check, stage, seed in (
            (exercise.check, "visible", visible_seed(exercise.id)),
            (key.hidden, "hidden", 5),
        ):
            verdict = judged(found, check, function, seed)
            if verdict is None:
                outcome, said = Outcome.ERROR, "out of time"
                break
            outcome, said = verdict.outcome, verdict.sentence
            if outcome is not Outcome.RIGHT:
                break
            if stage == "visible":
                found.passing.append((name, said))
        found.sentences[f"{stage}: {outcome}: {without_numbers(said)}"].append(name)
        if outcome is Outcome.NOT_YET:
            started = time.process_time()
            named, accused = accusation(key, function, said)
            found.seconds += time.process_time() - started
            due = function in key.rejected and sentence(function)
            if due and not any(each.startswith(due) for each in (named, observed_and_cause(named)[1])):
                found.lost.append((name, named))
            inferred = (
                accused is not None and named != said
            )  # else the check itself says it, from what it saw
            if accused is not None and inferred and accused != name and not holds(key, function, accused):
                found.accused.append((name, accused))
    for name, function in right_answers(exercise, fresh):
        for check, seed in ((exercise.check, visible_seed(exercise.id)), (key.hidden, 5)):
            verdict = judged(found, check, function, seed)
            if verdict is None:
                break
            if verdict.outcome is not Outcome.RIGHT:
                found.refused.append((name, verdict.sentence))
                break
    return found


def judged(found: Told, check: Check, function: Function, seed: int) -> Verdict | None:
    """The verdict of a check; None if there is none in time. Its processor time is added to the others'."""
    started = time.process_time()
    try:
        with clock(SECONDS):
            return run_check(check, LocalAnswer(function), seed, found.exercise.id)
    except OutOfTime:
        return None
    finally:
        found.seconds += time.process_time() - started


def drawn_again(name: str, seconds: float) -> tuple[int, list[str]]:
    """How many hidden checks of right answers there were in this processor time, and what was refused. One
    that is not decided in time counts as refused.
    """
    exercise, refused, count = find(name), [], 0
    found, check = Told(exercise), find_checked(name).hidden
    answers = right_answers(exercise, answers_in(FRESH))
    for seed in itertools.count(100):
        for answer, function in answers:
            try:
                verdict = judged(found, check, function, seed)
                if verdict is not None and verdict.outcome is Outcome.RIGHT:
                    continue
                said = "out of time" if verdict is None else verdict.sentence
            except JudgeError as broken:
                said = str(broken)
            finally:
                count += 1
            refused.append(f"{answer}, seed {seed}: {said}")
        if found.seconds > seconds:
            return count, refused


def draws(seconds: float, names: Sequence[str]) -> int:
    """Print, per exercise, which right answers the hidden check refuses on some inputs; the exit status."""
    names = names or [each.id for each in all_exercises() if not each.written]
    judged_in_all = refused_in_all = 0
    with ProcessPoolExecutor() as pool:
        for name, (count, refused) in zip(
            names, pool.map(drawn_again, names, itertools.repeat(seconds)), strict=True
        ):
            print(f"{name}: {len(refused)} of {count} refused", flush=True)
            for said in refused:
                print(f"    {said}")
            judged_in_all += count
            refused_in_all += len(refused)
    print(f"{refused_in_all} of {judged_in_all} hidden checks of right answers refuse one")
    return int(refused_in_all > 0)


def accusation(key: AnswerKey, function: Function, said: str) -> tuple[str, str | None]:
    """The judge's sentence, and the mistake that it names."""
    known(key)
    try:
        with clock(SECONDS):
            return diagnose(key, LocalAnswer(function, SEED), said)
    except OutOfTime:
        return said, None


def holds(key: AnswerKey, function: Function, mistake: str) -> bool:
    """Whether the answer behaves on other inputs like the one that makes this mistake."""
    for seed in OTHER_SEEDS:
        calls = key.fingerprint(random.Random(seed))
        try:
            with clock(2 * SECONDS):
                mine, theirs = behaviour(LocalAnswer(function), calls), rejected_one(key.id, mistake, seed)
        except OutOfTime:
            return False
        if not same_behaviour(mine, theirs):
            return False
    return True


@functools.cache
def rejected_one(exercise: str, mistake: str, seed: int) -> list[Any]:
    """What a rejected answer does with the inputs of this seed; the same for all that are accused."""
    key = find_checked(exercise)
    rejected = next(answer for answer in key.rejected if answer.__name__ == mistake)
    return behaviour(LocalAnswer(rejected), key.fingerprint(random.Random(seed)))


def without_numbers(said: str) -> str:
    """A sentence in which every number reads #, so that it is one for all inputs."""
    return re.sub(r"-?\d+(\.\d+)?(e[+-]?\d+)?", "#", said)


def main(names: Sequence[str] = (), sentences: bool = False) -> int:
    """Print, per exercise, what passes and who is accused; write the figures, and return the exit status."""
    fresh = answers_in(FRESH)
    exercises = [find(name) for name in names] or [each for each in all_exercises() if not each.written]
    all_told = []
    for exercise in exercises:
        found = told(exercise, fresh)
        all_told.append(found)
        print(
            f"{exercise.id}: {len(found.passing)} of {found.count} wrong answers pass here"
            f"{', announced' if found.announced else ''}"
            f"{'' if found.allowed else '  <-- MORE THAN 3 %'}; {found.seconds:.1f} s",
            flush=True,
        )
        for name, said in found.passing:
            print(f"    {name} passes: {right_text(exercise, said)}")
        for name, accused in found.accused:
            mistake = next(each for each in find_checked(exercise.id).rejected if each.__name__ == accused)
            print(f"    {name} is accused of {accused}: {sentence(mistake)}")
        for name, said in found.refused:
            print(f"    {name} is right, and refused: {said}")
        for name, named in found.lost:
            print(f"    {name} is not told its own mistake but: {named}")
        if sentences:
            for said, whom in found.sentences.items():
                print(f"    {said}\n        {', '.join(whom)}")
    count, passing, accused = (
        sum(each.count for each in all_told),
        sum(len(each.passing) for each in all_told),
        sum(len(each.accused) for each in all_told),
    )
    over = [each.exercise.id for each in all_told if not each.allowed]
    figures: dict[str, object] = {
        "wrong": count,
        "pass the visible check": passing,
        "accused wrongly": accused,
        "over": over,
    }
    figures["announced"] = sum(each.announced for each in all_told)
    figures["processor seconds an exercise"] = round(
        sum(each.seconds for each in all_told) / len(all_told), 1
    )
    figures["right refused"] = refused = sum(len(each.refused) for each in all_told)
    told_line = f"{passing} of {count} wrong answers pass the visible check, {accused} are accused wrongly"
    if not names:
        report(
            "known_answers",
            figures,
            told_line,
            "at most 3 % of an exercise's pass; 0 accused",
            not over and not accused,
        )
    else:
        print(told_line)
    return int(bool(over or accused or refused))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What the checks say of every known answer.")
    parser.add_argument("exercises", nargs="*", help="ids of exercises; all if none is given")
    parser.add_argument("--sentences", action="store_true", help="print what every wrong answer is told")
    parser.add_argument("--draws", type=float, metavar="SECONDS", help="judge right answers again and again")
    given = parser.parse_args()
    try:
        list(map(find, given.exercises))
    except UserError as error:
        parser.error(str(error))
    if given.draws is not None:
        sys.exit(draws(given.draws, given.exercises))
    sys.exit(main(given.exercises, given.sentences))
