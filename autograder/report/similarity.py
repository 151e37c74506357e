"""`kqa course similar`: answers to one notebook that are more similar than chance explains.

- For each exercise we compare the fingerprints (`autograder.report.winnowing`) that are an answer's own. We
  remove the given text: the stub, or for prose the whole notebook. We remove the answer key's answers, right
  and wrong, because people find these independently. In a class of `MIN_CLASS` or more we also remove what
  more than a quarter of it wrote.
- Too short to compare: code with fewer than `MIN_CODE` tokens of its own, prose with fewer than `MIN_PROSE`
  words. 40 tokens are five or six lines. Two different accepted answers of our keys share at most 0.36 of
  their fingerprints.
- Too common to matter: an answer similar to those of more than 3 other students, and of more than a twentieth
  of the class.
- The surprise, in bits, must exceed `DISCOUNT` times log2(comparisons / `FALSE_ALARMS`). Under the model, two
  students who do not know each other write the same text once in 2^bits. We count only a quarter of the bits,
  because students who share an idea also share much of what follows from it. This quarter is a judgement, not
  a measurement.
- Notebooks of which all answers are the same are a line of their own, whatever these rules say.
- A pair is a reason to look at both answers. It is not a verdict.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from autograder.answer_key import AnswerKey, answer_source, find_key
from autograder.grading.ledger import ledger_path
from autograder.paths import course_folder
from autograder.report.answers import EXTRA_CELLS, class_answers
from autograder.report.html import page
from autograder.report.set_join import similar_sets
from autograder.report.winnowing import (
    CODE_VOCABULARY,
    K_CODE,
    K_PROSE,
    PROSE_VOCABULARY,
    SurpriseModel,
    Tokens,
    code,
    prose,
)
from autograder.submissions.skeleton import Skeleton, load_skeleton
from kqa_core.errors import UserError

THRESHOLD = 0.8  # similarity
MIN_CLASS = 20  # students; a quarter of a smaller class is a handful of friends
MIN_CODE, MIN_PROSE = 40, 20  # tokens, words
DISCOUNT = 4
SHOWN_PAIRS = 500  # on the page: a person reads each
FALSE_ALARMS = 0.1  # expected pairs in a class of students who do not know each other, if the model holds


@dataclass(frozen=True)
class Answer:
    """One student's answer, and the part of it that is their own."""

    student: str
    source: str
    text: Tokens
    own: frozenset[int]  # fingerprints
    positions: tuple[tuple[int, int], ...]  # (first token, fingerprint)

    def covered(self, fingerprints: frozenset[int]) -> set[int]:
        """The positions of the tokens that these fingerprints cover."""
        return {
            start + i for start, value in self.positions if value in fingerprints for i in range(self.text.k)
        }


@dataclass(frozen=True)
class Pair:
    """Two answers to one exercise that are more similar than chance explains."""

    exercise: str
    first: Answer
    second: Answer
    similarity: float  # shared fingerprints, divided by the mean number of the two
    shared: int  # tokens or words that both answers share and that are their own
    bits: float  # surprise of the shared part
    others: int  # further students with a similar answer
    lines: tuple[frozenset[int], frozenset[int]]  # lines of each source with a shared part, from 0

    @property
    def unit(self) -> str:
        """The unit of `shared`."""
        return "words" if self.first.text.k == K_PROSE else "tokens"


@dataclass
class Comparison:
    """The numbers of answers and pairs in one exercise."""

    name: str
    answers: int
    compared: int
    common: int = 0  # similar pairs that are left out because many students wrote a similar answer
    expected: int = 0  # similar pairs that are left out because the match is no surprise


@dataclass
class SimilarPairs:
    """The pairs of one notebook, the most surprising first."""

    assignment: str
    students: int
    threshold: float
    min_bits: float
    pairs: list[Pair] = field(default_factory=list)
    exercises: list[Comparison] = field(default_factory=list)
    # students whose answers are all the same, and the number of these answers
    identical: list[tuple[tuple[str, ...], int]] = field(default_factory=list)


