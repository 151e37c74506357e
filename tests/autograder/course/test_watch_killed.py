"""A watcher that is killed at any moment, a disk that is full, and a second watcher:
nothing is lost, nothing comes twice.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess

import pytest
from exchange_course import NAME
from watched_course import RIGHT, WRONG, Watched, until

from autograder.course import disk_room, grade, receiving, watch, watch_sources
from autograder.gradebook import recorder
from autograder.grading import answers, batch
from autograder.grading.config import GradingConfig
from kqa_core.errors import UserError

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("watch killed")]


def dies(module, name, at=1, after=False):
    """A change after which the call number `at` of a function is the process's last:
    it is killed before it, or `after` it.
    """

    def change():
        real, calls = getattr(module, name), []

        def called(*arguments, **options):
            calls.append(1)
            if len(calls) == at and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            result = real(*arguments, **options)
            if len(calls) == at:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        setattr(module, name, called)

    return change


MOMENTS = {
    "nothing is collected": dies(watch, "receive_class"),
    "one of two is in its place, not received": dies(receiving, "_place", after=True),
    "one of two is received": dies(receiving, "_place", at=2),
    "both are received": dies(receiving, "log_received"),
    "received, and told that they wait": dies(watch.Watcher, "round"),
    "one is judged": dies(batch.Ledger, "keep", after=True),
    "judged, and the mark of one is recorded": dies(recorder, "feedback_page"),
    "recorded, not published": dies(grade.Ledger, "publish"),
    "published, not released": dies(watch_sources.ExchangeSource, "release"),
    "one is released": dies(answers.Answers, "add"),
    "one is released and entered": dies(answers.Answers, "add", after=True),
}


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """A course in which two students submitted,
    and whose watcher was killed at each of these moments, one after the other.
    """
    course = Watched(tmp_path_factory.mktemp("killed"))
    secrets = {"ada": course.submit("ada", WRONG), "bo": course.submit("bo", RIGHT)}
    for moment, change in MOMENTS.items():
        assert course.once(change) == -signal.SIGKILL, moment
    return course, secrets


def test_after_all_kills_everybody_is_answered_once(killed):
    course, secrets = killed
    assert len(course.answered()) == 1
    assert course.once() == 0
    assert sorted(course.answered()) == [("ada", 1), ("bo", 1)]
    assert course.scores() == {"ada": 0.0, "bo": 2.0}
    assert "You put x at the end" in course.page(
        secrets["ada"]
    ) and "the number is in its place" in course.page(secrets["bo"])
    assert course.once() == 0 and len(course.answered()) == 2, "another start finds nothing to do"


def test_kills_leave_no_half_files(killed):
    course, _ = killed
    files = [path.name for folder in (course.course, course.exchange) for path in folder.rglob("*")]
    assert [name for name in files if name.endswith(("-tmp.html", ".part"))] == []
    assert {path.parent.parent.name for path in (course.course / "submitted").rglob("*.ipynb")} == {
        "ada",
        "bo",
    }
    versions = sorted(path.name[:4] for path in (course.course / "received").rglob("*.ipynb"))
    assert versions == ["0001", "0001"]


def test_a_second_watcher_ends_and_says_who_holds_the_course(killed, monkeypatch):
    course, _ = killed
    first = course.start()
    until(lambda: "watches" in (course.course / "report" / "watch.html").read_text())
    grading = GradingConfig(course=course.course)
    with pytest.raises(UserError, match=f"process {first.pid} of .* holds it; end that first"):
        watch.watch(
            watch.WatchConfig(grading=grading, names=(NAME,), page=course.course / "report" / "watch.html")
        )
    course.stop(first)
    assert course.lines("stopped") == ["stopped; start it again to go on"]
    assert "Watcher: stopped" in (course.course / "report" / "watch.html").read_text()


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 48 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a disk cannot be mounted here")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


def test_on_a_full_disk_the_watcher_waits_says_so_once_and_goes_on(small_disk, tmp_path):
    course = Watched(tmp_path, small_disk / "course")
    first = course.submit("ada", WRONG)
    assert course.once(lambda: setattr(disk_room, "ROOM", 0)) == 0
    filler = small_disk / "filler"
    with filler.open("wb") as file:
        file.write(bytes(shutil.disk_usage(small_disk).free))
    second, third = course.submit("ada", RIGHT), course.submit("bo", RIGHT)
    # nobody looks before: every write fails by itself
    process = course.start(lambda: setattr(disk_room, "ROOM", 0))
    until(lambda: course.said.read_text().count("the disk is full") >= 1)
    assert "You put x at the end" in course.page(first)
    filler.unlink()
    until(lambda: len(course.answered()) == 3)
    course.stop(process)
    errors = [line for line in course.said.read_text().splitlines() if "error while" in line]
    assert 1 <= len(errors) <= 3 and all("the disk is full" in line for line in errors), (
        "once for each thing that it does"
    )
    assert "looking works again" in course.said.read_text()
    assert all("the number is in its place" in course.page(each) for each in (second, third))
    assert [path for path in small_disk.rglob("*") if path.name.endswith(".part")] == []
    assert course.once(lambda: setattr(disk_room, "ROOM", 10**12)) == 1, (
        "with too little room it does not begin"
    )
