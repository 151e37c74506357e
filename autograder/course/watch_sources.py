"""Where `kqa course watch` gets submissions, and how answers go back: nbgrader's exchange, or a folder.

- The exchange is whatever `c.ExchangeFactory` names. nbgrader's own is a folder, which `receiving.py` reads
  by itself, because nbgrader's `collect` asks too late whose a submission is. Another one (ngshare, a plugin)
  is asked through nbgrader's classes, and its server says who submitted.
- In that case nbgrader collects into a folder of ours, where only `timestamp.txt` of what was collected
  before lies. A submission that came whole is then renamed into `submitted/`. So a kill or a full disk leaves
  nothing half-written there, and the next look fetches it again. One submission that cannot be copied stops
  no other one. Links in it are refused: nbgrader would copy what they lead to.
- A page goes out from the folder in which it lies with the exchange's two files beside it: the folder
  `feedback` of the course, or the one of the pages for those who wait.
"""

from __future__ import annotations

import datetime
import errno
import glob
import logging
import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from nbgrader.apps.api import NbGraderAPI
from nbgrader.utils import temp_attrs

from autograder.course.disk_room import no_room
from autograder.gradebook.exchange_settings import inbound_place
from autograder.gradebook.gradebook import gradebook_url, nbgrader_config, use_newest_schema
from autograder.submissions.exchange_stamp import FORMAT, SECRET, TIMESTAMP, beside, time_of
from autograder.submissions.intake import shown
from kqa_core.errors import UserError, first_line, readable
from kqa_core.files import write_whole

COLLECTING, REPLACED, WAITING = "judged/collecting", "judged/replaced", "judged/waiting"
Stamp = tuple[str | None, str | None]  # secret and time that came with a version
STATUS = "status.txt"  # what those who wait read, where there is no exchange


class Source(Protocol):
    """Where submissions come from."""

    submitted: Path | None  # holds STUDENT/NOTEBOOK/NOTEBOOK.ipynb; None for the course's `submitted`

    def collect(self, names: Sequence[str]) -> list[str]:
        """Bring what is new to where it is received. Returns a line for each submission
        that could not be brought.
        """

    def release(self, student: str, name: str) -> None:
        """Give the feedback in the course's `feedback` back to its student."""

    def tell(self, student: str, name: str, sentence: str, page: str, stamp: Stamp) -> None:
        """Let a student who waits know how long. The text is not empty; `stamp` is the version's."""


class FolderSource:
    """A folder that something else fills. Feedback stays in the course's `feedback`."""

    def __init__(self, folder: Path, course: Path) -> None:
        if not folder.is_dir():
            raise UserError(
                f"{folder}: no such folder; expected submissions as STUDENT/NOTEBOOK/NOTEBOOK.ipynb"
            )
        self.submitted: Path | None = folder
        self._course = course

    def collect(self, names: Sequence[str]) -> list[str]:
        """Nothing to do."""
        return []

    def release(self, student: str, name: str) -> None:
        """The page is there already; only the status goes."""
        (self._course / "feedback" / student / name / STATUS).unlink(missing_ok=True)

    def tell(self, student: str, name: str, sentence: str, page: str, stamp: Stamp) -> None:
        """Write the sentence beside the feedback."""
        write_whole(self._course / "feedback" / student / name / STATUS, sentence + "\n")