@dataclass(frozen=True)
class Baseline:
    """The text that needs no explanation in the answers to one exercise."""

    given: frozenset[int]  # hashes of all k-grams
    surprise: SurpriseModel
    written: bool


def find_similar(assignment: str, course: Path | None = None, threshold: float = THRESHOLD) -> SimilarPairs:
    """Compare all graded answers to one notebook ("01", or its full name).

    Raises UserError for a threshold that is no share, for an unknown notebook, and if there are no answers.
    """
    from autograder.build.build import chosen

    if not 0 < threshold <= 1:
        raise UserError(
            f"--at {threshold:g}: is no share; expected a number above 0 and at most 1, such as {THRESHOLD}"
        )
    course = course or course_folder()
    [name] = chosen([assignment], course)
    skeleton = load_skeleton(course / "source" / name / f"{name}.ipynb")
    answers = class_answers(course, name)
    if not answers:
        raise UserError(f"{ledger_path(course)}: holds no answers to {name}; run `kqa course grade` first")
    similar = compare(name, answers, baselines(skeleton), threshold)
    similar.identical = identical(answers, {each.id: skeleton.stub(each.id) for each in skeleton.exercises})
    return similar


def identical(
    answers: Mapping[str, Mapping[str, str]], stubs: Mapping[str, str]
) -> list[tuple[tuple[str, ...], int]]:
    """The students whose answers are all the same, but for spaces, and the number of answers: whatever an
    answer is like, a whole notebook of them is worth a line. One answer alone is not.
    """
    groups: dict[tuple[tuple[str, str], ...], list[str]] = defaultdict(list)
    for student, by_exercise in answers.items():
        own = {name: _squeezed(by_exercise.get(name, "")) for name in stubs}
        done = tuple((name, text) for name, text in own.items() if text not in ("", _squeezed(stubs[name])))
        if len(done) > 1:
            groups[done].append(student)
    return sorted((tuple(sorted(group)), len(done)) for done, group in groups.items() if len(group) > 1)


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def similarity_page(similar: SimilarPairs) -> str:
    """The pairs with both answers side by side, and how to read them, as HTML."""
    return page(
        "similar",
        title=f"{similar.assignment}: similar answers",
        found=similar,
        shown=similar.pairs[:SHOWN_PAIRS],
        min_class=MIN_CLASS,
        min_code=MIN_CODE,
        min_prose=MIN_PROSE,
        discount=DISCOUNT,
        false_alarms=FALSE_ALARMS,
        k_code=K_CODE,
        k_prose=K_PROSE,
    )


def baselines(skeleton: Skeleton) -> dict[str, Baseline]:
    """The baseline for each exercise of a notebook, and for the cells that a student adds."""
    notebook = "\n".join(cell.source for cell in skeleton.cells)
    by_exercise, all_code = {}, [code(cell.source) for cell in skeleton.cells if cell.kind == "code"]
    for exercise in skeleton.exercises:
        key = find_key(exercise.id)
        if isinstance(key, AnswerKey):
            texts = [code(skeleton.stub(exercise.id))]
            texts += [
                code(answer_source(exercise.id, function))
                for function in (key.reference, *key.accepted, *key.rejected)
            ]
            all_code += texts
        else:
            ideas = [idea for _, idea in key.rubric]
            texts = [prose(text) for text in (notebook, key.model_answer, *ideas, *key.misconceptions)]
        by_exercise[exercise.id] = baseline(texts, exercise.written)
    return {**by_exercise, EXTRA_CELLS: baseline(all_code, False)}


def baseline(texts: Sequence[Tokens], written: bool) -> Baseline:
    """The baseline of an exercise for which exactly these texts are given or known."""
    given = frozenset[int]().union(*(text.all_grams() for text in texts))
    return Baseline(given, SurpriseModel(texts, PROSE_VOCABULARY if written else CODE_VOCABULARY), written)


