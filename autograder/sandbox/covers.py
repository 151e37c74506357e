"""What a sandbox must not show, and where it would be seen.

- Secret are the clone, the course (with its keys, gradebook and received work), and what else a grading
  names. A sandbox shows whole folders, such as /usr or a Python environment, and something secret may lie in
  one of them, by its own name, behind a link or by a bind mount.
- So each secret is looked up by its place in its file system, which is the same whatever it is called. The
  sandbox mounts an empty folder over every place where it would be seen, and what a runner needs from inside
  it is mounted again on top.
- Where that cannot be done, nothing is started.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.paths import ROOT, course_folder, read_course
from kqa_core.errors import UserError

PACKAGES = ("site-packages", "dist-packages")
# nbgrader's own choice for its exchange, and absolute paths in a course's settings
EXCHANGE = Path("/usr/local/share/nbgrader")
NAMED = re.compile(r"""["'](?:sqlite://)?(/[^"'\n]+)["']""")
MOUNTS = Path("/proc/self/mountinfo")


@dataclass(frozen=True)
class Place:
    """A place in a file system: the number of its device, and the path in it."""

    device: str
    path: Path

    def below(self, other: Place) -> Path | None:
        """The way from the other place down to this one; None if it does not lead there."""
        if self.device == other.device and self.path.is_relative_to(other.path):
            return self.path.relative_to(other.path)
        return None


@dataclass(frozen=True)
class Mount:
    """What is mounted at a point."""

    point: Path
    place: Place


def secret_places(more: Iterable[Path] = ()) -> tuple[Path, ...]:
    """The folders and files that no runner may see, without links: those of this installation and of this
    process's course, and these.
    """
    course = read_course()
    secret = {course_folder(), course.keys, course.sample_class, EXCHANGE, *more}
    if ROOT.name not in PACKAGES:  # installed there, it is a package as any other, and holds no keys
        secret.add(ROOT)
    for folder in list(secret):
        settings = folder / "nbgrader_config.py"
        if settings.is_file():
            secret |= {Path(name) for name in NAMED.findall(settings.read_text(errors="replace"))}
    found = sorted({path.resolve() for path in secret if path.exists()})
    return tuple(path for path in found if not any(other in path.parents for other in found))


def covers(shown: Sequence[str], needed: Sequence[str], secret: Sequence[Path]) -> list[Path]:
    """Where something secret would be seen in a sandbox that shows these folders. `needed` are those of
    `shown` that may lie inside something secret. Raises UserError where it cannot be hidden.
    """
    mounts, found = _mounts(), set()
    for path in secret:
        for hidden in (_place(path, mounts), *(each.place for each in mounts if path in each.point.parents)):
            for view in _views(shown, mounts):
                down = hidden.below(view.place)
                if down is not None:
                    found.add(view.point / down)
                elif view.place.below(hidden) is not None and str(view.point) not in needed:
                    found.add(view.point)  # a part of it, by another name
    for cover in found:
        inside = [name for name in shown if Path(name).is_relative_to(cover) and name not in needed]
        if str(cover) in shown or inside:
            raise UserError(
                f"{cover}: holds the course or what students hand in, and files that each runner must see"
                f" ({inside[0] if inside else cover}); move the course to a folder of its own"
            )
    return sorted(found)


def _views(shown: Sequence[str], mounts: Sequence[Mount]) -> list[Mount]:
    """What is seen in these folders: each of them, and what is mounted in it."""
    views = []
    for name in shown:
        real = Path(name).resolve()
        views.append(Mount(Path(name), _place(real, mounts)))
        views += [
            Mount(Path(name) / each.point.relative_to(real), each.place)
            for each in mounts
            if real in each.point.parents
        ]
    return views


def _mounts() -> list[Mount]:
    mounts = []
    for line in MOUNTS.read_text().splitlines() if MOUNTS.exists() else ():
        _, _, device, root, point, *_ = map(_plain, line.split())
        mounts.append(Mount(Path(point), Place(device, Path(root))))
    return mounts


def _place(path: Path, mounts: Sequence[Mount]) -> Place:
    """Where a path without links lies: in the mount that is deepest, and of those the last."""
    best = Mount(Path("/"), Place("", Path("/")))
    for each in mounts:
        if path.is_relative_to(each.point) and len(each.point.parts) >= len(best.point.parts):
            best = each
    return Place(best.place.device, best.place.path / path.relative_to(best.point))


def _plain(text: str) -> str:
    """A path as it is: in the list of mounts, blanks and the like are octal."""
    return re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), text)
