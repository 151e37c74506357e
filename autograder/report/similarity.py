"""`kqa course similar`: answers of one notebook that are more alike than chance explains.

- Compared per exercise are the fingerprints (`autograder.report.winnowing`) that are an answer's own. Taken out is what was
  given (the stub; for prose the whole notebook), what the answer key knows (reference, accepted and rejected answers: people come
  upon these alone), and in a class of `QUARTER_FROM` or more what more than a quarter of it wrote.
- Too short to tell: code of fewer than `OWN_CODE` tokens of its own, prose of fewer than `OWN_PROSE` words. 40 tokens are five or
  six lines; any two different accepted answers of our keys share at most 0.36 of their fingerprints.
- Too common to tell: an answer that resembles those of more than 3 others, and of more than a twentieth of the class.
- Surprise, in bits, must exceed `DISCOUNT` times log2(comparisons / `FALSE_ALARMS`). Under the model two strangers write the same
  text once in 2^bits. Only a quarter of the bits is believed, for people who share an idea share much of what follows from it.
  That quarter is a judgement, not a measurement.
- What comes out is a reason to look, and no verdict.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from autograder.answer_key import AnswerKey, answer_source, find_key
from autograder.farm.ledger import ledger_path
from autograder.paths import course_folder
from autograder.report.answers import OWN, class_answers
from autograder.report.winnowing import CODE_KINDS, PROSE_KINDS, Surprise, Text, code, prose
from autograder.submissions.skeleton import Skeleton, load_skeleton
from kqa_core.errors import UserError

AT = 0.8
QUARTER_FROM = 20  # students: a quarter of fewer is a handful of friends
OWN_CODE, OWN_PROSE = 40, 20
DISCOUNT = 4
FALSE_ALARMS = 0.1  # pairs expected in a class of strangers, where the model holds


@dataclass(frozen=True)
class Answer:
    """One student's answer, and what of it is their own."""

    student: str
    source: str
    text: Text
    own: frozenset[int]
    places: tuple[tuple[int, int], ...]  # (first token, fingerprint)

    def covered(self, fingerprints: frozenset[int]) -> set[int]:
        """The places of the tokens on which these fingerprints stand."""
        return {at + i for at, value in self.places if value in fingerprints for i in range(self.text.k)}


@dataclass(frozen=True)
class Pair:
    """Two answers to one exercise that are more alike than chance explains."""

    exercise: str
    first: Answer
    second: Answer
    similarity: float  # shared fingerprints, of the mean number that the two have
    shared: int  # tokens or words that both have and that are their own
    bits: float  # how surprising those are
    others: int  # further students with an answer like it
    lines: tuple[frozenset[int], frozenset[int]]  # lines of each source that hold what is shared


@dataclass
class Exercise:
    """What was compared in one exercise."""

    name: str
    handed_in: int
    compared: int
    common: int = 0  # pairs left out because many wrote the like
    expected: int = 0  # pairs left out because the match does not surprise


@dataclass
class Similar:
    """The pairs of one notebook, the most surprising first."""

    assignment: str
    students: int
    at: float
    needed: float  # bits
    pairs: list[Pair] = field(default_factory=list)
    exercises: list[Exercise] = field(default_factory=list)


@dataclass(frozen=True)
class Known:
    """What needs no explanation in the answers to one exercise."""

    given: frozenset[int]
    surprise: Surprise
    written: bool


def similar(assignment: str, course: Path | None = None, at: float = AT) -> Similar:
    """Compare all answers to one notebook ("01", or its full name) that were graded. Raises UserError where there are none."""
    from autograder.build.build import chosen

    if not 0 < at <= 1:
        raise UserError(f"--at {at:g}: is no share; expected a number above 0 and at most 1, such as {AT}")
    course = course or course_folder()
    names = chosen([assignment], course)
    skeleton = load_skeleton(course / "source" / names[0] / f"{names[0]}.ipynb")
    answers = class_answers(course, skeleton.name)
    if not answers:
        raise UserError(f"{ledger_path(course)}: holds no answers to {names[0]}; run `kqa course grade` first")
    return compare(skeleton.name, answers, known_of(skeleton), at)


