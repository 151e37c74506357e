"""One attempt to escape from the sandbox: a cell of Python that runs in a runner, as a student's code does.

The cell defines `attempt(told)`. It returns False or an empty list if it achieved nothing.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass


@dataclass(frozen=True)
class Attempt:
    """One attempt. `leaves` is a cell, run in the next runner, that looks for what the first one left."""

    name: str
    source: str
    leaves: str | None = None
    seconds: float = 8.0
    beyond: tuple[str, ...] = ()  # tiers that do not claim to stop it


# A container also holds the process that forks its runners, which knows nothing, and limits files by its
# memory alone.
CONTAINERS = ("container",)


def _body(text: str) -> str:
    return "def attempt(told):\n" + textwrap.indent(textwrap.dedent(text).strip() + "\n", "    ")


def attempt(
    name: str, text: str, leaves: str | None = None, seconds: float = 8.0, beyond: tuple[str, ...] = ()
) -> Attempt:
    """An attempt from the body of its function."""
    return Attempt(name, _body(text), None if leaves is None else _body(leaves), seconds, beyond)


def system_call(name: str, *arguments: str) -> Attempt:
    """A system call that must be refused."""
    return attempt(
        f"the system call {name}",
        f"""
        import ctypes, sys
        libc, scmp = ctypes.CDLL(None, use_errno=True), ctypes.CDLL("libseccomp.so.2")
        number = scmp.seccomp_syscall_resolve_name(b"{name}")
        if number < 0:
            return False
        done = libc.syscall(number, {", ".join(arguments)})
        return False if done == -1 and ctypes.get_errno() in (1, 38, 97) else [done, ctypes.get_errno()]
        """,
    )
