"""Accounts of this machine for a test, and what people with accounts put into nbgrader's exchange."""

from __future__ import annotations

import os
import pwd
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ADA, BO, MAL = "kqa_test_ada", "kqa_test_bo", "kqa_test_mal"
TIME = "2026-11-20 12:00:00.000000 UTC"


@contextmanager
def accounts(*names: str) -> Iterator[None]:
    """These accounts, made for a test and removed after it. Skips where that is not possible."""
    if os.geteuid() != 0:
        pytest.skip("only root can make accounts")
    made = []
    try:
        for name in names:
            command = ["useradd", "--no-create-home", "--shell", "/usr/sbin/nologin", name]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                pytest.skip(f"no accounts can be made here: {done.stderr.strip()}")
            made.append(name)
        yield
    finally:
        for name in made:
            subprocess.run(["userdel", name], capture_output=True, check=False)


def give(path: Path, owner: str | int) -> None:
    """Make a path, and what lies in it, somebody's."""
    uid = owner if isinstance(owner, int) else pwd.getpwnam(owner).pw_uid
    for one in [path, *(path.rglob("*") if path.is_dir() and not path.is_symlink() else ())]:
        os.lchown(one, uid, -1)


def put(inbound: Path, claimed: str, notebook: str, text: str, owner: str | int, time: str = TIME) -> Path:
    """Submit, as `nbgrader submit` does, under a name that need not be the owner's. Returns the folder."""
    folder = inbound / f"{claimed}+{notebook}+{time}+{secrets.token_hex(4)}"
    aside = inbound.parent / "aside"
    aside.mkdir()
    (aside / f"{notebook}.ipynb").write_text(text)
    (aside / "timestamp.txt").write_text(time)
    (aside / "submission_secret.txt").write_text(secrets.token_hex(64))
    for file in aside.iterdir():
        file.chmod(0o644)
    give(aside, owner)
    aside.chmod(0o777)
    aside.rename(folder)
    return folder


def secret_of(folder: Path) -> str:
    """The secret that a submission came with."""
    return (folder / "submission_secret.txt").read_text()
