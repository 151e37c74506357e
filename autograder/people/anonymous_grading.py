"""Written answers dealt to several graders, and what they ticked: one file for each notebook,
`people/marking/NAME.json`.

- Answers of each exercise are put into an order that the course's secret key decides, and each goes to the
  grader who has the fewest. A share of them (`overlap`) goes to a second grader, too, so that one can measure
  how far graders agree.
- Dealing again keeps what was dealt and deals what is new. An answer that is not marked yet leaves a grader
  who is no longer named.
- An answer is known by a code, which says nothing about its student. Of a group, one answer is dealt.
- Ticks follow their idea when the rubric changes.
- A grader's marks are those of a version of an answer (`digest`). If the answer changed since, they no longer
  count.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from kqa_core.errors import UserError
from kqa_core.files import write_whole, writing

FOLDER = Path("people", "marking")


@dataclass(frozen=True)
class WrittenAnswer:
    """One student's answer to a written exercise."""

    code: str
    student: str
    exercise: str
    text: str = ""
    look: str | None = None  # how the answer was found, if not in its cell

    @property
    def digest(self) -> str:
        """A digest of the text, to tell one version of the answer from another."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True)
class Ticks:
    """A grader's decision on one answer: the rubric points that it has,
    by their place, and a comment for the student.
    """

    ticked: tuple[int, ...]
    comment: str
    digest: str


@dataclass
class Dealing:
    """The written answers of one notebook as they were dealt, and the graders' ticks."""

    notebook: str
    blind: bool = False
    answers: dict[str, WrittenAnswer] = field(default_factory=dict)  # by code; without their texts
    graders: dict[str, list[str]] = field(default_factory=dict)  # code → graders, the first one's marks count
    ticks: dict[str, dict[str, Ticks]] = field(default_factory=dict)  # grader → code → what they ticked
    # code → mark and comment put into the gradebook
    written: dict[str, tuple[float, str]] = field(default_factory=dict)
    # exercise → the ideas of its rubric, by whose places the ticks are meant
    rubrics: dict[str, list[str]] = field(default_factory=dict)

    def of(self, grader: str) -> list[str]:
        """The codes of a grader's answers."""
        return [code for code, graders in self.graders.items() if grader in graders]

    def everybody(self) -> list[str]:
        """All graders, by name."""
        return sorted({grader for graders in self.graders.values() for grader in graders})


def answer_code(key: bytes, notebook: str, student: str, exercise: str) -> str:
    """The code of an answer: from the course's secret key, so it says nothing about the student."""
    return hmac.digest(
        key, f"marking|{notebook}|{student}|{exercise}".encode("utf-8", "surrogatepass"), hashlib.sha256
    ).hex()[:12]


def deal(
    dealt: Dealing, answers: Sequence[WrittenAnswer], graders: Sequence[str], overlap: float = 0.0
) -> None:
    """Deal these answers to the graders. `overlap`: the share of answers, from 0 to 1, that two graders mark.

    Raises UserError for names that cannot be used, and for an overlap that they cannot give.
    """
    for name in graders:
        if not 0 < len(name) <= 60 or not name.isprintable() or any(letter in '<>"/' for letter in name):
            raise UserError(
                f"grader {name[:60]!r}: cannot be used; expected a plain name of at most 60 characters"
            )
    if not graders or len(set(graders)) != len(graders):
        raise UserError("--graders: expected one or more different names, as in --graders anna,ben")
    if not 0 <= overlap <= 1 or (overlap and len(graders) < 2):
        raise UserError(
            f"--overlap {overlap:g}: expected a share from 0 to 1, and at least two graders if it is not 0"
        )
    there = {answer.code: answer for answer in answers}
    dealt_to = {code: chosen for code in there if (chosen := _staying(dealt, code, graders))}
    load = Counter(grader for chosen in dealt_to.values() for grader in chosen)
    for exercise in sorted({answer.exercise for answer in answers}):
        codes = sorted(code for code, answer in there.items() if answer.exercise == exercise)
        for place, code in enumerate(codes):
            twice = int((place + 1) * overlap + 1e-9) > int(place * overlap + 1e-9)
            chosen = dealt_to.setdefault(code, [])
            while len(chosen) < 1 + twice:
                chosen.append(
                    min(
                        (grader for grader in graders if grader not in chosen),
                        key=lambda grader: (load[grader], graders.index(grader)),
                    )
                )
                load[chosen[-1]] += 1
    dealt.graders = dict(sorted(dealt_to.items(), key=lambda item: (there[item[0]].exercise, item[0])))
    dealt.answers = {code: there[code] for code in dealt.graders}


