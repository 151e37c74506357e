"""What a person gets wrong on the command line: one clear line, exit status 2, nothing half-written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def kqa(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kqa_core.cli", *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "nowhere.ipynb"], "nowhere.ipynb: no such file"),
        (["check", "."], ".: is a folder"),
        (["check", "broken.ipynb"], "broken.ipynb: is no notebook"),
        (["check", "utf16.ipynb"], "utf16.ipynb: is no notebook"),
        (["check", "other.ipynb"], "other.ipynb: has no exercise of this course"),
        (["bench", "no_such_benchmark"], "bench: "),
        (["course", "grade", "01", "--sandbox", "none"], "sandbox 'none': no such tier"),
    ],
)
def test_one_line_and_status_2(tmp_path, arguments, said):
    (tmp_path / "broken.ipynb").write_text("{")
    (tmp_path / "utf16.ipynb").write_text("{}", encoding="utf-16")
    (tmp_path / "other.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    before = sorted(tmp_path.iterdir())
    done = kqa(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith(f"kqa: {said}")
    assert sorted(tmp_path.iterdir()) == before


def test_a_time_limit_that_is_none_is_refused(tmp_path):
    done = kqa("check", "x.ipynb", "--seconds", "0", cwd=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
