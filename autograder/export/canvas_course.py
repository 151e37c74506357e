"""A course on Canvas, through canvasapi: its address, the token, what is read and what is sent.

- The address is the one that a browser shows: https://HOST/courses/NUMBER. Without https only this machine is
  accepted, because the token would travel unencrypted.
- The token comes from the environment variable KQA_CANVAS_TOKEN or from a file that only its owner may read.
  It is in no message.
- canvasapi sets no time limit, so `PatientRequester` does. Everything that Canvas or the network refuses is a
  `UserError`.
- Canvas grades many students in a job of its own. `post_grades` waits until the job has ended.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests
from canvasapi import exceptions as refused
from canvasapi.course import Course
from canvasapi.progress import Progress
from canvasapi.requester import Requester
from requests.adapters import HTTPAdapter

from kqa_core.errors import UserError, readable
from kqa_core.files import read_private

TOKEN = "KQA_CANVAS_TOKEN"
TIMEOUT = (10, 60)  # seconds: to connect, and without a byte of the answer
JOB_SECONDS = 600  # for which a job of Canvas is awaited
LONGEST_PAUSE = 5.0  # seconds between two questions about a job
AT_ONCE = 500  # marks in one request
HERE = ("127.0.0.1", "localhost", "::1")
AGAIN = "give the same command again: it sends what is missing"


@dataclass(frozen=True)
class CanvasUser:
    """A student of the course: Canvas's number, the name, and every id by which the student may be found."""

    id: int
    name: str
    ids: Mapping[str, str]  # kind, such as "login" → id


@dataclass(frozen=True)
class CanvasMark:
    """Canvas's mark for a student and assignment. `score` is that before a deduction of Canvas's own."""

    score: float | None
    excused: bool


class PatientRequester(Requester):  # type: ignore[misc]  # canvasapi has no types
    """canvasapi's requests, each with a time limit."""

    def __init__(self, base_url: str, token: str) -> None:
        super().__init__(base_url, token)
        for scheme in ("https://", "http://"):
            self._session.mount(scheme, _Limited())


class _Limited(HTTPAdapter):
    def send(self, *args: Any, **kwargs: Any) -> requests.Response:
        return super().send(*args, **{**kwargs, "timeout": TIMEOUT})


