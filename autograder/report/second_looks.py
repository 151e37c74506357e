"""Second looks: students who think that a mark is wrong, and what an instructor needs to decide.

- A feedback page has a code for each answer with less than all points. The student writes the line with the
  code, and a reason under it, into a notebook and submits that: whatever way the class uses carries it. No
  version counts or ceases to count because of it.
- The code belongs to one student, one answer in one version, and its mark. The store says who the
  student is, and the notebook does not. So nobody can ask about another's answer.
- A request is open until the mark or a person's comment is another one: that is how it is decided.
- The notebooks are read in the sandbox, as for grading. Only versions with such a line in them are.
"""

from __future__ import annotations

import difflib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from autograder.gradebook.due_dates import shown_time
from autograder.grading.config import JudgeConfig
from autograder.grading.published import latest, latest_cells
from autograder.grading.workers import read_versions, versions_with
from autograder.judge.results import ExerciseResult
from autograder.judge.seeds import MarkedAnswer, course_key, mark_letters, second_look_code
from autograder.report.answers import answers_of
from autograder.report.facts import ManualMark, manual_marks
from autograder.submissions.cells import second_looks_in
from autograder.submissions.versions import Submission, read_history
from kqa_core.errors import UserError, readable

MOST_ASKED = 50  # requests in one cell
MOST_LINES, MOST_WRONG = 60, 3  # of a text that are shown; of a student's wrong codes that are named
LARGEST = 100_000  # bytes of a message


@dataclass(frozen=True)
class Request:
    """A student's request for a second look at one answer."""

    student: str
    notebook: str
    exercise: str
    text: str  # what the student wrote
    by: Submission | None  # the version that brought it; None for a message
    about: Submission  # the version that the page was about
    mark: str  # the letters of the mark at that time
    now: str = ""  # the letters of the mark as it is
    result: ExerciseResult | None = None  # the judge's, as published
    manual: ManualMark = (None, None)
    then: str = ""  # the answer that it is about
    answer: str = ""  # the answer that counts now

    @property
    def open(self) -> bool:
        """Whether mark and comment are still those that the student saw."""
        return self.mark == self.now


@dataclass(frozen=True)
class Requests:
    """All requests, and a line for each code that is no such request."""

    requests: list[Request]
    wrong: list[str]


class _Store:
    """The versions of the class, and which of their answers a code belongs to."""

    def __init__(self, course: Path) -> None:
        self.key = course_key(course / ".course_key")
        self.versions: dict[str, dict[tuple[str, str], Submission]] = {}  # notebook → (student, digest)
        for (student, name), events in read_history(course / "received").items():
            for event in events:
                if event.file is not None and event.sha256 is not None:
                    self.versions.setdefault(name, {}).setdefault((student, event.sha256), event)

    def asked(self, student: str, notebook: str, exercise: str, code: str) -> Submission | None:
        """The version that a student's code is about, which may be another group member's; None if it is no
        code of this student's.
        """
        mark, theirs = code[:4], self.versions.get(notebook, {})
        for (_, digest), version in sorted(theirs.items(), key=lambda item: item[0][0] != student):
            answer = MarkedAnswer(student, notebook, exercise, digest)
            if hmac.compare_digest(second_look_code(self.key, answer, mark).encode(), code.encode()):
                return version
        return None


def requests_of(
    course: Path, notebooks: Sequence[str], config: JudgeConfig, db: str | None = None
) -> Requests:
    """The requests in the versions that were received of these notebooks, the newest first."""
    store, with_line = _Store(course), versions_with(course, notebooks, b"regrade")
    read = read_versions(course, with_line, config)
    lines = [
        (version, exercise, code, text)
        for version in with_line
        for cell in read[version].cells
        for exercise, code, text in second_looks_in(cell.source)[:MOST_ASKED]
    ]
    found: dict[tuple[str, str, str, str], Request] = {}
    wrong: dict[tuple[str, str], dict[str, None]] = {}
    for version, exercise, code, text in lines:
        about = store.asked(version.student, version.assignment, exercise, code)
        if about is None:
            wrong.setdefault(version.place, {})[f"{exercise} {code}"] = None
        else:
            first = found.get((*version.place, exercise, code))
            request = Request(*version.place, exercise, text, version, about, code[:4])
            found[*version.place, exercise, code] = replace(request, by=first.by) if first else request
    requests = _completed(course, list(found.values()), config, db)
    return Requests(requests, [line for place, codes in wrong.items() for line in _wrong(place, codes)])


