"""A notebook's part of the report: marks, statuses, and each exercise over the class.

- Every share stands with its number and its interval; where a figure would mislead, the words that say why.
- Marks are shown as they were given, one bar a mark: most exercises give all or nothing, a person's marks lie between.
- Mistakes are folded: the sentence first, and whose they are behind it, each with a way to the very answer.
"""

from __future__ import annotations

from collections import Counter
from statistics import fmean, median

from autograder.judge.results import Status
from autograder.report.facts import ExerciseFacts, Mistake, NotebookFacts
from autograder.report.html import answer_place, escape, file_name, histogram, mark_bars, share_bar, table
from autograder.report.item_analysis import EACH, ENOUGH, tenths

COMMONEST = 5  # mistakes shown per exercise
STATUSES = tuple(status for status in Status if status is not Status.PERSON)
FORMULA = (
    "Discrimination is the item-rest correlation: Pearson's r between having the exercise right (1) or not (0; unattempted "
    "counts as not) and the marks of the notebook's <em>other</em> checked exercises, extra ones aside. Near 0, those who do the "
    "rest well have it right no more often than the others: below 0.2, look at the exercise and its wording. "
    f"It is shown from {ENOUGH} students on, with at least {EACH} right and {EACH} wrong; with fewer, chance alone moves it by "
    "more than it says."
)
UNVERIFIED = '<span class="flag">unverified</span>'


def overview(notebooks: list[NotebookFacts]) -> str:
    """All notebooks, one line each."""
    rows = []
    for facts in notebooks:
        counts = Counter(each.status for each in facts.results.values())
        name = f'<a href="#{file_name(facts.name)}">{escape(facts.name)}</a>'
        statuses = [str(counts[status] or "–") for status in STATUSES]
        rows.append([name, *statuses, str(len(facts.unverified) or "–"), str(len(facts.students)), _middle(facts)])
    head = ["notebook", *(str(status) for status in STATUSES), "unverified", "all", "median mark"]
    return table(head, rows, "Submissions by status", numbers=range(1, len(head)))


def notebook(facts: NotebookFacts) -> str:
    """One notebook."""
    parts = [
        f'<h2 id="{file_name(facts.name)}">{escape(facts.name)}</h2><div class="head">',
        _marks(facts),
        _states(facts),
        "</div>",
    ]
    if facts.unverified:
        parts.append(
            f"<p>{UNVERIFIED} {len(facts.unverified)} of these marks were given by plain <code>nbgrader autograde</code>, which "
            f"decides in the student's own process: {_people(facts.unverified)}. Take them as a student's word, and grade with "
            "<code>kqa course grade</code>.</p>"
        )
    if facts.exercises:
        parts += [_exercises(facts), _mistakes(facts)]
    return "".join(parts)


def _marks(facts: NotebookFacts) -> str:
    shares = [score / most for score, most, _ in facts.marks.values() if most > 0]
    if not shares:
        return "<div><p>No marks in the gradebook.</p></div>"
    scores, most = [score for score, _, _ in facts.marks.values()], max(most for _, most, _ in facts.marks.values())
    said = f"{len(shares)} marks: median {median(scores):.3g}, mean {fmean(scores):.3g}, of {most:g} points"
    without = len(facts.students) - len(facts.marks)
    notes = [f"{facts.waiting()} wait for a person"] if facts.waiting() else []
    notes += [f"{without} have no mark"] if without > 0 else []
    quiet = f'<br><span class="quiet">{"; ".join(notes)}</span>' if notes else ""
    return f'<div class="keep">{histogram(tenths(shares))}<p>{said}{quiet}</p></div>'


def _middle(facts: NotebookFacts) -> str:
    marks = facts.marks.values()
    return f"{median(score for score, _, _ in marks):.3g} of {max(most for _, most, _ in marks):g}" if marks else "–"