class CanvasCourse:
    """A course on Canvas. Every method raises UserError if Canvas refuses or cannot be reached."""

    def __init__(self, address: str, token: str) -> None:
        base, number = course_address(address)
        self.address = f"{base}/courses/{number}"
        self._requester = PatientRequester(base, token)
        with self._errors(f"find the course {number}"):
            facts = self._requester.request("GET", f"courses/{number}").json()
            self._course = Course(self._requester, {"id": facts["id"]})
            self.name = readable(str(facts.get("name", number)))

    def students(self) -> list[CanvasUser]:
        """The students of the course, without Canvas's test student."""
        kinds = {
            "login": "login_id",
            "SIS": "sis_user_id",
            "Canvas": "id",
            "integration": "integration_id",
            "email": "email",
        }
        with self._errors("list the students"):
            users = list(self._course.get_users(enrollment_type=["student"], include=["email"]))
            return [
                CanvasUser(
                    user.id,
                    readable(str(getattr(user, "sortable_name", user.id))),
                    {
                        kind: str(getattr(user, field))
                        for kind, field in kinds.items()
                        if getattr(user, field, None)
                    },
                )
                for user in users
            ]

    def assignments(self) -> list[Any]:
        """canvasapi's assignments of the course."""
        with self._errors("list the assignments"):
            return list(self._course.get_assignments())

    def create_assignment(self, name: str, points: float) -> Any:
        """Make a published assignment for which nothing is submitted on Canvas."""
        facts = {
            "name": name,
            "points_possible": points,
            "grading_type": "points",
            "submission_types": ["none"],
        }
        with self._errors(f"make the assignment {name}"):
            return self._course.create_assignment({**facts, "published": True})

    def marks(self, assignment: Any) -> dict[int, CanvasMark]:
        """The marks that an assignment has now, by the number on Canvas of each student who has it."""
        with self._errors(f"read the marks of {assignment.name}"):
            return {
                submission.user_id: CanvasMark(
                    getattr(submission, "entered_score", submission.score),
                    bool(getattr(submission, "excused", False)),
                )
                for submission in assignment.get_submissions()
            }

    def post_grades(self, assignment: Any, marks: Mapping[int, str], done: Callable[[int], None]) -> None:
        """Set these marks, in points, by the student's number on Canvas; returns when Canvas has set them.

        `done` is called with the number of marks that are set, again and again.
        """
        numbers = list(marks)
        for start in range(0, len(numbers), AT_ONCE):
            part = {number: {"posted_grade": marks[number]} for number in numbers[start : start + AT_ONCE]}
            with self._errors(f"set the marks of {assignment.name}"):
                job = assignment.submissions_bulk_update(grade_data=part)
                for share in self._shares(job):
                    done(start + int(share * len(part)))

    def _shares(self, job: Progress) -> Iterator[float]:
        """The share of Canvas's job that is finished, again and again; ends when it has ended well."""
        end, pause = time.monotonic() + JOB_SECONDS, 0.1
        while job.workflow_state not in ("completed", "failed"):
            if time.monotonic() > end:
                raise UserError(
                    f"{self.address}: Canvas has not set the marks within {JOB_SECONDS} s; look there, and"
                    f" {AGAIN}"
                )
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
            job = job.query()
            yield float(getattr(job, "completion", None) or 0) / 100
        if job.workflow_state == "failed":
            raise UserError(
                f"{self.address}: Canvas could not set the marks ({_shown(getattr(job, 'message', ''))});"
                f" {AGAIN}"
            )
        yield 1.0

    @contextlib.contextmanager
    def _errors(self, doing: str) -> Iterator[None]:
        """Errors of canvasapi and of the network as one line."""
        try:
            yield
        except (refused.InvalidAccessToken, refused.Unauthorized, refused.Forbidden) as error:
            raise UserError(f"{self.address}: {_may_not(error, doing)}") from None
        except refused.ResourceDoesNotExist:
            problem = (
                f"cannot {doing}: it is not there, or hidden from the token's owner; check the address and"
                " the token"
            )
            raise UserError(f"{self.address}: {problem}") from None
        except refused.CanvasException as error:
            raise UserError(
                f"{self.address}: Canvas did not {doing} ({_shown(error)}); correct that, and {AGAIN}"
            ) from None
        except requests.Timeout:
            raise UserError(f"{self.address}: gave no answer within {TIMEOUT[1]} s; later, {AGAIN}") from None
        except requests.ConnectionError:
            raise UserError(
                f"{self.address}: cannot be reached; check the address and the network, and {AGAIN}"
            ) from None
        except (requests.RequestException, ValueError, KeyError, TypeError, AttributeError):
            problem = f"the answer is not Canvas's (asked to {doing})"
            raise UserError(
                f"{self.address}: {problem}; expected the address of a course on Canvas"
            ) from None


def course_address(text: str) -> tuple[str, str]:
    """The address of Canvas itself, and the number of the course. Raises UserError for another address."""
    expected = "expected a course's address as the browser shows it, https://HOST/courses/NUMBER"
    try:
        parts = urlsplit(text.strip())
        path = re.match(r"(.*?)/courses/(\d+)(?:/|$)", parts.path)
        fits = (
            parts.scheme in ("https", "http")
            and bool(parts.hostname)
            and (parts.port is None or parts.port > 0)
        )
    except ValueError:
        fits, path = False, None
    if not fits or path is None or parts.username or parts.password:
        raise UserError(f"Canvas: {readable(text)!r} is not the address of a course; {expected}")
    if parts.scheme == "http" and parts.hostname not in HERE:
        raise UserError(
            f"Canvas: {readable(text)!r} would send the token unencrypted; expected an address with https"
        )
    return f"{parts.scheme}://{parts.netloc}{path[1]}", path[2]


def read_token(path: Path | None = None) -> str:
    """The token from this file, or from the environment. Raises UserError; never says what the token is."""
    help = (
        f"expected an access token of Canvas (Account → Settings → New access token) in {TOKEN} or in"
        " --token-file"
    )
    if path is None:
        text, place = os.environ.get(TOKEN, ""), TOKEN
        if not text:
            raise UserError(f"{TOKEN}: is not set; {help}")
    else:
        text, place = read_private(path, help).decode("ascii", errors="replace"), str(path)
    token = text.strip()
    if not re.fullmatch(r"[\x21-\x7e]+", token):
        raise UserError(f"{place}: holds no token; {help}")
    return token


def _may_not(error: refused.CanvasException, doing: str) -> str:
    if isinstance(error, refused.RateLimitExceeded) or "rate limit" in str(error).casefold():
        return f"Canvas limits how much one token may ask; wait a minute, and {AGAIN}"
    if isinstance(error, refused.InvalidAccessToken):
        return "Canvas does not accept the token; make a new one (Account → Settings → New access token)"
    return f"the token's owner may not {doing}; expected the token of a teacher of this course"


def _shown(error: object) -> str:
    """Canvas's own words, in one line."""
    return readable(str(error or "it gives no reason"))[:200]
