"""Try every mutant of the judge: `python tests/mutants/run_mutants.py [decides|records]`;
with `--one-in 5`, a fifth of them.

- One process imports everything, runs the chosen tests once, and notes which lines each of them passes. Then
  it forks for each mutant: the child puts the mutant in and runs the tests that pass its lines until one
  fails, first those that are quick for how often they killed another mutant of the same function.
- A share is drawn from the text of the judge and of its tests, so that every change of either draws another.
- A mutant is killed where a test fails, the process dies, or a test does not end. What survives is listed;
  the status is 1 where a survivor is not in `judge_mutants.EQUIVALENT`.
- The judge's own code runs, mutated, with the runners of `forked` in place of those in a sandbox.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import hashlib
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from forked import ForkLauncher
from judge_mutants import EQUIVALENT, HALVES, Half
from mutating import Mutant

TESTS = Path(__file__).resolve().parents[1]
KEPT = {"empty"}  # fixtures that are made once, before the forks
SLOWER = 10  # times what it took without a mutant, and
TEST_SECONDS = 4  # this much more: a test that takes longer does not end
SURVIVED = "survived"


class Trial:
    """A plugin of pytest that runs the tests once as they are, and then once for each mutant."""

    def __init__(self, half: Half, one_in: int = 1) -> None:
        self.half, self.mutants = half, share(half, one_in)
        self.survivors: list[Mutant] = []
        self.problems: list[str] = []
        self.killed_by: dict[str, str] = {}
        self._values: dict[str, Any] = {}
        self._seconds: dict[pytest.Item, float] = {}
        self._passes: dict[tuple[str, int], set[pytest.Item]] = {}
        self._kills: Counter[tuple[str, str, str]] = Counter()  # by module, function and test

    @pytest.hookimpl(tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Any:
        """A kept fixture gives what it gave the first time."""
        if fixturedef.argname not in self._values:
            return None
        value = self._values[fixturedef.argname]
        fixturedef.cached_result = (value, fixturedef.cache_key(request), None)
        return value

    @pytest.hookimpl
    def pytest_fixture_post_finalizer(self, fixturedef: Any, request: Any) -> None:
        """Keep the value of a fixture that is made once."""
        if fixturedef.argname in KEPT and fixturedef.cached_result is not None:
            self._values.setdefault(fixturedef.argname, fixturedef.cached_result[0])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of pytest's own loop."""
        for plugin in session.config.pluginmanager.get_plugins():
            if hasattr(plugin, "ForkServerLauncher") and hasattr(plugin, "problem_with"):
                # the judge's tests' conftest
                plugin.ForkServerLauncher, plugin.problem_with = ForkLauncher, lambda tier: None
        items = [item for item in session.items if not any(part in item.nodeid for part in self.half.without)]
        self._as_it_is(items)
        gc.collect()
        gc.freeze()  # a child copies less where nothing is collected
        if not self.problems:
            for number, mutant in enumerate(self.mutants, 1):
                end = self._tried(mutant)
                if end == SURVIVED:
                    self.survivors.append(mutant)
                self.killed_by[mutant.name] = end
                self._kills[mutant.module, mutant.function, end] += 1
                if number % 50 == 0 or end == SURVIVED:
                    print(
                        f"{number} of {len(self.mutants)} {mutant.name}: {end}", file=sys.stderr, flush=True
                    )
        return True

    def _as_it_is(self, items: list[pytest.Item]) -> None:
        files = {str(sys.modules[mutant.module].__file__) for mutant in self.mutants}
        for item, after in zip(items, [*items[1:], None], strict=True):
            start = time.perf_counter()
            with _traced(files) as lines:
                reports = runtestprotocol(item, nextitem=after, log=False)
            self._seconds[item] = time.perf_counter() - start
            self.problems += [
                f"{item.nodeid} fails without any mutant: {each.longrepr}" for each in reports if each.failed
            ]
            if not any(each.skipped for each in reports):
                for line in lines:
                    self._passes.setdefault(line, set()).add(item)

    def _tried(self, mutant: Mutant) -> str:
        """What became of a mutant: the test that killed it, how its process ended, or that it survived."""
        ours, theirs = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(ours)
                os.write(theirs, self._in_child(mutant).encode())
            finally:
                os._exit(0)
        os.close(theirs)
        with os.fdopen(ours) as pipe:
            said = pipe.read()
        os.waitpid(child, 0)
        return said or "its process died, or hung"

    def _in_child(self, mutant: Mutant) -> str:
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)
        try:
            mutant.put_in()
        except BaseException as error:
            return f"cannot be made: {error!r}"
        for name in ("autograder.judge.diagnose", *self.half.functions):
            for value in vars(sys.modules[name]).values():
                if hasattr(value, "cache_clear") and getattr(value, "__module__", "") == name:
                    value.cache_clear()
        file = str(sys.modules[mutant.module].__file__)
        chosen = {item for line in mutant.lines for item in self._passes.get((file, line), ())}
        kills = {item: self._kills[mutant.module, mutant.function, item.nodeid] for item in chosen}
        items = sorted(chosen, key=lambda item: self._seconds[item] / (1 + kills[item]))
        for item, after in zip(items, [*items[1:], None], strict=True):
            faulthandler.dump_traceback_later(TEST_SECONDS + SLOWER * self._seconds[item], exit=True)
            if any(report.failed for report in runtestprotocol(item, nextitem=after, log=False)):
                return item.nodeid
        return SURVIVED


