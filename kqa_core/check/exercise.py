"""An exercise: its facts, and the verdict a check returns.

- An exercise has two halves. Its *facts* (here, for the student) hold the id, points, hints and visible
  check. Its *answer key* (`course_keys`, for the instructor) holds reference, accepted and rejected answers
  and hidden check.
- A check never returns a plain bool. It returns a `Verdict`, made by `right(...)`, or raises `NotYet`. A
  check that returns anything else is our mistake, and is reported as a JudgeError.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from kqa_core.check.answer import Answer

# how a sentence of a check goes on after what was observed. What the code of a student is like cannot be
# seen in its results, so a cause is a possible one
POSSIBLE = "Possible cause: "


class Outcome(StrEnum):
    """The result of one attempt at one exercise."""

    RIGHT = "right"
    NOT_YET = "not yet"
    ERROR = "error"
    UNATTEMPTED = "unattempted"


@dataclass(frozen=True)
class Verdict:
    """An outcome and the sentence the student reads. `incident` names what stopped the answer, if any."""

    outcome: Outcome
    sentence: str
    incident: str | None = None  # "time", "memory", "output", "died", "cell"; None if nothing went wrong
    # the exception behind a *not yet*, such as "a KeyError: 'mlp.1'"; None if the code returned
    raised: str | None = None
    right_parts: frozenset[str] = frozenset()  # of a *not yet* on an exercise with parts


class NotYet(Exception):
    """Raised by a check: the answer is wrong; the message is the sentence the student should read."""


class JudgeError(Exception):
    """A check or the judge itself misbehaved. Never becomes a mark."""


class FieldError(Exception):
    """A field of an exercise or of a key has a wrong value; the message names it and what is expected."""


def expect_field(correct: bool, name: str, value: object, expected: str) -> None:
    """Raise FieldError unless the value of the field is correct."""
    if not correct:
        raise FieldError(f"{name} = {value!r:.80}; expected {expected}")


def is_name(value: object) -> bool:
    """Whether this is a name that Python allows."""
    return isinstance(value, str) and value.isidentifier()


def _is_count(value: object, most: int = 10**6) -> bool:
    return type(value) is int and 0 <= value <= most


def _are_texts(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(text, str) for text in value)


def _are_questions(value: object) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(question, Question) and (question.draw is not None) != bool(question.words)
        for question in value
    )


def right(sentence: str = "right") -> Verdict:
    """The verdict that an answer is right. Only this verdict gives marks."""
    return Verdict(Outcome.RIGHT, sentence)


def expect(condition: object, sentence: str) -> None:
    """Raise `NotYet(sentence)` unless `condition` is True. Raises JudgeError unless it is a bool, Python's or
    numpy's: a student's function may return a number of numpy where ours returns one of Python.
    """
    if not isinstance(condition, (bool, np.bool_)):
        raise JudgeError(f"a check's condition must be True or False, got {type(condition).__name__}")
    if not condition:
        raise NotYet(sentence)


Check = Callable[[Answer, random.Random], Verdict]


@dataclass(frozen=True)
class Question:
    """A template of a question about a student's own right answer (`explain()`, in `hints.py`).

    It asks for a prediction, which the student's own function verifies, or for words.
    """

    text: str  # `{line}` stands for the student's line, `{NAME}` for what `draw` returned under this name
    find: str = (
        r"\breturn\b"  # what the line holds, a regular expression; without such a line it is not asked
    )
    # of a prediction: the arguments of a call, and what the text says of them
    draw: Callable[[random.Random], tuple[tuple[object, ...], Mapping[str, object]]] | None = None
    # what is predicted: of the result and the arguments
    reads: Callable[..., object] = lambda result, *arguments: result
    words: str = ""  # what a good answer in words says; shown after the student's


@dataclass(frozen=True)
class Exercise:
    """The half of an exercise that a student may see.

    `check` is the visible check; None marks a written answer, graded by a person with a rubric.
    """

    id: str  # also the name of the function the student writes
    order: int  # its place within the notebook, from 1
    points: int
    # recommended; what is left out is not shown
    difficulty: int = 0  # 1 (warm-up) .. 5 (hard)
    importance: int = 0  # 1 (for the curious) .. 5 (everything later builds on it)
    minutes: int = 0
    source: str = ""  # where the exercise comes from, e.g. "CS224n A5 1(b)"
    hints: tuple[str, ...] = ()  # up to three: nudge, method, worked step
    check: Check | None = None
    title: str = ""  # the task in a few words; if it is empty, the id is shown alone
    optional: bool = False  # belongs to an optional notebook; lists of notebooks mark it as optional
    # points of independent parts, whose checks use `partial_credit.by_parts`
    parts: Mapping[str, int] = field(default_factory=dict, hash=False)
    # what only the check after the submission can decide, as a clause such as "whether the number is exact",
    # and the parts that it concerns; none: all points
    decided_later: str = ""
    decided_later_parts: tuple[str, ...] = ()
    # functions of kqa_core, as "module:name", that would be an answer: no answer may call them
    reserved: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()  # about a right answer, for no points
    extra: bool = False  # extra credit: its points are added on top
    # filled in by the registry:
    notebook: str = ""  # "01_attention_as_a_lookup": its folder
    path: str = ""  # the shortest path through the course that has it (`check.course_paths`)
    core: bool = True  # False if only the last path has it
    outside: bool = False  # of the path that was chosen: it is extra, and not counted among those to do

    def __post_init__(self) -> None:
        for name, correct, expected in (
            ("id", is_name(self.id), "a name that Python allows"),
            ("order", _is_count(self.order), "a whole number from 1"),
            ("points", _is_count(self.points), "a whole number"),
            ("difficulty", _is_count(self.difficulty, 5), "a whole number from 1 to 5"),
            ("importance", _is_count(self.importance, 5), "a whole number from 1 to 5"),
            ("minutes", _is_count(self.minutes), "a whole number"),
            ("source", isinstance(self.source, str), "a text"),
            ("hints", _are_texts(self.hints) and len(self.hints) <= 3, "a tuple of up to three texts"),
            ("check", self.check is None or callable(self.check), "a function check(answer, rng)"),
            ("title", isinstance(self.title, str), "a text"),
            ("optional", isinstance(self.optional, bool), "True or False"),
            ("extra", isinstance(self.extra, bool), "True or False"),
            ("decided_later", isinstance(self.decided_later, str), "a text"),
            (
                "decided_later_parts",
                _are_texts(self.decided_later_parts) and self.parts.keys() >= {*self.decided_later_parts},
                "a tuple of names of parts",
            ),
            ("reserved", _are_texts(self.reserved), "a tuple of texts"),
            ("questions", _are_questions(self.questions), "a tuple of Question, each with `draw` or `words`"),
        ):
            expect_field(correct, name, getattr(self, name), expected)
        if self.parts and sum(self.parts.values()) != self.points:
            raise JudgeError(
                f"{self.id}: its parts have {sum(self.parts.values())} points, and it has {self.points}"
            )

    @property
    def heading(self) -> str:
        """Such as "Exercise 3. Average two values (`average_two`)"."""
        return (
            f"Exercise {self.order}. {self.title} (`{self.id}`)"
            if self.title
            else f"Exercise {self.order}. `{self.id}`"
        )

    @property
    def later_points(self) -> int:
        """The points that the check in the notebook cannot decide."""
        if not self.decided_later:
            return 0
        return sum(self.parts[name] for name in self.decided_later_parts) or self.points

    @property
    def written(self) -> bool:
        """True if a person reads the answer."""
        return self.check is None

    @property
    def stub_message(self) -> str:
        """The message of the error that the untouched solution cell raises;
        the judge recognises *unattempted* by it.
        """
        return f"exercise {self.id}: replace this line with your answer"


def fits(count: int) -> str:
    """How a known mistake is introduced that gives the student's results on `count` inputs. These are all
    that were compared, and other code may give them, too.
    """
    if count == 1:
        return "Possible cause, with the same result on this input: "
    return f"Possible cause, with the same results on {count} inputs: "


def observed_and_cause(sentence: str) -> tuple[str, str]:
    """The two halves of a sentence: what was observed, and the possible cause after it, without the words
    that introduce it. A half that is missing is "".
    """
    seen, introduced, cause = sentence.partition("Possible cause")
    return seen.strip(), cause.partition(": ")[2] if introduced else ""


def observed_more(sentence: str, more: str) -> str:
    """The sentence with `more`, such as "; it stopped with a KeyError", after what was observed."""
    seen, introduced, cause = sentence.partition("Possible cause")
    if not more:
        return sentence
    return f"{seen.strip().removesuffix('.')}{more}{introduced and f'. {introduced}{cause}'}"
