"""The whole corpus, judged once for all tests of this folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from judging import NUMBERED, Class, half, judge_class_apart, left_running, runs


@pytest.fixture(scope="session")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Class]]:
    root = tmp_path_factory.mktemp("hostile")
    halves = [[n for n, each in NUMBERED if half(each, n) == which and runs(each)] for which in (0, 1)]
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        yield list(processes.map(judge_class_apart, range(2), halves, [root / "one", root / "two"]))
    left_running()
    shutil.rmtree(root, ignore_errors=True)