@contextmanager
def _traced(files: set[str]) -> Iterator[set[tuple[str, int]]]:
    """The lines of these files that are passed meanwhile, in this thread."""
    lines: set[tuple[str, int]] = set()

    def within(frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            lines.add((frame.f_code.co_filename, frame.f_lineno))
        return within

    def entered(frame: FrameType, event: str, argument: object) -> Any:
        return within if frame.f_code.co_filename in files else None

    sys.settrace(entered)
    try:
        yield lines
    finally:
        sys.settrace(None)


def share(half: Half, one_in: int) -> list[Mutant]:
    """One in so many of a half's mutants, drawn by what the judge and its tests are now."""
    mutants = half.mutants()
    files = [
        *(Path(str(sys.modules[name].__file__)) for name in half.functions),
        *(TESTS / name for name in half.tests),
    ]
    drawn = random.Random(hashlib.sha256(b"".join(file.read_bytes() for file in files)).digest())
    chosen = set(drawn.sample(range(len(mutants)), -(-len(mutants) // one_in)))
    return [mutant for number, mutant in enumerate(mutants) if number in chosen]


def tried(name: str, one_in: int = 1) -> Trial:
    """Try one half's mutants, or a share of them."""
    half = HALVES[name]
    trial = Trial(half, one_in)
    with tempfile.TemporaryDirectory() as folder:
        options = [
            "-qq",
            "-s",
            "--no-summary",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "--basetemp",
            f"{folder}/pytest",
        ]
        code = pytest.main([*options, *(str(TESTS / file) for file in half.tests)], plugins=[trial])
    if code != 0 and not trial.problems:
        trial.problems.append(f"pytest ended with {code!r}")
    return trial


def told(name: str, trial: Trial) -> list[str]:
    """What came of it, in lines; the last is the count."""
    lines = [*trial.problems]
    lines += [
        f"{mutant}: {end}" for mutant, end in trial.killed_by.items() if end.startswith("cannot be made")
    ]
    alive = [mutant.name for mutant in trial.survivors]
    lines += [f"SURVIVED {mutant}" for mutant in alive if mutant not in EQUIVALENT]
    same = sum(mutant in EQUIVALENT for mutant in alive)
    killed = len(trial.killed_by) - len(alive)
    return [
        *lines,
        (
            f"{name}: {killed} of {len(trial.mutants)} mutants killed, {same} change nothing,"
            f" {len(alive) - same} survived"
        ),
    ]


def main() -> None:
    """Print what came of each half; status 1 where a mutant survived that should not."""
    parser = argparse.ArgumentParser(description="Try the mutants of the judge.")
    parser.add_argument("halves", nargs="*", help=f"which of {', '.join(HALVES)}; all, if none is named")
    parser.add_argument("--one-in", type=int, default=1, help="try one in so many")
    given = parser.parse_args()
    bad = False
    for name in given.halves or HALVES:
        lines = told(name, tried(name, given.one_in))
        print("\n".join(lines), flush=True)
        bad = bad or len(lines) > 1
    sys.exit(bad)


if __name__ == "__main__":
    main()
