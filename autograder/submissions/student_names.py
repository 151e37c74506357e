"""The names of students: those of their folders, where these can be used everywhere, else a safe spelling."""

from __future__ import annotations

import hashlib
import os
import re

MANIFEST = "manifest.jsonl"  # of the store, beside the students' folders in it
LONGEST_NAME = 100
BAD_NAME = (
    f"the student's folder has a name that cannot be used; expected at most {LONGEST_NAME} letters, digits"
    " and signs that show, with no dot, dash or space in front"
)
SAFE_SPELLING = re.compile(r"~[0-9a-f]{8}$")


def safe_name(name: str) -> str:
    """The student's name for a folder's name: the name itself, or a safe spelling that no usable name has."""
    if usable_name(name):
        return name
    clean = "".join(
        letter if letter.isprintable() and letter not in '~<>"' else "_" for letter in name
    ).strip(" .-")[:80]
    clean = clean.encode()[:LONGEST_NAME].decode(errors="ignore")  # a folder's name has at most 255 bytes
    return f"{clean or 'student'}~{hashlib.sha256(os.fsencode(name)).hexdigest()[:8]}"


def logged_name(name: str) -> str:
    """A student's name for a line of the log: letters, digits and a few signs as they are, anything else as %
    and its number. So no name can look like the rest of a line, or like another name.
    """
    return "".join(
        letter if letter.isalnum() or letter in "._@+-~" else f"%{ord(letter):02X}" for letter in name
    )


def usable_name(name: str) -> bool:
    """Whether a folder's name can be a student's name as it is."""
    return (
        0 < len(name) <= LONGEST_NAME
        and name.isprintable()
        and name[0] not in ".- "
        and name[-1] != " "
        and name.casefold() != MANIFEST
        and not any(letter in '<>"' for letter in name)  # formgrader writes names into its pages as they are
        and SAFE_SPELLING.search(name) is None
    )