def _states(facts: NotebookFacts) -> str:
    counts = Counter(each.status for each in facts.results.values())
    lines = [f"{counts[status]} {status}" for status in STATUSES if counts[status]]
    lines += [f"{len(facts.unverified)} unverified"] if facts.unverified else []
    late = sum(each.late > 0 for each in facts.results.values())
    lines += [f"{late} late"] if late else []
    tiers = [f"{escape(tier)} ({count})" for tier, count in facts.sandboxes.items()]
    sandbox = f"<p>Student code ran in: {', '.join(tiers)}</p>" if tiers else ""
    return f"<div><ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>{sandbox}</div>"


def _exercises(facts: NotebookFacts) -> str:
    head = ("exercise", "points", "right, of those who tried", "marks given", "discrimination", "unattempted", "incidents")
    rows = [
        [
            f'<span class="nowrap">{escape(each.name)}</span>',
            f"{each.points}{' extra' if each.extra else ''}",
            _right(each),
            _given_marks(each),
            "–"
            if each.written
            else f"<small>{escape(each.discrimination)}</small>"
            if _mute(each)
            else escape(each.discrimination),
            f"{each.unattempted} of {each.answers} ({each.unattempted / each.answers:.0%})",
            "; ".join(f"{escape(what)} ({len(who)})" for what, who in each.incidents.items()) or "–",
        ]
        for each in facts.exercises
    ]
    caption = "The line over a bar is the 95 % interval of the share (Wilson). Marks given: from 0 at the left to all points."
    said = f'<p class="quiet">{FORMULA}</p>' if any(not each.written for each in facts.exercises) else ""
    return table(head, rows, caption, numbers=(1,)) + said


def _mute(facts: ExerciseFacts) -> bool:
    return facts.discrimination.value is None


def _given_marks(facts: ExerciseFacts) -> str:
    """The distribution of marks as bars and in words, and what the answers without a full mark were."""
    if not facts.marks:
        return "none yet"
    marks = ", ".join(f"{mark:g}: {count}" for mark, count in facts.marks)
    short = ", ".join(f"{count} {escape(what)}" for what, count in facts.outcomes.items() if what in ("not yet", "error"))
    return f"{mark_bars(facts.marks, facts.points)}<small>{marks}{f'; {short}' if short else ''}</small>"


def _right(facts: ExerciseFacts) -> str:
    """The success rate in words, and as a bar."""
    broken = f"<br><small>{facts.broken} not judged: infrastructure error</small>" if facts.broken else ""
    if facts.written:
        tried = facts.answers - facts.unattempted - facts.broken
        mean = f", mean {fmean(facts.given):.2g} of {facts.points}" if facts.given else ""
        return f"written: {len(facts.given)} of {tried} marked{mean}{broken}"
    if not facts.right.total:
        return f"nobody tried{broken}"
    low, high = facts.right.interval
    rate = f"{facts.right.hits} of {facts.right.total}, {facts.right.value:.0%} <small>({low:.0%} to {high:.0%})</small>"
    return rate + broken + share_bar(facts.right.value, low, high)


def _mistakes(facts: NotebookFacts) -> str:
    parts = []
    for each in facts.exercises:
        if each.mistakes:
            rest = len(each.mistakes) - COMMONEST
            folds = "".join(_mistake(mistake, each.name) for mistake in each.mistakes[:COMMONEST])
            more = f'<p class="quiet">and {rest} more</p>' if rest > 0 else ""
            parts.append(f"<h3>{escape(each.name)}</h3>{folds}{more}")
    return f'<h3 class="quiet">Commonest mistakes</h3>{"".join(parts)}' if parts else ""


def _mistake(mistake: Mistake, exercise: str) -> str:
    head = f"{len(mistake.students)} × <b>{escape(mistake.name)}</b>: {escape(mistake.sentence)}"
    return f"<details><summary>{head}</summary><p>{_people(mistake.students, exercise)}</p></details>"


def _people(students: tuple[str, ...] | list[str], exercise: str | None = None) -> str:
    """Students as links to their place in the index, or to their answer to one exercise."""
    places = [answer_place(each, exercise) if exercise else f"student-{file_name(each)}" for each in students]
    return ", ".join(f'<a href="#{place}">{escape(each)}</a>' for place, each in zip(places, students, strict=True))