class ExchangeSource:
    """nbgrader's exchange, as the settings of nbgrader describe it."""

    submitted: Path | None = None

    def __init__(self, course: Path, db: str | None = None) -> None:
        use_newest_schema()
        course = course.resolve()
        self._course = course
        config = nbgrader_config(course)
        config.CourseDirectory.root = str(course)
        config.CourseDirectory.db_url = gradebook_url(course, db).render_as_string(hide_password=False)
        log = logging.Logger("nbgrader")  # of its own: what it says is not for the screen
        log.addHandler(logging.NullHandler())
        try:
            self._api = NbGraderAPI(config=config, log=log)  # a plugin asks its server here
        except Exception as error:
            raise UserError(
                f"nbgrader's exchange cannot be used ({first_line(error)}); see nbgrader's settings"
            ) from None
        if not self._api.course_id:
            raise UserError(
                f"{course}: nbgrader_config.py names no c.CourseDirectory.course_id; the exchange needs one"
            )
        root = self._api.exchange_root
        if root and not os.access(root, os.W_OK | os.X_OK):
            raise UserError(
                f"{root}: is no exchange that can be used; set c.Exchange.root in nbgrader_config.py, or name"
                " a folder: --from"
            )
        self._inbound = inbound_place(course)
        self._seen: set[str] = set()
        submitted = course / "submitted"
        submitted.mkdir(mode=0o700, exist_ok=True)
        self._staged = _Staged(course, submitted)

    def collect(self, names: Sequence[str]) -> list[str]:
        """Collect with nbgrader, where the exchange is no folder. Raises OSError if the disk is full,
        and UserError if the exchange cannot be reached.
        """
        if self._inbound is not None:
            if not self._inbound.is_dir():
                raise UserError(f"{self._inbound}: no such folder; release an assignment first")
            return []
        lines: list[str] = []
        for name in names:
            self._staged.begin(name)
            try:
                lines += self._collected(name)
            except Exception as error:
                if no_room(error):
                    raise
                raise UserError(
                    f"nbgrader's exchange: {name} cannot be collected ({first_line(error)})"
                ) from None
            self._staged.place()
        new = [line for line in lines if line not in self._seen]
        self._seen.update(new)
        return new

    def release(self, student: str, name: str) -> None:
        """Release with nbgrader. Raises OSError or UserError if that fails."""
        self._release(student, name, "feedback")
        shutil.rmtree(self._course / WAITING / student / name, ignore_errors=True)

    def tell(self, student: str, name: str, sentence: str, page: str, stamp: Stamp) -> None:
        """Release a page that says so, for this version. The next `release` replaces it."""
        secret, timestamp = stamp
        if timestamp is None:
            return  # it did not come through the exchange
        folder = self._course / WAITING / student / name
        when = time_of(timestamp) or datetime.datetime.now(datetime.UTC)
        write_whole(folder / TIMESTAMP, when.strftime(FORMAT), 0o600)
        # ngshare has no secret, and asks for none
        write_whole(folder / SECRET, secret or secrets.token_hex(64), 0o600)
        write_whole(folder / f"{name}.html", page, 0o600)
        self._release(student, name, WAITING)

    def _release(self, student: str, name: str, folder: str) -> None:
        api = self._api
        where = {"assignment_id": name, "student_id": glob.escape(student), "feedback_directory": folder}
        with temp_attrs(api.coursedir, **where):
            app = api.exchange.ReleaseFeedback(
                coursedir=api.coursedir, authenticator=api.authenticator, parent=api
            )
            with _as_user_error(f"{student}, {name}: feedback cannot be released"):
                app.start()

    def _collected(self, name: str) -> list[str]:
        api, lines = self._api, list[str]()
        with temp_attrs(api.coursedir, assignment_id=name, student_id="", submitted_directory=COLLECTING):
            app = api.exchange.Collect(coursedir=api.coursedir, authenticator=api.authenticator, parent=api)
            app.update = True
            copy = getattr(app, "do_copy", None)
            if copy is not None:  # ngshare copies one submission with it
                app.do_copy = lambda source, target, *more: self._staged.copied(
                    copy, source, target, *more, lines=lines
                )
            app.start()
        return lines


