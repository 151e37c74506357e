"""Real accounts, a watcher, and a student who submits under a classmate's name: the classmate's
mark, page and quota stay as they are.
"""

from __future__ import annotations

import pytest
from exchange_course import ADA, BO, MAL, NAME, accounts, give, put, secret_of
from nbgrader.utils import notebook_hash
from watched_course import RIGHT, WRONG, Watched

from autograder.gradebook.due_dates import set_due
from autograder.submissions.store import manifest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("impersonation")]
EARLY, LATER, FUTURE = (f"{time} 12:00:00.000000 UTC" for time in ("2026-11-20", "2026-11-21", "2099-01-01"))


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Ada has submitted a right answer, and Mal wrong ones in her name; a watcher has answered once."""
    with accounts(ADA, BO, MAL):
        made = Watched(tmp_path_factory.mktemp("impersonated"))
        made.hers = put(made.inbound, ADA, NAME, made.notebook(RIGHT), ADA, EARLY)
        made.forged = [forge(made, time=time) for time in (LATER, FUTURE, EARLY, "no time")]
        made.forged += [forge(made, name=name) for name in (ADA.upper(), "nobody", f"{ADA}+{NAME}+x")]
        made.forged += [forge(made, text=made.notebook(RIGHT)), forge(made, owner=54321)]
        for file in (f"{NAME}.ipynb", "timestamp.txt", "submission_secret.txt"):
            made.forged.append(forge(made, owner=ADA))
            give(made.forged[-1] / file, MAL)
        assert len(made.forged) == 12 and made.once(daily=1) == 0
        yield made


def forge(course, name=ADA, text=None, owner=MAL, time=LATER):
    return put(course.inbound, name, NAME, text or course.notebook(WRONG), owner, time)


def test_twelve_attempts_change_neither_mark_nor_page_nor_quota(course):
    assert course.answered() == [(ADA, 1)] and course.scores() == {ADA: 2.0}
    assert "the number is in its place" in course.page(secret_of(course.hers))
    assert [course.page(secret_of(folder)) for folder in course.forged] == [""] * 12
    assert [entry.student for entry in manifest(course.course / "received", NAME)] == [ADA]
    assert len(list((course.course / "received" / ADA / NAME).iterdir())) == 1
    log = [line for line in (course.course / "kqa.log").read_text().splitlines() if "set aside: " in line]
    assert len(log) >= 5 and all(" WARNING " in line for line in log)
    assert "set aside: " in (course.course / "report" / "watch.html").read_text()


def test_the_forger_has_a_quota_of_his_own(course):
    his = put(course.inbound, MAL, NAME, course.notebook(WRONG), MAL, LATER)
    assert course.once(daily=1) == 0
    assert course.answered() == [(ADA, 1), (MAL, 1)] and course.scores() == {ADA: 2.0, MAL: 0.0}
    assert "You put x at the end" in course.page(secret_of(his))


def test_a_page_that_was_released_stays_whoever_submits_later(course):
    """Also the student herself: the page about her first version is not for the secret of the second."""
    secret = secret_of(course.hers)
    path = course.exchange / "sorting" / "feedback"
    page = path / f"{notebook_hash(secret=secret, notebook_id=NAME)}.html"
    before = (page.read_bytes(), page.stat().st_ino)
    (first,) = (each for each in manifest(course.course / "received", NAME) if each.student == ADA)
    due = first.received + 0.001
    set_due(course.course, NAME, due)
    late = put(course.inbound, ADA, NAME, course.notebook(WRONG), ADA, FUTURE)
    forged = forge(course, text=course.notebook(RIGHT), time=FUTURE)
    assert course.once() == 0
    (entry,) = (each for each in manifest(course.course / "received", NAME, due) if each.student == ADA)
    assert entry.version == 1 and "version 2 came after the due date" in entry.notes[0]
    assert course.page(secret_of(late)) == course.page(secret_of(forged)) == ""
    assert (page.read_bytes(), page.stat().st_ino) == before, "it was not even written again"
    beside = course.course / "feedback" / ADA / NAME / "submission_secret.txt"
    assert beside.read_text() == secret, "nbgrader's release_feedback goes there, too"
