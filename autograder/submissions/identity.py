"""Whose a submission is: what a folder's name claims, and what can be checked of it.

- In nbgrader's exchange every student may write into one folder, so a name there is a claim. The owner of the
  files decides: the account must be the student's. `people/accounts.csv` says whose an account is, where the
  two names differ. Files that others may write to are nobody's.
- Files of the account that grades, or of root, were put there by you, and are taken under the name that they
  bear. So are those of the one account that `shared_account` of course.toml names: where all
  servers of a hub run as one user, nothing but the name tells who wrote something.
- In a folder of your own (`submitted`, a download, `--from`), the name is what you or your platform say. Only
  what contradicts it counts: files that belong to another student of the course, or, if everybody may write
  into the folder, to anybody but the student.
- Where there is a roster, only its names are taken.
- What is not taken is *set aside*: it stays where it lies, nothing is entered for the student whose name it
  bears, and one line says why and what to do.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from autograder.submissions.intake import shown
from autograder.submissions.student_names import logged_name, safe_name

NO_ROSTER = "is not in the roster; import a roster that has this name, see docs/roster.md"
OPEN = "others may write into the file, so nobody can say who did; submit it again"


@dataclass(frozen=True)
class Identity:
    """What is known of the people of a course."""

    roster: frozenset[str] | None = None  # the students' names; None if there is no roster
    accounts: Mapping[str, str] = field(default_factory=dict)  # account → student, where the names differ
    shared_account: str = ""  # the account under which the servers of all students run
    known: Collection[str] = ()  # students from whom something was received before

    def unknown(self, student: str) -> str | None:
        """Why a name is not taken; None if it is."""
        return NO_ROSTER if self.roster is not None and student not in self.roster else None

    def impostor(self, student: str, facts: Sequence[os.stat_result]) -> str | None:
        """Why files of the exchange are not this student's; None if they are. `facts`: of the folder, and of
        each file in it that is used.
        """
        for fact in facts:
            if self.tells_nothing(fact):
                continue
            account = self._account_of(fact.st_uid)
            if account is None:
                return (
                    f"belongs to user {fact.st_uid}, who has no account on this machine;"
                    f" {self._what_to_set(None)}"
                )
            if self.student_of(account) != student:
                return f"belongs to {shown(account)}; {self._what_to_set(account)}"
        return None

    def changeable(self, facts: Sequence[os.stat_result]) -> str | None:
        """Why nobody can say who wrote files of the exchange; None if it is their owner."""
        others = stat.S_IWGRP | stat.S_IWOTH
        for fact in facts:
            if stat.S_ISREG(fact.st_mode) and fact.st_mode & others and not self.tells_nothing(fact):
                return OPEN
        return None

    def contradicted(
        self, student: str, facts: Sequence[os.stat_result], folder: os.stat_result
    ) -> str | None:
        """Why files in a class's folder are not this student's; None if nothing says so. `folder`: facts of
        the class's folder.
        """
        everybody = bool(folder.st_mode & stat.S_IWOTH)
        for fact in facts:
            if fact.st_uid == folder.st_uid or self.tells_nothing(fact):
                continue
            account = self._account_of(fact.st_uid)
            owner = None if account is None else self.student_of(account)
            others = owner in self._people
            if owner != student and (everybody or others):
                return f"belongs to {shown(account or f'user {fact.st_uid}')}; {self._what_to_set(account)}"
        return None

    def tells_nothing(self, fact: os.stat_result) -> bool:
        """Whether the owner of a file says nothing about the student: the account that grades, root, or the
        one that all students share.
        """
        shared = bool(self.shared_account) and self._account_of(fact.st_uid) == self.shared_account
        return shared or fact.st_uid in self._ours

    def has_account(self, student: str) -> bool:
        """Whether a student has an account on this machine."""
        names = [account for account, whose in self.accounts.items() if whose == student] or [student]
        return any(uid_of(name) is not None and self.student_of(name) == student for name in names)

    def student_of(self, account: str) -> str | None:
        """The student whose account it is; None if the account's name is that of another person's student."""
        if account in self.accounts:
            return self.accounts[account]
        return None if account in self.accounts.values() else account

    def _account_of(self, uid: int) -> str | None:
        if uid not in self._accounts:  # asked once: a directory of the network may be slow
            self._accounts[uid] = account_of(uid)
        return self._accounts[uid]

    @cached_property
    def _accounts(self) -> dict[int, str | None]:
        return {}

    @cached_property
    def _people(self) -> frozenset[str]:
        return frozenset(self.known) | (self.roster or frozenset()) | frozenset(self.accounts.values())

    @cached_property
    def _ours(self) -> frozenset[int]:
        return frozenset({0, os.geteuid() if hasattr(os, "geteuid") else 0})  # Windows knows no owners

    def _what_to_set(self, account: str | None) -> str:
        if account is None:
            return "grade on a machine that has the accounts of the hub"
        name = shown(account)
        return (
            f"if that is the student's account, write {name} and the student into people/accounts.csv; if all"
            f' students share it, set shared_account = "{name}" in course.toml'
        )


ANYBODY = Identity()


@dataclass(frozen=True)
class SetAside:
    """A submission that was not taken in."""

    student: str  # whose name it bears
    assignment: str
    why: str
    many: int = 1

    @property
    def line(self) -> str:
        """The line for the instructor."""
        more = f" ({self.many} submissions)" if self.many > 1 else ""
        return f"set aside: {logged_name(safe_name(self.student))}, {self.assignment}: {self.why}{more}"


def uid_of(account: str) -> int | None:
    """The number of an account; None if this machine has none of this name."""
    try:
        import pwd

        return pwd.getpwnam(account).pw_uid
    except (ImportError, KeyError, ValueError):
        return None


def account_of(uid: int) -> str | None:
    """The name of an account; None if this machine has none with this number."""
    try:
        import pwd

        return pwd.getpwuid(uid).pw_name
    except (ImportError, KeyError):
        return None
