"""What a person gets wrong on the command line: one clear line, exit status 2, nothing half-written."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "nowhere.ipynb"], "nowhere.ipynb: no such file"),
        (["check", "."], ".: is a folder"),
        (["check", "broken.ipynb"], "broken.ipynb: is not a notebook"),
        (["check", "utf16.ipynb"], "utf16.ipynb: is not a notebook"),
        (["check", "other.ipynb"], "other.ipynb: has no exercise of this course"),
        (["bench", "no_such_benchmark"], "bench: "),
        (["course", "solutions"], "course solutions: name the notebooks"),
        (["course", "solutions", "-n", "01", "--from", "soon"], "--from soon: is no time"),
        (["course", "grade", "01", "--sandbox", "none"], "sandbox 'none': no such tier"),
    ],
)
def test_one_line_and_status_2(tmp_path, arguments, said, kqa_in_process, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.ipynb").write_text("{")
    (tmp_path / "utf16.ipynb").write_text("{}", encoding="utf-16")
    (tmp_path / "other.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    before = sorted(tmp_path.iterdir())
    status, printed = kqa_in_process(*arguments)
    assert (status, printed.out) == (2, "")
    [line] = printed.err.splitlines()
    assert line.startswith(f"kqa: {said}")
    assert sorted(tmp_path.iterdir()) == before


def test_a_time_limit_that_is_none_is_refused(tmp_path, kqa_in_process, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, printed = kqa_in_process("check", "x.ipynb", "--seconds", "0")
    assert status == 2
    assert "Traceback" not in printed.err
