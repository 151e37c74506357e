"""`kqa course report`: one HTML page about what was graded.

- Per exercise: how many got it right, and the commonest mistakes by name. Per student: one section, on a sheet of its own when
  printed.
- Statuses and sentences are the judge's; totals are the gradebook's, so marks that a person gave count.
- Self-contained: no script, no link to anything outside, every word of a student or a file escaped.
"""

from __future__ import annotations

import html
from collections import Counter
from pathlib import Path

from autograder.course.build import write_whole
from autograder.course.grade import load_results
from autograder.course.release import COURSE
from autograder.judge.results import ExerciseResult, Status, SubmissionResult
from kqa_core.errors import UserError

OUT = COURSE.parent / "report"
COMMONEST = 3  # mistakes shown per exercise
STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2.2rem;border-bottom:2px solid #1a1a1a}h3{font-size:1.05rem;margin-top:1.6rem}
table{border-collapse:collapse;width:100%;margin:.6rem 0}th,td{text-align:left;vertical-align:top;padding:.25rem .6rem .25rem 0}
th{border-bottom:1px solid #777;font-weight:600}td{border-bottom:1px solid #ddd}.n{text-align:right;white-space:nowrap}
.right{color:#0a5c2b}.wrong{color:#8a1c1c}.other{color:#444}.bar{display:inline-block;height:.7em;background:#2b5d8a}
.rest{background:#d8dee4}small{color:#444;white-space:nowrap}
@media
print{body{margin:0;max-width:none;font-size:11px}.student{break-before:page}tr{break-inside:avoid}.bar{print-color-adjust:exact}}
"""


def report(out: Path | None = None, course: Path = COURSE) -> Path:
    """Write the report on everything graded so far; the path of its page. Raises UserError where nothing is graded yet."""
    from autograder.judge.recorder import gradebook_marks

    names = sorted(path.stem for path in (course / "judged").glob("*.json"))
    if not names:
        raise UserError(f"{course / 'judged'}: nothing is graded yet; run `kqa course grade` first")
    results = {name: load_results(course, name) for name in names}
    marks = {name: gradebook_marks(course / "gradebook.db", name) for name in names}
    body = ["<h1>Keys, Queries, Attention: report</h1>", _contents(results)]
    for name in names:
        body.append(_notebook(name, list(results[name].values())))
    for student in sorted({student for found in results.values() for student in found}):
        body.append(_student(student, [found[student] for found in results.values() if student in found], marks))
    page = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Course report</title>'
        f"<style>{STYLE}</style></head><body>{''.join(body)}</body></html>\n"
    )
    path = (out or OUT) / "index.html"
    write_whole(path, page)
    return path


def _contents(results: dict[str, dict[str, SubmissionResult]]) -> str:
    statuses = [status for status in Status if status is not Status.PERSON]
    head = "".join(f'<th scope="col" class="n">{status}</th>' for status in statuses)
    rows = []
    for name, found in results.items():
        counts = Counter(each.status for each in found.values())
        cells = "".join(f'<td class="n">{counts[status] or "–"}</td>' for status in statuses)
        rows.append(f'<tr><td><a href="#{_anchor(name)}">{html.escape(name)}</a></td>{cells}<td class="n">{len(found)}</td></tr>')
    return (
        f'<table><caption><small>Submissions by status</small></caption><tr><th scope="col">notebook</th>{head}'
        f'<th scope="col" class="n">all</th></tr>{"".join(rows)}</table>'
    )


def _notebook(name: str, found: list[SubmissionResult]) -> str:
    exercises: dict[str, list[ExerciseResult]] = {}
    for submission in found:
        for each in submission.exercises:
            exercises.setdefault(each.exercise, []).append(each)
    rows = "".join(_exercise(exercise, results) for exercise, results in exercises.items())
    head = "".join(f'<th scope="col">{column}</th>' for column in ("exercise", "right", "", "commonest mistakes"))
    return f'<h2 id="{_anchor(name)}">{html.escape(name)}</h2><table><tr>{head}</tr>{rows}</table>'


def _exercise(exercise: str, results: list[ExerciseResult]) -> str:
    attempted = [each for each in results if each.status is not Status.UNATTEMPTED]
    blank = f"<small>{len(results) - len(attempted)} unattempted</small>"
    if any(each.written for each in results):
        waiting = sum(each.status is Status.PERSON for each in results)
        said_of_them = f"{waiting} answers for a person"
        return f'<tr><td>{html.escape(exercise)}</td><td class="n">–</td><td>{blank}</td><td>{said_of_them}</td></tr>'
    right = sum(each.outcome == "right" for each in attempted)
    share = right / len(attempted) if attempted else 0.0
    widths = (("bar", 5 * share), ("bar rest", 5 - 5 * share))
    bar = "".join(f'<span class="{name}" style="width:{width:.2f}rem"></span>' for name, width in widths)
    rate = f"{right} of {len(attempted)} ({share:.0%})" if attempted else "nobody tried"
    said = Counter((each.mistake or each.outcome, each.sentence) for each in attempted if each.outcome != "right")
    mistakes = "<br>".join(
        f"{count} × <b>{html.escape(name.replace('_', ' '))}</b>: {html.escape(sentence)}"
        for (name, sentence), count in sorted(said.items(), key=lambda item: (-item[1], item[0]))[:COMMONEST]
    )
    return f'<tr><td>{html.escape(exercise)}</td><td class="n">{rate}</td><td>{bar}<br>{blank}</td><td>{mistakes}</td></tr>'


def _student(student: str, found: list[SubmissionResult], marks: dict[str, dict[str, tuple[float, float, bool]]]) -> str:
    parts = [f'<div class="student"><h2>{html.escape(student)}</h2>']
    for result in found:
        score = marks[result.assignment].get(student)
        total = ""
        if score is not None:
            total = f": {score[0]:g} of {score[1]:g} points{', a person has still to look' if score[2] else ''}"
        parts.append(f"<h3>{html.escape(result.assignment)}{total}</h3><p>{html.escape(str(result.status))}")
        parts.append(f": {html.escape(result.reason)}</p>" if result.reason else "</p>")
        parts += [f"<p><small>{html.escape(note)}</small></p>" for note in result.notes]
        if result.exercises:
            parts.append(f"<table>{''.join(_line(each) for each in result.exercises)}</table>")
    return "".join([*parts, "</div>"])


def _line(result: ExerciseResult) -> str:
    colour = "right" if result.outcome == "right" else "wrong" if result.outcome in ("not yet", "error") else "other"
    marks = f"{result.marks:g}" if result.marks is not None else "–"
    incident = f" ({html.escape(result.incident)})" if result.incident else ""
    return (
        f'<tr><td>{html.escape(result.exercise)}</td><td class="n">{marks} of {result.points}</td>'
        f'<td class="{colour}">{html.escape(result.outcome)}{incident}</td><td>{html.escape(result.sentence)}</td></tr>'
    )


def _anchor(name: str) -> str:
    return html.escape(name, quote=True)
