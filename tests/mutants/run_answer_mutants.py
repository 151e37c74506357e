"""Judge mutants of every reference and accepted answer:
`python tests/mutants/run_answer_mutants.py [-n 04] [EXERCISE …]`.

- A mutant that is judged right survives. Either it is a right answer too, or its check misses a mistake. The
  rules in equivalent_answers/NOTEBOOK.toml say which are right, and why; the status is 1 if there is another,
  or a name that fits none.
- Verdicts are kept in runs/answer_mutants.jsonl, by the code that judged and the text that was judged. A run
  that was broken off goes on where it was.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from answer_mutating import AnswerMutant, mutants_of

from autograder.answer_key import AnswerKey, answer_source, find_key
from autograder.grading.config import JudgeConfig
from autograder.grading.workers import run_tasks
from autograder.judge.results import ExerciseResult
from autograder.judge.tasks import AnswerTask
from autograder.paths import ROOT
from kqa_core.check.exercise import Exercise
from kqa_core.check.registry import all_exercises
from kqa_core.files import digest_of

KEPT = ROOT / "runs" / "answer_mutants.jsonl"
# the first words after it name files
IMPORT = re.compile(r"course_(?:exercises|keys)(?:\.| import )([\w, ]+)")
EQUIVALENT = Path(__file__).with_name("equivalent_answers")  # NOTEBOOK.toml


@dataclass
class Rule:
    """Why some mutants are right answers. In the names of `mutants`, "…" stands for any text;
    each name must fit a mutant.
    """

    why: str
    mutants: list[str]

    def __post_init__(self) -> None:
        self.unused = {name: re.compile(".*".join(map(re.escape, name.split("…")))) for name in self.mutants}
        self._patterns = dict(self.unused)

    def fits(self, mutant: AnswerMutant) -> bool:
        """Whether one of the names is this mutant's."""
        fitting = [name for name, pattern in self._patterns.items() if pattern.fullmatch(mutant.name)]
        for name in fitting:
            self.unused.pop(name, None)
        return bool(fitting)


def rules_of(notebooks: Iterable[str]) -> list[Rule]:
    """The rules about the mutants of these notebooks."""
    files = (EQUIVALENT / f"{notebook}.toml" for notebook in sorted(notebooks))
    return [
        Rule(**each)
        for path in files
        if path.exists()
        for each in tomllib.loads(path.read_text(encoding="utf-8"))["rules"]
    ]


@dataclass
class Tally:
    """What became of the mutants."""

    killed: int = 0
    equivalent: int = 0
    alive: int = 0
    failed: int = 0  # not judged, through no fault of theirs


def mutants(exercise: Exercise) -> Iterator[AnswerMutant]:
    """The mutants of all right answers in the key of an exercise,
    except those whose text is a right answer of the key.
    """
    key = find_key(exercise.id)
    assert isinstance(key, AnswerKey)
    answers = (key.reference, *key.accepted)
    known = {_plain(answer_source(exercise.id, answer)) for answer in answers}
    for answer in answers:
        for mutant in mutants_of(exercise.id, answer, of_reference=answer is key.reference):
            if _plain(mutant.source) not in known:
                known.add(_plain(mutant.source))
                yield mutant


def _plain(source: str) -> str:
    return "".join(source.split())


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _digest(exercise: str) -> str:
    """A digest of the code that decides about the answers of one exercise:
    both packages, and what its two files import.
    """
    code = [path for package in ("autograder", "kqa_core") for path in (ROOT / package).rglob("*.py")]
    files = {path for path in code if path.parents[1].name != "keys"}
    waiting = [exercise]
    while waiting:
        name = waiting.pop()
        own = {
            *ROOT.glob(f"notebooks/source/*/exercises/{name}.py"),
            *ROOT.glob(f"notebooks/keys/*/{name}.py"),
        } - files
        files |= own
        for line in IMPORT.findall("".join(path.read_text(encoding="utf-8") for path in own)):
            waiting += re.findall(r"\w+", line)
    return digest_of(files, ROOT)


def judged(found: list[AnswerMutant], config: JudgeConfig) -> Iterator[tuple[AnswerMutant, str]]:
    """Each mutant with its outcome; "" if the judge failed."""
    where = {each.id: each.notebook for each in all_exercises()}
    code = {exercise: _digest(exercise) for exercise in {each.exercise for each in found}}
    names = {each: _hash(f"{code[each.exercise]} {each.exercise} {each.source}") for each in found}
    KEPT.parent.mkdir(exist_ok=True)
    lines = KEPT.read_text().splitlines() if KEPT.exists() else []
    known: dict[str, str] = dict(json.loads(line) for line in lines)
    for mutant in found:
        if names[mutant] in known:
            yield mutant, known[names[mutant]]
    tasks: dict[AnswerTask, AnswerMutant] = {}
    for mutant in found:
        if names[mutant] not in known:
            name = where[mutant.exercise]
            tasks[
                AnswerTask(
                    mutant.exercise,
                    mutant.name,
                    mutant.source,
                    config.course / "source" / name / f"{name}.ipynb",
                )
            ] = mutant
    with KEPT.open("a", encoding="utf-8") as kept:
        for task, result in run_tasks(tasks, config):
            outcome = result.outcome if isinstance(result, ExerciseResult) else ""
            if outcome:
                print(json.dumps([names[tasks[task]], outcome]), file=kept, flush=True)
            yield tasks[task], outcome


def main() -> int:
    """Judge the mutants and print what survived; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("exercises", nargs="*", help="ids of exercises; all if none is given")
    parser.add_argument("-n", "--notebook", help="the beginning of a notebook's name, such as 04")
    parser.add_argument("--count", action="store_true", help="only count the mutants")
    given = parser.parse_args()
    chosen = [
        each
        for each in all_exercises()
        if not each.written
        and (not given.exercises or each.id in given.exercises)
        and (given.notebook is None or each.notebook.startswith(given.notebook))
    ]
    found = [mutant for exercise in chosen for mutant in mutants(exercise)]
    found.sort(key=lambda mutant: not mutant.of_reference)  # these say most about a check, so they come first
    print(f"{len(found)} mutants of {len(chosen)} exercises")
    if given.count:
        return 0
    rules = rules_of({each.notebook for each in chosen})
    tally = Tally()
    for number, (mutant, outcome) in enumerate(judged(found, JudgeConfig(perform="first_look:perform")), 1):
        if outcome == "right":
            if any(rule.fits(mutant) for rule in rules):
                tally.equivalent += 1
            else:
                tally.alive += 1
                print(f"alive: {mutant.name}\n{mutant.source}", flush=True)
        else:
            tally.killed += bool(outcome)
            tally.failed += not outcome
        if sys.stderr.isatty():
            print(f"\r{number} of {len(found)}", end="", file=sys.stderr)
    unused = [] if given.exercises else [name for rule in rules for name in rule.unused]
    for name in unused:
        print(f"no right answer fits {name}")
    print(
        f"killed {tally.killed}, equivalent {tally.equivalent}, alive {tally.alive}, not judged"
        f" {tally.failed} of {len(found)}"
    )
    return int(tally.alive + tally.failed + len(unused) > 0)


if __name__ == "__main__":
    sys.exit(main())
