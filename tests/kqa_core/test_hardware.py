"""How many cores there are to use."""

from __future__ import annotations

import os

import pytest

from kqa_core.hardware import cores


@pytest.mark.parametrize("told", ["", "0", "default", "-1"])
def test_it_is_as_many_as_the_process_may_use(monkeypatch, told):
    monkeypatch.setenv("PYTHON_CPU_COUNT", told)
    if hasattr(os, "sched_setaffinity"):
        allowed = os.sched_getaffinity(0)
        assert cores() == len(allowed)
        os.sched_setaffinity(0, {min(allowed)})
        try:
            assert cores() == 1
        finally:
            os.sched_setaffinity(0, allowed)
    else:
        assert cores() == os.cpu_count()


def test_or_as_many_as_pythons_own_variable_says(monkeypatch):
    monkeypatch.setenv("PYTHON_CPU_COUNT", "7")
    assert cores() == 7