def compare(
    assignment: str,
    answers: Mapping[str, Mapping[str, str]],
    exercises: Mapping[str, Baseline],
    threshold: float = THRESHOLD,
) -> SimilarPairs:
    """Compare a class's answers: student → exercise → source. `exercises` names the exercises to compare."""
    students = len(answers)
    comparisons = max(1, math.comb(students, 2)) * max(1, len(exercises))
    similar = SimilarPairs(assignment, students, threshold, DISCOUNT * math.log2(comparisons / FALSE_ALARMS))
    for name, known in exercises.items():
        sources = {
            student: by_exercise[name]
            for student, by_exercise in answers.items()
            if by_exercise.get(name, "").strip()
        }
        compared = _long_enough(sources, known, students)
        comparison = Comparison(name, len(sources), len(compared))
        similar.pairs += _pairs(comparison, compared, known, similar)
        if sources:
            similar.exercises.append(comparison)
    similar.pairs.sort(key=lambda pair: (-pair.bits, pair.exercise, pair.first.student, pair.second.student))
    return similar


@lru_cache(maxsize=20_000)  # a class writes the same short answers again and again
def _read(source: str, written: bool) -> tuple[Tokens, tuple[tuple[int, int], ...]]:
    text = prose(source) if written else code(source)
    return text, tuple((start, value) for value, starts in text.fingerprints().items() for start in starts)


def _long_enough(sources: Mapping[str, str], known: Baseline, students: int) -> list[Answer]:
    """The answers whose own part is long enough to be compared."""
    read = {student: _read(source, known.written) for student, source in sources.items()}
    spread = Counter(value for _, positions in read.values() for value in {value for _, value in positions})
    common = {value for value, count in spread.items() if students >= MIN_CLASS and 4 * count > students}
    long_enough = []
    for student, (text, positions) in read.items():
        own = frozenset(value for _, value in positions) - known.given - common
        answer = Answer(student, sources[student], text, own, positions)
        if len(answer.covered(own)) >= (MIN_PROSE if known.written else MIN_CODE):
            long_enough.append(answer)
    return long_enough


def _pairs(
    comparison: Comparison, answers: Sequence[Answer], known: Baseline, similar_pairs: SimilarPairs
) -> list[Pair]:
    # answers of which the same part is the student's own
    groups: dict[frozenset[int], list[Answer]] = defaultdict(list)
    for answer in answers:
        groups[answer.own].append(answer)
    members = list(groups.values())
    similar = list(similar_sets(list(groups), similar_pairs.threshold))
    near = [{number} for number in range(len(members))]
    for i, j, _ in similar:
        near[i].add(j)
        near[j].add(i)
    similar += [(i, i, 1.0) for i, group in enumerate(members) if len(group) > 1]
    alike = [_size(members, numbers) for numbers in near]
    most, pairs = max(3, similar_pairs.students / 20), []
    bits_of = cache(known.surprise.bits)
    for i, j, similarity in similar:
        both = itertools.combinations(members[i], 2) if i == j else itertools.product(members[i], members[j])
        # the two of a pair are not among the others; one answer with too many similar ones is enough
        if max(alike[i], alike[j]) - 1 > most or (others := _size(members, near[i] | near[j]) - 2) + 1 > most:
            comparison.common += (
                math.comb(len(members[i]), 2) if i == j else len(members[i]) * len(members[j])
            )
            continue
        for one, other in both:
            first, second = (one, other) if one.student < other.student else (other, one)
            pair = _pair(comparison.name, first, second, similarity, others, bits_of)
            if pair.bits > similar_pairs.min_bits:
                pairs.append(pair)
            else:
                comparison.expected += 1
    return pairs


def _size(members: Sequence[Sequence[Answer]], numbers: set[int]) -> int:
    return sum(len(members[number]) for number in numbers)


def _pair(
    exercise: str,
    first: Answer,
    second: Answer,
    similarity: float,
    others: int,
    bits_of: Callable[[Tokens], list[float]],
) -> Pair:
    shared = first.own & second.own
    in_first, in_second = first.covered(shared), second.covered(shared)
    bits = sum(surprise for i, surprise in enumerate(bits_of(first.text)) if i in in_first)
    lines = (
        frozenset(first.text.lines[i] for i in in_first),
        frozenset(second.text.lines[i] for i in in_second),
    )
    return Pair(exercise, first, second, similarity, len(in_first), bits, others, lines)
