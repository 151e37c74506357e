"""Numbers and codes made from the course's secret key: the seeds of checks' random inputs, and the codes of
model answers and of second looks.

- seed = HMAC-SHA256(course key, version|student|exercise|which check|digest of the code), its first 63 bits:
  the same on a regrade, and another one for a student's next submission if a character of its code differs.
- code = mark-secret: the secret is HMAC-SHA256(course key, solution|exercise), its first 130 bits. All codes
  of a course begin with the same mark, so that a code of another course can be told from a wrong one.
- The code of a second look belongs to one student's answer in one version, and to its mark and comment: when
  these change, the code says so, and nobody can make one for another's answer.
- The key is made once per course and lies in `notebooks/.course_key`, readable by its owner alone; git
  ignores it.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
import os
import secrets
from dataclasses import astuple, dataclass
from pathlib import Path

from kqa_core.errors import UserError

FIXED_KEY = bytes(32)  # for answers that belong to no student: tried from a file, proved, or known
VERSION = "1"  # of the course's exercises: raise it to draw new inputs for everyone


def course_key(path: Path) -> bytes:
    """The key in the file at `path`, made there if there is none.
    Raises UserError if the file is damaged or cannot be made.
    """
    if not path.exists():
        try:
            _make_key(path)
        except OSError as error:
            raise UserError(
                f"{path}: cannot be written ({error.strerror}); look at the disk and the folder's owner"
            ) from None
    try:
        key = bytes.fromhex(path.read_text().strip())
    except ValueError:
        key = b""
    if len(key) != 32:
        raise UserError(
            f"{path}: is no course key (64 hexadecimal digits); restore the file, or delete it for new random"
            " inputs"
        )
    return key


def _make_key(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex(32) + "\n")
        with contextlib.suppress(FileExistsError):  # the first one made stays
            os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def seed_for(key: bytes, student: str, exercise: str, check: str, code: str) -> int:
    """The seed of one check ("visible", "hidden", …) of one exercise, for one student's submission.

    `code` is the digest of all code that the submission runs: what a student learns of the inputs of one
    submission says nothing about those of another.
    """
    text = "|".join((VERSION, student, exercise, check, code))
    return int.from_bytes(hmac.digest(key, text.encode(), hashlib.sha256)[:8], "big") >> 1


def course_mark(key: bytes) -> str:
    """The four characters with which the codes of a course begin."""
    return _letters(key, "course")[:4]


def unlock_code(key: bytes, exercise: str) -> str:
    """The code that opens the model answer of `exercise`: the same for every student."""
    return f"{course_mark(key)}-{_letters(key, f'solution|{exercise}')[:26]}"


@dataclass(frozen=True)
class MarkedAnswer:
    """A student's answer in one version of a notebook."""

    student: str
    notebook: str
    exercise: str
    sha256: str  # of the version


def mark_letters(key: bytes, mark: float, comment: str | None) -> str:
    """Four letters that stand for a mark and a person's comment."""
    return _letters(key, f"mark|{mark:g}|{comment or ''}")[:4]


def second_look_code(key: bytes, answer: MarkedAnswer, mark: str) -> str:
    """The code with which its student asks for a second look at an answer with this mark (`mark_letters`)."""
    letters = _letters(key, f"second look|{json.dumps([*astuple(answer), mark])}")
    return f"{mark}-{letters[:4]}-{letters[4:8]}"


def _letters(key: bytes, text: str) -> str:
    """HMAC-SHA256 in letters and digits, five bits each."""
    return (
        base64.b32encode(hmac.digest(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256))
        .decode()
        .lower()
    )