def requests_in_message(
    course: Path, path: Path, student: str, config: JudgeConfig, db: str | None = None
) -> Requests:
    """The requests in a student's message, a text file. Raises UserError."""
    try:
        data = path.read_bytes()
        if len(data) > LARGEST:
            raise ValueError
        asked = second_looks_in(data.decode("utf-8-sig"))[:MOST_ASKED]
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}); expected a student's message") from None
    except ValueError:
        raise UserError(f"{path}: is no short text; expected a student's message in UTF-8") from None
    if not asked:
        raise UserError(
            f"{path}: has no line such as `# regrade NAME CODE`; the student's feedback page has it"
        )
    store, requests, wrong = _Store(course), list[Request](), dict[str, None]()
    for exercise, code, text in asked:
        options = ((name, store.asked(student, name, exercise, code)) for name in store.versions)
        name, about = next(((name, about) for name, about in options if about is not None), ("", None))
        if about is None:
            wrong[f"{exercise} {code}"] = None
        else:
            requests.append(Request(student, name, exercise, text, None, about, code[:4]))
    lines = _wrong((student, "a message"), wrong) if wrong else []
    return Requests(_completed(course, requests, config, db), lines)


def _wrong(place: tuple[str, str], codes: Iterable[str]) -> list[str]:
    student, where = place
    named = list(codes)
    more = f", and {len(named) - MOST_WRONG} more" if len(named) > MOST_WRONG else ""
    return [
        f"{student}, {where}: {readable(', '.join(named[:MOST_WRONG]))}{more}: is no code of an answer of"
        f" {student}'s; it was changed, or copied from another page"
    ]


def _completed(
    course: Path, requests: Sequence[Request], config: JudgeConfig, db: str | None
) -> list[Request]:
    """The requests with the marks and answers, then and now; the newest first."""
    names = sorted({request.notebook for request in requests})
    then = read_versions(course, [request.about for request in requests], config)
    results = {name: latest(course, name) for name in names}
    now = {name: latest_cells(course, name) for name in names}
    manual: Mapping[str, Any] = manual_marks(course, db) if names else {}
    key = course_key(course / ".course_key")
    completed = []
    for request in requests:
        name, student, exercise = request.notebook, request.student, request.exercise
        result = results[name].get(student)
        one = next((each for each in result.exercises if each.exercise == exercise), None) if result else None
        mark: ManualMark = manual.get(name, {}).get(student, {}).get(exercise, (None, None))
        given = mark[0] if mark[0] is not None else one.marks if one is not None else None
        completed.append(
            replace(
                request,
                now="" if given is None else mark_letters(key, given, mark[1]),
                result=one,
                manual=mark,
                then=then[request.about].answers.get(exercise, ""),
                answer=answers_of(now[name].get(student, ())).get(exercise, ""),
            )
        )
    return sorted(completed, key=lambda request: -(request.by.received or 0.0) if request.by else 0.0)


def shown(request: Request) -> str:
    """A request as a person reads it."""
    asked = f"in version {request.by.version} ({_time(request.by)})" if request.by else "in a message"
    theirs = "" if request.about.student == request.student else f" of {request.about.student}"
    lines = [
        f"{request.student}: {request.exercise} in {request.notebook}",
        f"  asked {asked} about version {request.about.version}{theirs}",
        f"  mark: {_mark(request)}",
        *_indented("wrote", request.text or "no reason"),
        *_indented("answer", request.then or "cannot be read"),
    ]
    changes = [] if request.open else ["the mark or its comment has changed"]
    if request.answer != request.then:
        changes.append("the answer that counts has changed:" if request.answer else "no answer of it counts")
    lines.append(f"  since then: {'; '.join(changes) or 'nothing has changed'}")
    if request.answer and request.answer != request.then:
        then, now = request.then.splitlines(), request.answer.splitlines()
        lines += _cut(list(difflib.unified_diff(then, now, lineterm="", n=1))[2:])
    return "\n".join(lines)


def _mark(request: Request) -> str:
    (mark, comment), result = request.manual, request.result
    if result is None:
        return "none now"
    given = mark if mark is not None else result.marks
    what = f"{'none yet' if given is None else f'{given:g}'} of {result.points}"
    if mark is not None:
        what += ", by a person"
    if not result.written:
        what += f"; the checks say {result.outcome}: {readable(result.sentence)}"
    return f"{what}; comment: {readable(comment)}" if comment else what


def _indented(word: str, text: str) -> list[str]:
    return [f"  {word}:", *_cut(text.splitlines())]


def _cut(lines: Sequence[str]) -> list[str]:
    """Lines without anything that a terminal obeys."""
    kept = [line.expandtabs()[:200] for line in lines[:MOST_LINES]]
    shown = ["".join(letter if letter.isprintable() else "�" for letter in line) for line in kept]
    more = [f"… {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
    return [f"    {line}".rstrip() for line in [*shown, *more]]


def _time(version: Submission) -> str:
    return shown_time(version.received or 0.0)
