"""The archives in which learning platforms hand out what a class submitted: whose each file is, and when.

- Canvas (*Download Submissions*): `NAME_LATE_USER_UPLOAD_FILE` for each file. NAME is the student's sortable
  name without spaces and commas, USER the number in the column ID of Canvas's gradebook, UPLOAD a number that
  grows with each upload. A second upload of FILE is called FILE-1. There are no times.
- Moodle (*Download all submissions*): a folder `FULL NAME_PARTICIPANT_assignsubmission_file_` for each
  student, or the same in front of the file's name. PARTICIPANT is in the column Identifier of the grading
  worksheet, which also has the times.
- Gradescope (*Export Submissions*): a folder for each submission and `submission_metadata.yml`, which says by
  whom and when.
- A zip of one's own: the student's name is a folder on the path.

The names and bytes in an archive come from students. No name is ever used as a path. Bytes are read up to the
limit of a notebook and never unpacked to the disk. What is no plain file, or packed by other means than the
platforms use, is not read.
"""

from __future__ import annotations

import json
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.intake import Refused, shown
from kqa_core.errors import UserError

PLATFORMS = ("canvas", "moodle", "gradescope", "zip")
MOST_MEMBERS = 50_000
LARGEST_METADATA = 64 * 2**20  # bytes: it holds the output of each autograder
PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # the others cannot be read piece by piece
METADATA = "submission_metadata.yml"
CANVAS = re.compile(r"(?P<name>.+?)(?P<late>_LATE)?_(?P<user>\d+)_(?P<upload>\d+)_(?P<file>.+)", re.DOTALL)
MOODLE = re.compile(
    r"(?:.*/)?(?P<name>[^/]+)_(?P<participant>\d+)_assignsubmission_(?P<what>[a-z]+)_?/?(?P<file>.+)",
    re.DOTALL,
)

# what a platform says of a student: kinds of names ("canvas", "participant", "email", "sid", "name", "any"),
# each with the name
Who = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Entry:
    """One file of an archive that may be a submission."""

    member: zipfile.ZipInfo
    file: str  # its name, as the student or the platform gave it
    who: Who  # the surest first
    when: float | None = None  # by the platform's clock, seconds since 1970
    late: bool | None = None  # what the platform says; None if it says nothing
    order: int = 0  # by which uploads of one student come one after the other; 0 if nothing says it
    folder: str = ""  # what was submitted together

    @property
    def shown(self) -> str:
        """Its name in the archive, for a line."""
        return shown(self.member.filename, 120)


@dataclass
class Archive:
    """An opened archive: what may be submissions, and a line for each file that is none."""

    zip: zipfile.ZipFile
    entries: list[Entry] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    def read(self, entry: Entry, limits: Limits) -> bytes:
        """The bytes of an entry. Raises Refused."""
        return _read(self.zip, entry.member, limits.notebook)


@contextmanager
def opened_archive(path: Path, platform: str) -> Iterator[Archive]:
    """An archive of a platform. Raises UserError if it is none."""
    try:
        with zipfile.ZipFile(path) as packed:
            members = packed.infolist()
            if len(members) > MOST_MEMBERS:
                raise UserError(f"{path}: holds {len(members)} files; expected at most {MOST_MEMBERS}")
            archive = Archive(packed)
            _sort(archive, platform, [one for one in members if not _noise(one.filename)], path)
            yield archive
    except zipfile.BadZipFile as error:
        raise UserError(
            f"{path}: is no zip archive ({error}); expected the platform's download as it is"
        ) from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror or error})") from None


def _sort(archive: Archive, platform: str, members: Sequence[zipfile.ZipInfo], path: Path) -> None:
    metadata = _metadata(archive.zip, members, path) if platform == "gradescope" else ("", {})
    for member in members:
        if member.is_dir() or (platform == "gradescope" and member.filename.endswith(METADATA)):
            continue
        why = _unsafe(member)
        entries = [] if why else _entries(platform, member, *metadata)
        archive.entries += entries
        if not entries:
            why = why or f"is not named as {platform.capitalize()} names a submission"
            archive.others.append(f"{shown(member.filename, 120)}: {why}")