class _Staged:
    """The folder into which nbgrader collects.
    Between two looks it holds `timestamp.txt` of each submission that is there.
    """

    def __init__(self, course: Path, submitted: Path) -> None:
        self._submitted, self._folder, self._replaced = submitted, course / COLLECTING, course / REPLACED
        self._known: set[str] = set()
        self._whole: list[Path] = []
        for left in (self._folder, self._replaced):  # by a watcher that was killed
            shutil.rmtree(left, ignore_errors=True)

    def begin(self, name: str) -> None:
        """Get ready for a notebook."""
        for left in self._whole:  # when a disk was full: nbgrader is to copy it again
            shutil.rmtree(left, ignore_errors=True)
        self._whole.clear()
        self._folder.mkdir(parents=True, exist_ok=True)
        if name not in self._known:
            for folder in self._submitted.iterdir():
                if (folder / name).is_dir():
                    self._remember(folder.name, name)
        self._known.add(name)

    def copied(self, copy: Any, source: Any, target: str, *more: Any, lines: list[str]) -> None:
        """Copy one submission. If that fails, a line says why; a full disk is raised."""
        folder = Path(target)
        student, name = folder.parent.name, folder.name
        if student == ".." or folder.parent.parent != self._folder:
            lines.append(f"{shown(student)}, {name}: an entry of the exchange with this name is ignored")
            return
        try:
            if isinstance(source, str) and (link := _link_in(Path(source))) is not None:
                raise UserError(f"{shown(link)} is a link; submit the file itself")
            copy(source, target, *more)
            _own(folder)
            # formgrader reads it; what a student wrote may name a file for it to open
            if (folder / TIMESTAMP).exists():
                write_whole(folder / TIMESTAMP, self._time(self._folder, student, name))
            self._whole.append(folder)
        except Exception as error:
            shutil.rmtree(folder, ignore_errors=True)
            if no_room(error):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._folder)) from None
            lines.append(f"{shown(student)}, {name}: cannot be collected ({readable(first_line(error))})")

    def place(self) -> None:
        """Rename what came whole into `submitted`.
        Killed between two renames, the next watcher collects it again.
        """
        for folder in self._whole:
            student, name = folder.parent.name, folder.name
            target = self._submitted / student / name
            target.parent.mkdir(exist_ok=True)
            if target.is_dir():
                (self._replaced / student).mkdir(parents=True, exist_ok=True)
                target.rename(self._replaced / student / name)
            folder.rename(target)
            self._remember(student, name)
        self._whole.clear()
        shutil.rmtree(self._replaced, ignore_errors=True)

    def _remember(self, student: str, name: str) -> None:
        """Write down when what is there was submitted."""
        write_whole(self._folder / student / name / TIMESTAMP, self._time(self._submitted, student, name))

    def _time(self, folder: Path, student: str, name: str) -> str:
        """When a submission in this folder was submitted, as nbgrader writes it.
        If its file does not say, it is from now.
        """
        when = time_of(beside(folder, f"{student}/{name}", TIMESTAMP))
        return (when or datetime.datetime.now(datetime.UTC)).strftime(FORMAT)


def look_of(folder: Path, names: Sequence[str]) -> dict[str, object]:
    """By student's folder: facts that change when one of its submissions does.
    No student can set the time of a change back.
    """
    if not folder.is_dir():
        return {}
    inside = [path for name in names for path in (name, f"{name}/{name}.ipynb")]
    with os.scandir(folder) as entries:
        return {entry.name: tuple(_facts(f"{entry.path}/{path}") for path in inside) for entry in entries}


def _facts(path: str) -> object:
    try:
        facts = os.lstat(path)
    except OSError:
        return None
    return facts.st_ino, facts.st_ctime_ns, facts.st_size


@contextmanager
def _as_user_error(what: str) -> Iterator[None]:
    try:
        yield
    except OSError:
        raise
    except Exception as error:  # a plugin's own
        raise UserError(f"{what} ({readable(first_line(error))})") from None


def _own(folder: Path) -> None:
    """Make a copy usable for its owner, whatever rights the original had."""
    folder.chmod(folder.stat().st_mode | 0o700)
    for where, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(where, name)
            path.chmod(path.stat().st_mode | (0o700 if path.is_dir() else 0o600))


def _link_in(folder: Path) -> str | None:
    """The name of a link in a folder, if there is one."""
    for where, folders, files in os.walk(folder):
        for name in (*folders, *files):
            if Path(where, name).is_symlink():
                return name
    return None
