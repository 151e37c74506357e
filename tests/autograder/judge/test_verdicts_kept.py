"""Which result is kept and recorded: where manifest, kept results and another coordinator could disagree.

The mutants of `tests/mutants` are these turns taken the other way.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from recorded import result
from tiny_course import NAME

from autograder.course.publisher import Publisher, _row, reconcile
from autograder.grading.batch import JudgedEntry
from autograder.grading.config import GradingConfig
from autograder.judge.results import Judged, Status, SubmissionResult
from autograder.submissions.merge import GraftedCell
from autograder.submissions.store import Submission


def an_entry(student, **more):
    return Submission(student, NAME, **more)


def ended(student, status=Status.GRADED, *exercises, reason=None):
    return SubmissionResult(student, NAME, status, exercises, reason)


def test_manifest_and_results_must_agree():
    asked = [an_entry("ann"), an_entry("bo")]
    assert reconcile(asked, [ended("ann"), ended("bo", Status.MISSING)]) == []
    assert reconcile(asked, [ended("ann")]) == [f"bo, {NAME}: has no status"]
    assert reconcile(asked, [ended("ann"), ended("bo"), ended("cy")]) == [
        f"cy, {NAME}: was judged but is not in the manifest"
    ]
    assert reconcile(asked, [ended("ann"), ended("bo"), ended("bo")]) == [f"bo, {NAME}: was judged twice"]
    broken = (result("double", None, Status.BROKEN, "ours"), result("total", 0.0))
    lost = [ended("ann", Status.BROKEN, *broken), ended("bo", Status.BROKEN, reason="lost")]
    assert reconcile(asked, lost) == [
        f"ann, {NAME}: infrastructure error: double: ours",
        f"bo, {NAME}: infrastructure error: lost",
    ]


def test_only_what_was_judged_is_published_under_its_key():
    cells = (GraftedCell("solution", "code", "x = 1", "double"),)
    ledger = SimpleNamespace(cells_of={"a": cells}.get)
    ann, bo, cy = ended("ann"), ended("bo", Status.BROKEN), ended("cy", Status.REFUSED)
    judged = [
        JudgedEntry(an_entry("ann"), ann, "a"),
        JudgedEntry(an_entry("bo"), bo, "b", cells),
        JudgedEntry(an_entry("cy"), cy),
    ]
    assert [_row(each, ledger, set()) for each in judged] == [
        ("a", Judged(ann, cells)),
        (None, Judged(bo, cells)),
        (None, Judged(cy)),
    ]
    assert _row(judged[0], ledger, {("ann", NAME)}) == (None, Judged(ann, cells))
    told = JudgedEntry(an_entry("ann", about=("version 2 came after the due date",)), ann, "a")
    assert _row(told, ledger, set()) == (None, Judged(ann, cells))
    withdrawn = JudgedEntry(an_entry("dee"), ended("dee"), "d")
    assert _row(withdrawn, ledger, set()) == ("d", Judged(ended("dee")))


@pytest.mark.parametrize(
    ("status", "last", "kept", "recorded", "changed"),
    [
        (Status.GRADED, None, None, True, True),
        (Status.GRADED, None, "new", True, False),
        (Status.GRADED, None, "old", True, True),
        (Status.GRADED, ("key", "new", 50.0), None, True, False),
        (Status.GRADED, ("key", "old", 50.0), None, True, True),
        (Status.GRADED, ("key", "old", 50.0), "new", True, True),
        # another coordinator did, since this one began
        (Status.GRADED, ("key", "new", 100.0), None, False, None),
        (Status.GRADED, ("key", "new", 101.0), None, False, None),
        (Status.GRADED, ("other", "new", 101.0), None, True, False),
        (Status.BROKEN, ("key", "new", 101.0), None, True, False),
    ],
)
def test_a_result_is_recorded_but_for_what_another_coordinator_did(
    tmp_path, status, last, kept, recorded, changed
):
    calls, entered = [], []
    book = SimpleNamespace(
        course=tmp_path,
        where="here",
        record=lambda judged, changed, stamp: calls.append(changed),
        published_digest=lambda student, assignment: kept,
        changed=lambda judged: True,  # an answer of the file is not the one that was recorded
    )
    ledger = SimpleNamespace(
        last_recorded=lambda entry, where: last, recorded=lambda entry, where, key: entered.append(key)
    )
    entry = Submission("ann", NAME, "file", "new")
    judged = JudgedEntry(entry, ended("ann", status), "key", ())
    assert recorded_by(tmp_path, judged, ledger, book) is None
    assert calls == ([changed] if recorded else [])
    assert entered == (["key"] if recorded and status is not Status.BROKEN else [])


def test_a_result_that_another_run_has_withdrawn_meanwhile_is_listed_and_not_recorded_without_its_cells(
    tmp_path,
):
    book = SimpleNamespace(course=tmp_path, where="here", record=None, published_digest=lambda *about: None)
    ledger = SimpleNamespace(last_recorded=lambda *about: None, cells_of=lambda key: None)
    judged = JudgedEntry(an_entry("ann"), ended("ann"), "key")
    assert "another run judges it again" in recorded_by(tmp_path, judged, ledger, book)


def recorded_by(course, judged, ledger, book):
    """What a publisher that began at 100 s says of recording this."""
    publisher = Publisher(GradingConfig(course=course))
    publisher._began = 100.0
    return publisher._record(judged, ledger, book)


@pytest.mark.parametrize(
    ("entry", "key"), [(an_entry("ann", refused="a link"), "a link"), (an_entry("ann"), "missing")]
)
def test_what_has_no_file_is_recorded_under_the_reason(tmp_path, entry, key):
    entered = []
    ledger = SimpleNamespace(
        last_recorded=lambda *about: None, recorded=lambda entry, where, key: entered.append(key)
    )
    record = {"record": lambda judged, changed, stamp: None, "published_digest": lambda *about: None}
    book = SimpleNamespace(course=tmp_path, where="here", **record)
    assert recorded_by(tmp_path, JudgedEntry(entry, ended("ann", Status.REFUSED)), ledger, book) is None
    assert entered == [key]
