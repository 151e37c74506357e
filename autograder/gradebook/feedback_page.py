"""The page that a student gets back: for each exercise the question,
the answer, what became of it, and what to try next.

- It is made from the skeleton and the student's sources, and holds nothing that a student's code printed, and
  no hidden test.
- It is self-contained: no script, no link, everything escaped or cleaned by `readable`. Formulas are MathML.
- The points are counted as everywhere: the maximum is that of the regular exercises, written ones included,
  and extra points count on top. A person's mark replaces the judge's.
- Hints are folded, and each opens the next one. Model answers are on the page only if the instructor asks for
  them.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup, escape

from autograder.answer_key import model_answer
from autograder.gradebook.readable import readable
from autograder.judge.results import ExerciseResult, Judged, Status, SubmissionResult
from autograder.judge.seeds import MarkedAnswer, mark_letters, second_look_code, unlock_code
from kqa_core.check.registry import find
from kqa_core.errors import UserError
from kqa_core.show.kit.templates import render, trusted

Manual = Mapping[str, tuple[float | None, str | None]]  # exercise → a person's mark and comment


@dataclass(frozen=True)
class ShownAnswer:
    """One exercise as the page shows it."""

    result: ExerciseResult
    statement: str
    source: str
    manual: tuple[float | None, str | None] = (None, None)
    code: str = ""  # opens the model answer in the notebook
    solution: Markup | None = None
    second_look: str = ""  # the code with which the student asks for one

    @property
    def given(self) -> float | None:
        """The mark: a person's, else the judge's; None if there is none yet."""
        return self.result.marks if self.manual[0] is None else self.manual[0]

    @property
    def waits(self) -> bool:
        """Whether a person has still to give a mark, or to look at the one of the checks."""
        return self.given is None or (self.result.look is not None and self.manual[0] is None)

    @property
    def comment(self) -> str | None:
        """A person's comment."""
        return self.manual[1]

    @property
    def marked(self) -> bool:
        """Whether it is a written answer with a person's mark."""
        return self.result.written and self.manual[0] is not None

    @property
    def outcome(self) -> str:
        """The outcome in words."""
        return "marked" if self.marked else self.result.outcome

    @property
    def sentence(self) -> str:
        """The feedback in words."""
        return "A person has marked it." if self.marked else self.result.sentence

    @property
    def title(self) -> str:
        """The heading of the statement, else the exercise's name."""
        first = self.statement.partition("\n")[0]
        return first.lstrip("# ").replace("`", "") if first.startswith("#") else self.result.exercise

    @property
    def question(self) -> Markup | None:
        """The statement without its heading and its line of facts."""
        text = re.sub(r"\A#[^\n]*\n+(\*[^\n]*\*\n+)?", "", self.statement).strip()
        return readable(text, ours=True) if text else None

    @property
    def text(self) -> Markup:
        """A written answer, readable."""
        return readable(self.source)

    @property
    def hints(self) -> tuple[Markup, ...]:
        """The exercise's hints, if the answer is not right yet. Of Markdown they have only code between
        backticks: `__init__` outside of them means itself.
        """
        if self.result.written or self.result.outcome == "right" or self.result.status is Status.BROKEN:
            return ()
        with contextlib.suppress(UserError):
            return tuple(
                trusted(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(hint))))
                for hint in find(self.result.exercise).hints
            )
        return ()


def feedback_page(
    judged: Judged, manual: Manual, penalty: float = 0.0, key: bytes | None = None, solutions: bool = False
) -> str:
    """The student's page, as HTML. `manual`: exercise → a person's mark and comment.
    `penalty`: points taken off for lateness.

    With the course's `key`, each right answer, and each written one that a person gave points, has the code
    of its model answer, and each one with less than all points the code of a second look. With `solutions`,
    the model answer of every exercise is on the page.
    """
    result, sources = judged.result, {cell.grade_id: cell.source for cell in judged.cells}
    answers = []
    for exercise in result.exercises:
        mark = manual.get(exercise.exercise, (None, None))
        earned = exercise.outcome == "right" or (exercise.written and bool(mark[0]))
        shown = ShownAnswer(
            exercise,
            sources.get(f"statement_{exercise.exercise}", ""),
            sources.get(exercise.exercise, ""),
            mark,
            unlock_code(key, exercise.exercise) if key is not None and earned else "",
            readable(model_answer(exercise.exercise), ours=True) if solutions else None,
        )
        answers.append(replace(shown, second_look=_second_look(result, shown, key)))
    points = sum(answer.given or 0.0 for answer in answers)
    return render(
        "autograder",
        "gradebook/templates/feedback.html.j2",
        title=f"{result.assignment}: {result.student}",
        result=result,
        answers=answers,
        total=max(0.0, points - penalty),
        extra=sum(answer.given or 0.0 for answer in answers if answer.result.extra),
        waiting=sum(answer.waits for answer in answers),
        right=sum(answer.outcome in ("right", "marked") for answer in answers),
        penalty=penalty,
    )


def _second_look(result: SubmissionResult, shown: ShownAnswer, key: bytes | None) -> str:
    """The code with which a student asks for a second look; none for a mark that is full or not final."""
    full = shown.given is not None and shown.given >= shown.result.points
    tried = shown.result.status is not Status.UNATTEMPTED or shown.manual != (None, None)
    if key is None or result.sha256 is None or shown.given is None or shown.waits or full or not tried:
        return ""
    answer = MarkedAnswer(result.student, result.assignment, shown.result.exercise, result.sha256)
    return second_look_code(key, answer, mark_letters(key, shown.given, shown.comment))
