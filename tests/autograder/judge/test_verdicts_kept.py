"""Which result is kept and recorded: where manifest, kept results and another coordinator could disagree.

The mutants of `tests/mutants` are these turns taken the other way.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from recorded import result
from tiny_notebook import NAME

from autograder.course import grade as grading
from autograder.course.grade import reconcile
from autograder.grading.batch import Batch
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
    batch = SimpleNamespace(keys={("ann", NAME): "a", ("bo", NAME): "b"}, cells={("ann", NAME): cells}.get)
    results = [ended("ann"), ended("bo", Status.BROKEN), ended("cy", Status.REFUSED)]
    judged = [Judged(results[0], cells), *(Judged(each) for each in results[1:])]
    other = SubmissionResult("ann", "other", Status.GRADED)
    assert list(Batch.verdicts(batch, NAME, [other, *results])) == list(
        zip(["a", None, None], judged, strict=True)
    )
    assert list(Batch.verdicts(batch, NAME, results, {("ann", NAME)})) == list(
        zip([None, None, None], judged, strict=True)
    )


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
        record=lambda judged, changed: calls.append(changed),
        published_digest=lambda student, assignment: kept,
    )
    ledger = SimpleNamespace(
        last_recorded=lambda entry, where: last, recorded=lambda entry, where, key: entered.append(key)
    )
    entry = Submission("ann", NAME, "file", "new")
    known = {"instructors": Named({NAME: None}), "keys": {("ann", NAME): "key"}, "cells": lambda place: ()}
    about = SimpleNamespace(ledger=ledger, **known)
    assert grading._record(book, about, [(entry, ended("ann", status))], 100.0) == {}
    assert calls == ([changed] if recorded else [])
    assert entered == (["key"] if recorded and status is not Status.BROKEN else [])


def test_a_result_that_another_run_has_withdrawn_meanwhile_is_listed_and_not_recorded_without_its_cells(
    tmp_path,
):
    book = SimpleNamespace(course=tmp_path, where="here", record=None, published_digest=lambda *about: None)
    ledger = SimpleNamespace(last_recorded=lambda *about: None)
    known = {"instructors": Named({NAME: None}), "keys": {("ann", NAME): "key"}, "cells": lambda place: None}
    about = SimpleNamespace(ledger=ledger, **known)
    (line,) = grading._record(book, about, [(an_entry("ann"), ended("ann"))], 100.0).values()
    assert "another run judges it again" in line


class Named(dict):
    """Notebooks by name, of which none is prepared."""

    def values(self):
        return ()


@pytest.mark.parametrize(
    ("entry", "key"), [(an_entry("ann", refused="a link"), "a link"), (an_entry("ann"), "missing")]
)
def test_what_has_no_file_is_recorded_under_the_reason(tmp_path, entry, key):
    entered = []
    ledger = SimpleNamespace(
        last_recorded=lambda *about: None, recorded=lambda entry, where, key: entered.append(key)
    )
    record = {"record": lambda judged, changed: None, "published_digest": lambda *about: None}
    book = SimpleNamespace(course=tmp_path, where="here", **record)
    about = SimpleNamespace(instructors=Named({NAME: None}), keys={}, ledger=ledger, cells=lambda place: ())
    grading._record(book, about, [(entry, ended("ann", Status.REFUSED))], 100.0)
    assert entered == [key]
