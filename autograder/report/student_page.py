"""What the report says of one student: a page for them to read, and the instructor's way from student to exercise to answer.

- The student's page holds what is theirs: marks, what each exercise said, a grader's mark and comment. No other name, no name of
  a known wrong answer, no words of our own faults' causes.
- The instructor's part adds the sources. They are shown as text.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping

from autograder.judge.results import ExerciseResult, Status, SubmissionResult
from autograder.paths import read_course
from autograder.report.answers import OWN
from autograder.report.facts import Given, NotebookFacts
from autograder.report.html import answer_place, escape, file_name, page, table

DOTS = {"right": "right", "not yet": "wrong", "error": "wrong", "written": "wait"}
STATES = {
    Status.GRADED: "",
    Status.INCIDENT: "Part of your code had to be stopped; the exercises say which.",
    Status.UNATTEMPTED: "No exercise of it was attempted.",
    Status.MISSING: "No notebook was handed in.",
    Status.BROKEN: "Something went wrong on our side. It costs you nothing: it will be judged again, or a person will look.",
}
NONE: Given = (None, None)


def student_page(student: str, notebooks: list[NotebookFacts]) -> str:
    """The page that a student may read, as HTML."""
    body = [f"<h1>{escape(student)}</h1><p>{escape(read_course().title)}: your results</p>"]
    for facts in notebooks:
        result = facts.results.get(student)
        if result is None and student not in facts.marks:
            continue
        body.append(f"<h2>{escape(facts.name)}</h2><p>{_total(facts, student)}</p>")
        if result is None:
            body.append("<p>This mark was not decided by the course's judge. Ask your instructor.</p>")
            continue
        body += [f"<p>{escape(line)}</p>" for line in (*_state(result), *_receipt(result), *result.notes)]
        if result.exercises:
            given = facts.given.get(student, {})
            rows = [_line(each, given.get(each.exercise, NONE)) for each in result.exercises]
            body.append(table(("exercise", "points", "outcome", "what it said"), rows, numbers=(1,)))
    return page(f"{student}: results", "".join(body), narrow=True)


def drill_down(student: str, notebooks: list[NotebookFacts], answers: Mapping[str, Mapping[str, str]]) -> str:
    """A student in the index: notebooks, in them exercises, in them the judge's sentence and the answer. As HTML."""
    inner, totals = [], []
    for facts in notebooks:
        result = facts.results.get(student)
        if result is None and student not in facts.marks:
            continue
        totals.append(f"{escape(facts.name.partition('_')[0])}: {_total(facts, student)}")
        status = escape(result.status) if result is not None else "unverified"
        sources = answers.get(facts.name, {})
        parts = [f"<details><summary>{escape(facts.name)}: {_total(facts, student)}, {status}</summary>"]
        if result is not None:
            lines = [each for each in (result.reason, *_receipt(result), *result.notes) if each]
            parts += [f'<p class="quiet">{escape(line)}</p>' for line in lines]
            given = facts.given.get(student, {})
            for each in result.exercises:
                place = answer_place(student, each.exercise)
                parts.append(_answer(each, given.get(each.exercise, NONE), sources.get(each.exercise, ""), place))
            if sources.get(OWN):
                parts.append(f"<details><summary>{OWN}</summary><pre>{escape(sources[OWN])}</pre></details>")
        inner.append("".join([*parts, "</details>"]))
    name = file_name(student)
    link = f'<p><a href="students/{name}.html">the page for {escape(student)} to read</a></p>'
    head = f'<b>{escape(student)}</b> <span class="quiet">{"; ".join(totals)}</span>'
    return f'<details id="student-{name}"><summary>{head}</summary>{link}{"".join(inner)}</details>'


def _total(facts: NotebookFacts, student: str) -> str:
    mark = facts.marks.get(student)
    if mark is None:
        return "no mark"
    return f"{mark[0]:g} of {mark[1]:g} points{', a person has still to look' if mark[2] else ''}"


def _state(result: SubmissionResult) -> list[str]:
    said = (
        f"It was refused: {result.reason or 'it cannot be read'}." if result.status is Status.REFUSED else STATES[result.status]
    )
    return [said] if said else []


def _receipt(result: SubmissionResult) -> list[str]:
    if result.received is None:
        return []
    when = datetime.datetime.fromtimestamp(result.received, datetime.UTC)
    version = f", version {result.version}" if result.version > 1 else ""
    late = f", {_span(result.late)} late" if result.late > 0 else ""
    return [f"Received {when:%d %B %Y, %H:%M} UTC{version}{late}."]


def _span(seconds: float) -> str:
    """A length of time in two words."""
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds"


def _points(result: ExerciseResult, given: Given) -> str:
    mark = given[0] if given[0] is not None else result.marks
    return f"{mark:g}" if mark is not None else "–"


def _outcome(result: ExerciseResult, given: Given) -> str:
    """The outcome in words, and its sign."""
    words, dot = result.outcome, DOTS.get(result.outcome, "")
    if result.status is Status.BROKEN:
        words, dot = "not judged", ""
    elif result.written and given[0] is not None:
        words, dot = "marked", ""
    elif result.status is Status.PERSON:
        words = "waits for a person"
    return f'<span class="nowrap"><span class="dot {dot}"></span>{escape(words)}</span>'


def _said(result: ExerciseResult, given: Given) -> list[str]:
    sentence = STATES[Status.BROKEN] if result.status is Status.BROKEN else result.sentence
    if result.written and given[0] is not None:
        sentence = "A person has marked it."
    elif given[0] is not None:
        sentence += f" A person gave {given[0]:g}."
    return [each for each in (sentence, f"Your grader: {given[1]}" if given[1] else "") if each]


def _words(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def _line(result: ExerciseResult, given: Given) -> list[str]:
    points = f"{_points(result, given)} of {result.points}{' extra' if result.extra else ''}"
    return [escape(result.exercise), points, _outcome(result, given), "<br>".join(_words(each) for each in _said(result, given))]


def _answer(result: ExerciseResult, given: Given, source: str, place: str) -> str:
    known = f" <small>known mistake: {escape(result.mistake.replace('_', ' '))}</small>" if result.mistake else ""
    what = f" <small>{escape(result.incident)}</small>" if result.incident else ""
    points = f"{_points(result, given)} of {result.points}"
    head = f"{_outcome(result, given)}: {escape(result.exercise)}, {points}{known}{what}"
    said = [result.sentence, *_said(result, given)[1:]] if result.status is Status.BROKEN else _said(result, given)
    text = f"<pre>{escape(source)}</pre>" if source.strip() else '<p class="quiet">No answer is kept.</p>'
    words = "".join(f"<p>{_words(each)}</p>" for each in said)
    return f'<details><summary>{head}</summary><div id="{place}">{words}{text}</div></details>'