def _staying(dealt: Dealing, code: str, graders: Sequence[str]) -> list[str]:
    """The graders who keep an answer: those who are still named, or who have marked it."""
    return [
        grader
        for grader in dealt.graders.get(code, [])
        if grader in graders or code in dealt.ticks.get(grader, {})
    ]


def points(rubric: Sequence[tuple[float, str]], ticks: Ticks, most: float) -> float:
    """The points of what was ticked, at most the exercise's."""
    return min(most, sum(rubric[place][0] for place in ticks.ticked))


def follow_rubric(dealt: Dealing, exercise: str, ideas: Sequence[str]) -> bool:
    """Move the ticks on an exercise to its rubric as it is now; whether it differs from the one before.

    An idea that stands elsewhere keeps its ticks, and so does one that was reworded in its place. One that is
    gone loses them.
    """
    before, now = dealt.rubrics.get(exercise, list(ideas)), list(ideas)
    dealt.rubrics[exercise] = now
    if before == now:
        return False
    places = {place: now.index(idea) for place, idea in enumerate(before) if idea in now}
    if len(before) == len(now):
        places |= {
            place: place for place, idea in enumerate(before) if idea not in now and now[place] not in before
        }
    for given in dealt.ticks.values():
        for code, ticks in given.items():
            if dealt.answers[code].exercise == exercise:
                moved = tuple(sorted(places[place] for place in ticks.ticked if place in places))
                given[code] = replace(ticks, ticked=moved)
    return True


def current(dealt: Dealing, code: str, texts: Mapping[str, WrittenAnswer]) -> dict[str, Ticks]:
    """The ticks on the answer as it is now, by grader, in the order of its graders.
    `texts`: the answers, by code.
    """
    digest = texts[code].digest if code in texts else None
    ticks_of = {grader: dealt.ticks.get(grader, {}).get(code) for grader in dealt.graders.get(code, [])}
    return {
        grader: ticks for grader, ticks in ticks_of.items() if ticks is not None and ticks.digest == digest
    }


def read_dealing(course: Path, notebook: str) -> Dealing:
    """The dealing of a notebook; empty, if nothing was. Raises UserError for a damaged file."""
    path = course / FOLDER / f"{notebook}.json"
    if not path.is_file():
        return Dealing(notebook)
    try:
        tree = json.loads(path.read_text(encoding="utf-8"))
        return Dealing(
            notebook,
            bool(tree["blind"]),
            {
                code: WrittenAnswer(code, answer["student"], answer["exercise"])
                for code, answer in tree["answers"].items()
            },
            {code: list(graders) for code, graders in tree["graders"].items()},
            {
                who: {code: ticks_from(ticks) for code, ticks in of_grader.items()}
                for who, of_grader in tree["ticks"].items()
            },
            {code: (float(mark), str(comment)) for code, (mark, comment) in tree["written"].items()},
            {name: list(map(str, ideas)) for name, ideas in tree.get("rubrics", {}).items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(
            f"{path}: is damaged ({type(error).__name__}); put back a copy from a backup"
        ) from None


def keep_dealing(course: Path, dealt: Dealing) -> None:
    """Write what was dealt and ticked."""
    path = course / FOLDER / f"{dealt.notebook}.json"
    tree = asdict(dealt)
    tree["answers"] = {
        code: {"student": answer.student, "exercise": answer.exercise}
        for code, answer in dealt.answers.items()
    }
    with writing(path):
        write_whole(path, json.dumps(tree, indent=1, ensure_ascii=False) + "\n")


def ticks_from(tree: Mapping[str, object]) -> Ticks:
    """A grader's decision, from JSON. Raises KeyError, TypeError and ValueError for anything else."""
    ticked, comment, digest = tree["ticked"], tree["comment"], tree["digest"]
    if not isinstance(ticked, list) or not all(type(tick) is int and tick >= 0 for tick in ticked):
        raise TypeError("ticked: expected a list of places")
    if not isinstance(comment, str) or not isinstance(digest, str):
        raise TypeError("comment and digest: expected texts")
    return Ticks(tuple(sorted(set(ticked))), comment, digest)