def _entries(
    platform: str, member: zipfile.ZipInfo, root: str, submissions: dict[str, Submission]
) -> list[Entry]:
    name = member.filename
    if platform == "canvas":
        if (found := CANVAS.fullmatch(name.rpartition("/")[2])) is None:
            return []
        who = (("canvas", found["user"]), ("name", found["name"]))
        return [Entry(member, found["file"], who, None, bool(found["late"]), int(found["upload"][:18]))]
    if platform == "moodle":
        if (found := MOODLE.fullmatch(name)) is None or found["what"] != "file":
            return []
        who = (("participant", found["participant"]), ("name", found["name"]))
        return [Entry(member, found["file"].rpartition("/")[2], who)]
    *folders, file = name.split("/")
    if platform == "zip":
        return [Entry(member, file, tuple(("any", folder) for folder in folders))] if folders else []
    folder = name.removeprefix(root).partition("/")[0]
    submission = submissions.get(folder) if name.startswith(root) else None
    if submission is None:
        return []
    return [Entry(member, file, who, submission.when, folder=folder) for who in submission.submitters]


def _noise(name: str) -> bool:
    """Whether a file is one that macOS adds."""
    return any(part.startswith("._") or part in ("__MACOSX", ".DS_Store") for part in name.split("/"))


def _unsafe(member: zipfile.ZipInfo) -> str | None:
    """Why a member is not read; None if it may be."""
    mode = member.external_attr >> 16
    if mode and not stat.S_ISREG(mode) and stat.S_IFMT(mode):
        return "is no plain file"
    if member.flag_bits & 1:
        return "is encrypted"
    return None if member.compress_type in PACKED else "is packed in a way that no platform uses"


def _read(packed: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    """The bytes of a member. What its header says of its size is not believed. Raises Refused."""
    try:
        with packed.open(member) as file:
            data = file.read(most + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError) as error:
        raise Refused(f"cannot be unpacked ({type(error).__name__}); download the archive again") from None
    if len(data) > most:
        raise Refused(f"has more than {most / 2**20:g} MiB; clear its outputs and submit it again")
    return data


@dataclass
class Submission:
    """What Gradescope's metadata say of a submission."""

    submitters: list[Who] = field(default_factory=list)
    when: float | None = None


def _metadata(
    packed: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo], path: Path
) -> tuple[str, dict[str, Submission]]:
    """The folder of Gradescope's metadata, and the submissions in them."""
    files = [one for one in members if one.filename.rpartition("/")[2] == METADATA and _unsafe(one) is None]
    if not files:
        raise UserError(f"{path}: holds no {METADATA}; expected the archive of *Export Submissions*")
    file = min(files, key=lambda one: one.filename.count("/"))  # a student may submit one of that name
    try:
        text = _read(packed, file, LARGEST_METADATA).decode("utf-8-sig")
    except (Refused, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {METADATA} cannot be read ({error}); export the archive again") from None
    return file.filename.removesuffix(METADATA), submissions_in(text)


def submissions_in(text: str) -> dict[str, Submission]:
    """The submissions in Gradescope's metadata: submitters, and the time. All else is passed over.

    The file is YAML as Ruby writes it: a key a line, two spaces for each level. A full parser would also
    build what each autograder printed.
    """
    found: dict[str, Submission] = {}
    submission, block, person = Submission(), "", dict[str, str]()
    for line in text.splitlines():
        if top := re.fullmatch(r"(\S.*?):\s*", line):
            submission, block = found.setdefault(_scalar(top[1]), Submission()), ""
        elif field_of := re.fullmatch(r"  :(\w+):(?:\s+(.*))?", line):
            block = field_of[1]
            if block == "created_at":
                submission.when = _time(_scalar(field_of[2] or ""))
        elif block == "submitters" and (value := re.fullmatch(r"  (?:  )?(-| ) :(\w+):\s*(.*)", line)):
            if value[1] == "-":
                person = {}
                submission.submitters.append(())
            person[value[2]] = _scalar(value[3])
            kinds = [kind for kind in ("email", "sid", "name") if person.get(kind)]
            submission.submitters[-1:] = [tuple((kind, person[kind]) for kind in kinds)]
    return found


def _scalar(text: str) -> str:
    """A value of YAML on one line."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return str(json.loads(re.sub(r"\\x(..)", r"\\u00\1", text)))
        except ValueError:
            return text[1:-1]
    return "" if text in ("~", "null") else text


def _time(text: str) -> float | None:
    """A time of YAML, such as 2026-11-20 22:58:01.123456789 Z; in UTC if it names no zone."""
    match = re.fullmatch(r"(\d{4}-\d\d-\d\d)[T ]+(\d\d:\d\d:\d\d)(\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?", text)
    if match is None:
        return None
    zone = "+00:00" if match[4] in (None, "Z") else match[4]
    try:
        when = datetime.fromisoformat(f"{match[1]}T{match[2]}{(match[3] or '')[:7]}{zone}")
    except ValueError:
        return None
    return when.astimezone(UTC).timestamp()
