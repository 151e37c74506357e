"""Where a course may lie: wherever it is, no runner sees anything of it but what it must."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from another_course import working_on
from tiny_course import LIMITS

from autograder import paths
from autograder.course.new_course import TEMPLATE
from autograder.grading.config import GradingConfig
from autograder.judge.escape_test import quick_check
from autograder.judge.session import RemoteAnswer, Session
from autograder.sandbox import covers as covers_of
from autograder.sandbox.covers import covers, secret_places
from autograder.sandbox.tiers import launcher_for, problem_with
from autograder.submissions.merge import GraftedCell
from kqa_core.errors import UserError

SECRETS = ("gradebook.db", ".course_key", "received/ann/1.ipynb", "keys/01_lists/merge_sorted.py")
READS = """
import os
def reads(place):
    found = []
    for folder, _, files in os.walk(place):
        found += [os.path.join(folder, name) for name in files]
    return sorted(found)
"""


def written_course(folder: Path) -> Path:
    """The example course with what grading leaves in it."""
    course = shutil.copytree(TEMPLATE, folder)
    for name in SECRETS:
        path = course / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.read_text() if path.exists() else "secret")
    return course.resolve()


@pytest.fixture
def use() -> Iterator[Callable[[Path], None]]:
    """Work on another course, for one test."""
    with contextlib.ExitStack() as opened:
        yield lambda course: opened.enter_context(working_on(course))


@pytest.fixture
def in_the_system() -> Iterator[Path]:
    """A folder in /usr, which every sandbox shows."""
    if problem_with("bubblewrap") is not None or not os.access("/usr/local/share", os.W_OK):
        pytest.skip("this user may not write to /usr/local/share, or has no sandbox")
    with tempfile.TemporaryDirectory(dir="/usr/local/share", prefix="kqa-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def seen(place: Path, base: Path, secret: tuple[Path, ...] = ()) -> list[str]:
    """The files of `place` that a runner of this process's course sees."""
    with closing(launcher_for("bubblewrap", LIMITS, base, secret)) as launcher:
        quick_check(launcher)
        cell = GraftedCell("solution", "code", READS, "reads")
        with closing(Session(launcher, [cell], LIMITS)) as session:
            found = RemoteAnswer(session, "reads")(str(place))
    assert isinstance(found, list)
    return [str(name) for name in found]


@pytest.mark.slow
@pytest.mark.parametrize("linked", [False, True])
def test_of_a_course_in_the_system_a_runner_sees_the_students_half_alone(
    in_the_system, tmp_path, use, linked
):
    """Also by the way of a link, and what else a grading names: a gradebook, and received work."""
    course = written_course(in_the_system / "course")
    apart = in_the_system / "marks.db"
    apart.write_text("secret")
    (in_the_system / "other").write_text("not secret")
    link = tmp_path / "course"
    link.symlink_to(course)
    use(link if linked else course)
    (tmp_path / "base").mkdir()
    secret = GradingConfig(course=link, db=f"sqlite:///{apart}").secret
    found = seen(in_the_system, tmp_path / "base", secret)
    assert str(in_the_system / "other") in found
    shown = [name for name in found if name.startswith(f"{course}/")]
    assert shown and all("/exercises/" in name for name in shown)


@pytest.mark.slow
def test_a_course_in_the_system_is_told_by_the_quick_check_if_it_is_not_hidden(
    in_the_system, tmp_path, monkeypatch, use
):
    course = written_course(in_the_system / "course")
    use(course)
    monkeypatch.setattr("autograder.sandbox.tiers.covers", lambda *what: [])
    with pytest.raises(BaseException, match="does not hold: sees the course, its keys or what students"):
        seen(course, tmp_path)


def test_a_course_in_the_folder_of_an_environment_is_refused(tmp_path):
    prefix = str(tmp_path)
    with pytest.raises(UserError, match=r"move the course to a folder of its own"):
        covers([prefix], [prefix], [tmp_path])


def test_what_lies_in_a_shown_folder_is_covered_by_its_own_name(tmp_path):
    inside = tmp_path / "env" / "share" / "course"
    (inside / "exercises").mkdir(parents=True)
    shown = [str(tmp_path / "env"), str(inside / "exercises")]
    assert covers(shown, shown[1:], [inside]) == [inside]
    assert covers(shown[1:], shown[1:], [inside]) == []


@pytest.mark.parametrize(
    ("mounted", "secret", "found"),
    [
        (("/srv/course", "/usr/share/x"), "/srv/course", ["/usr/share/x"]),
        (("/srv", "/usr/share/x"), "/srv/course", ["/usr/share/x/course"]),
        (("/srv/course/keys", "/usr/share/x"), "/srv/course", ["/usr/share/x"]),
        (("/srv/other", "/usr/share/x"), "/srv/course", []),
        (("/srv/course", "/mnt/x"), "/srv/course", []),
    ],
)
def test_what_is_mounted_in_a_shown_folder_is_found_by_its_place_in_the_file_system(
    tmp_path, monkeypatch, mounted, secret, found
):
    """Bind mounts, as the kernel lists them: the same device, another path."""
    source, point = mounted
    table = tmp_path / "mountinfo"
    table.write_text(
        "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
        f"31 27 254:0 {source} {point} rw,relatime - ext4 /dev/vda rw\n"
        "32 27 0:31 /srv/course /usr/share/y rw,relatime - tmpfs tmpfs rw\n"
    )
    monkeypatch.setattr(covers_of, "MOUNTS", table)
    assert [str(path) for path in covers(["/usr"], [], [Path(secret)])] == found


def test_everything_that_a_grading_names_is_secret(tmp_path, use):
    course = written_course(tmp_path / "course")
    exchange, handed_in = tmp_path / "exchange", tmp_path / "handed in"
    for folder in (exchange, handed_in):
        folder.mkdir()
    with (course / "nbgrader_config.py").open("a") as file:
        file.write(f'\nc.Exchange.root = "{exchange}"\n')
    use(course)
    config = GradingConfig(course=course, submissions=handed_in)
    assert {course, exchange.resolve(), handed_in.resolve(), paths.ROOT} <= set(secret_places(config.secret))


@pytest.mark.slow
def test_a_bind_mount_of_the_course_is_covered(in_the_system, tmp_path):
    """In a mount namespace of its own, so that this machine's mounts stay as they are."""
    course = written_course(tmp_path / "course")
    shown = in_the_system / "shown"
    shown.mkdir()
    code = (
        "import sys, tempfile\n"
        "sys.path[:0] = sys.argv[3:]\n"
        "from pathlib import Path\n"
        "from test_places import seen\n"
        "print([name for name in seen(Path(sys.argv[1]), Path(sys.argv[2]))])\n"
    )
    here = [str(Path(__file__).parent), str(paths.ROOT / "tests"), str(paths.ROOT)]
    command = [sys.executable, "-c", code, str(shown), str(tmp_path), *here]
    mount = f"mount --bind '{course}' '{shown}' && exec \"$@\""
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", mount, "sh", *command],
        env={**os.environ, "KQA_COURSE": str(course)},
        capture_output=True,
        text=True,
        check=False,
    )
    if "unshare" in done.stderr and "Operation not permitted" in done.stderr:
        pytest.skip("this user may make no mounts")
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr[-2000:]
