"""Model answers: what `solution("average_two")` shows,
and how an answer stays unreadable until its reader may see it.

- A key that the visible check's verdict yields would be no lock. The check is readable and what it expects is
  public, so the key could be computed without any answer. So a student's copy must hold no key at all, and
  the instructor decides.
- `kqa course build` puts `NAME_locked.json` beside the released notebook NAME. Each answer in it is sealed
  with a code of its own, which is made from the course's secret key. The feedback page of a right answer has
  the code.
- When everybody may read them, the instructor hands out a file `NAME_answers.json`, which is read before the
  locked one (`kqa course solutions`). No file can open itself on a date: it would have to hold its keys, and
  the clock is the reader's.
- In the course's own folder (a clone, for self-study) the answer keys lie open. There, a right answer in the
  progress is enough, and the model answer of a written exercise is always shown. If the check in the notebook
  cannot decide everything, the first line says what to compare.
- `seal` is deterministic authenticated encryption, the SIV construction (Rogaway and Shrimpton 2006), from
  the standard library, because no library for cryptography is installed with the course. The tag is
  HMAC-SHA256 of the text, the keystream SHAKE-256 of a key made from code and tag. So the same text gives the
  same file, a corrected text gets another keystream, and a wrong code is noticed. A code has 130 random bits,
  so guessing is hopeless. The length of an answer is not hidden.
- An answer that a code has opened is kept in `.kqa/solutions/`.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
import os
from dataclasses import dataclass
from pathlib import Path

from kqa_core.check.exercise import Exercise, Outcome
from kqa_core.check.progress_store import ProgressStore, Record
from kqa_core.check.registry import notebook_folder
from kqa_core.errors import UserError
from kqa_core.files import write_whole
from kqa_core.lazy import SOLUTIONS, plugins

# beside the notebook NAME: NAME_answers.json, else NAME_locked.json, else that of an earlier edition
OPEN, LOCKED, EARLIER = "_answers.json", "_locked.json", "_solutions.json"
SUFFIXES = (OPEN, LOCKED, EARLIER)
COMPARE = "Your answer passes the first check, which cannot decide {}: compare."
AGAIN = "get the file that came with your notebook"
TAG = 32  # bytes


@dataclass(frozen=True)
class ModelAnswer:
    """A model answer with its commentary, in Markdown."""

    exercise: Exercise
    text: str

    def __str__(self) -> str:
        title = (
            f"{self.exercise.title} (`{self.exercise.id}`)"
            if self.exercise.title
            else f"`{self.exercise.id}`"
        )
        return f"**Model answer: {title}**\n\n{self.text.strip()}"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """For a notebook: a quotation, in which code and formulas look as in the notebook's text.
        Plain text elsewhere.
        """
        # As tags: a ">" before each line would get into formulas of several lines.
        return {"text/plain": str(self), "text/markdown": f"<blockquote>\n\n{self}\n\n</blockquote>"}


def find_answer(exercise: Exercise, code: str | None, store: ProgressStore) -> ModelAnswer | str:
    """The model answer of an exercise, or the line that says why it cannot be read yet.

    Raises UserError for a wrong code, and for a file that is damaged or of another course.
    """
    name, home = exercise.id, notebook_folder(exercise.id)
    # the course's own folder
    if home.parent.name == "source" and (home.parents[1] / "nbgrader_config.py").is_file():
        if not exercise.written and store.read().get(name, Record()).best is not Outcome.RIGHT:
            return (
                f'{name}: not solved yet: a right answer opens the model answer; until then, hint("{name}")'
                " helps"
            )
        compare = f"*{COMPARE.format(exercise.decided_later)}*\n\n" if exercise.decided_later else ""
        for answer in plugins(SOLUTIONS).values():
            return ModelAnswer(exercise, f"{compare}{answer(name, home.parents[1])}")
    kept = store.place / "solutions" / f"{name}.md"
    # the folder may have been given another name
    there = [path for suffix in SUFFIXES for path in sorted(home.glob(f"*{suffix}"))]
    path = there[0] if there else home / f"{home.name}{LOCKED}"
    if code is None and kept.is_file():
        return ModelAnswer(exercise, kept.read_text(encoding="utf-8", errors="replace"))
    if not path.is_file():
        return f"{name}: there is no {path.name} beside the notebook: ask your instructor for it"
    course, mark, answers = _read(path)
    if name not in answers:
        raise UserError(
            f"{path.name}: belongs to another course or edition ({course}), without {name}: {AGAIN}"
        )
    if not mark:
        return ModelAnswer(exercise, answers[name])
    if code is None:
        opens = (
            f'the feedback page of a right answer has the line that opens it, solution("{name}", code="…")'
        )
        return f"{name}: the model answer is locked: {opens}"
    code = "".join(str(code).split()).lower()
    if "-" in code and code.partition("-")[0] != mark:
        raise UserError(
            f"{name}: this code belongs to another course or edition than {path.name} ({course}): {AGAIN}"
        )
    text = unseal(code, answers[name])
    if text is None:
        raise UserError(f"{name}: this code does not open it: copy the whole line from your feedback page")
    if "NBGRADER_EXECUTION" not in os.environ:
        with contextlib.suppress(OSError):  # where nothing can be kept, the code is needed again
            write_whole(kept, text, 0o600)
    return ModelAnswer(exercise, text)


def seal(code: str, text: str) -> str:
    """`text`, unreadable without `code`, as Base64."""
    data = text.encode()
    tag = hmac.digest(code.encode(), b"tag" + data, hashlib.sha256)
    return base64.b64encode(tag + _masked(code, tag, data)).decode()


def unseal(code: str, sealed: str) -> str | None:
    """The text that `seal` was given with this code; None for another code, or for what was changed."""
    try:
        raw = base64.b64decode(sealed)
    except ValueError:
        return None
    tag, data = raw[:TAG], _masked(code, raw[:TAG], raw[TAG:])
    whole = hmac.compare_digest(tag, hmac.digest(code.encode(), b"tag" + data, hashlib.sha256))
    return data.decode() if whole else None


def _masked(code: str, tag: bytes, data: bytes) -> bytes:
    stream = hashlib.shake_256(hmac.digest(code.encode(), b"stream" + tag, hashlib.sha256)).digest(len(data))
    return bytes(one ^ other for one, other in zip(data, stream, strict=True))


def _read(path: Path) -> tuple[str, str, dict[str, str]]:
    """The course's title, the mark with which its codes begin
    (empty: the answers are open), and the answers.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        answers = {str(name): str(text) for name, text in content["answers"].items()}
        return str(content["course"]), str(content["mark"]), answers
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(f"{path.name}: cannot be read or is damaged: {AGAIN}") from None