def known_of(skeleton: Skeleton) -> dict[str, Known]:
    """What is given and known for each exercise of a notebook, and for cells that a student adds."""
    told = "\n".join(cell.source for cell in skeleton.cells)
    found, everything = {}, [code(cell.source) for cell in skeleton.cells if cell.kind == "code"]
    for exercise in skeleton.exercises:
        key = find_key(exercise.id)
        if isinstance(key, AnswerKey):
            texts = [code(skeleton.stub(exercise.id))]
            texts += [code(answer_source(exercise.id, each)) for each in (key.reference, *key.accepted, *key.rejected)]
            everything += texts
        else:
            ideas = [idea for _, idea in key.rubric]
            texts = [prose(each) for each in (told, key.model_answer, *ideas, *key.misconceptions)]
        found[exercise.id] = known(texts, exercise.written)
    return {**found, OWN: known(everything, False)}


def known(texts: Sequence[Text], written: bool) -> Known:
    """These texts, and nothing else, need no explanation."""
    given = frozenset[int]().union(*(text.all_grams() for text in texts))
    return Known(given, Surprise(texts, PROSE_KINDS if written else CODE_KINDS), written)


def compare(assignment: str, answers: Mapping[str, Mapping[str, str]], known: Mapping[str, Known], at: float = AT) -> Similar:
    """Compare a class's answers: student → exercise → source. `known` names the exercises that are looked at."""
    students = len(answers)
    comparisons = max(1, math.comb(students, 2)) * max(1, len(known))
    found = Similar(assignment, students, at, DISCOUNT * math.log2(comparisons / FALSE_ALARMS))
    for name, what in known.items():
        sources = {student: each[name] for student, each in answers.items() if each.get(name, "").strip()}
        compared = _long_enough(sources, what, students)
        exercise = Exercise(name, len(sources), len(compared))
        found.pairs += _pairs(exercise, compared, what, found)
        if sources:
            found.exercises.append(exercise)
    found.pairs.sort(key=lambda pair: (-pair.bits, pair.exercise, pair.first.student, pair.second.student))
    return found


@lru_cache(maxsize=20_000)  # a class writes the same short answers over and over
def _read(source: str, written: bool) -> tuple[Text, tuple[tuple[int, int], ...]]:
    text = prose(source) if written else code(source)
    return text, tuple((place, value) for value, places in text.fingerprints().items() for place in places)


def _long_enough(sources: Mapping[str, str], known: Known, students: int) -> list[Answer]:
    """The answers with enough of their own to be compared."""
    read = {student: _read(source, known.written) for student, source in sources.items()}
    spread = Counter(value for _, places in read.values() for value in {value for _, value in places})
    common = {value for value, count in spread.items() if students >= QUARTER_FROM and 4 * count > students}
    found = []
    for student, (text, places) in read.items():
        own = frozenset(value for _, value in places) - known.given - common
        answer = Answer(student, sources[student], text, own, places)
        if len(answer.covered(own)) >= (OWN_PROSE if known.written else OWN_CODE):
            found.append(answer)
    return found


def _pairs(exercise: Exercise, answers: Sequence[Answer], known: Known, found: Similar) -> list[Pair]:
    alike: dict[str, set[str]] = {answer.student: set() for answer in answers}
    candidates = []
    for first, second in itertools.combinations(answers, 2):
        both = len(first.own & second.own)
        similarity = 2 * both / (len(first.own) + len(second.own))
        if similarity >= found.at:
            alike[first.student].add(second.student)
            alike[second.student].add(first.student)
            candidates.append((first, second, similarity))
    pairs = []
    bits_of = cache(known.surprise.bits)
    for first, second, similarity in candidates:
        others = (alike[first.student] | alike[second.student]) - {first.student, second.student}
        if len(others) + 1 > max(3, found.students / 20):
            exercise.common += 1
            continue
        shared = first.own & second.own
        tokens, elsewhere = first.covered(shared), second.covered(shared)
        bits = sum(each for i, each in enumerate(bits_of(first.text)) if i in tokens)
        if bits <= found.needed:
            exercise.expected += 1
            continue
        lines = frozenset(first.text.lines[i] for i in tokens), frozenset(second.text.lines[i] for i in elsewhere)
        pairs.append(Pair(exercise.name, first, second, similarity, len(tokens), bits, len(others), lines))
    return pairs
