"""A student as in the roster."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Person:
    """A student as in the roster; a field is empty if the roster does not have it."""

    id: str
    first: str = ""
    last: str = ""
    email: str = ""
    section: str = ""

    @property
    def name(self) -> str:
        """First and last name; empty if there is none."""
        return f"{self.first} {self.last}".strip()

    @property
    def sorted_name(self) -> str:
        """Such as "Lovelace, Ada"; empty if there is no name."""
        return ", ".join(part for part in (self.last, self.first) if part)
