"""`pytest --processor-time`: the processor seconds of each file of tests, and of the slowest tests.

They hardly depend on the machine's load, as seconds on a clock do. Counted is what the process of the tests
and the processes that it has waited for took, as user and as system; with pytest-xdist in all workers.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator

import pytest

TAKEN = "processor seconds"
SLOWEST = 40


def seconds() -> float:
    """What this process and its children that have ended took so far."""
    return sum(os.times()[:4])


class ProcessorTime:
    """A plugin of pytest: each report carries its seconds to the process that prints the summary."""

    def __init__(self) -> None:
        self.last = seconds()
        self.collecting: list[float] = []
        self.taken: Counter[str] = Counter()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Import and collection end here."""
        self.last = seconds()
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput[TAKEN] = self.last
        else:
            self.collecting.append(self.last)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Set-up, call and teardown of a test have a report each."""
        report = yield
        now = seconds()
        report.user_properties = [*report.user_properties, (TAKEN, now - self.last)]
        self.last = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up; a worker's reports come to the main process as well."""
        self.taken[report.nodeid] += dict(report.user_properties).get(TAKEN, 0)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """A worker of pytest-xdist has ended."""
        self.collecting.append(getattr(node, "workeroutput", {}).get(TAKEN, 0))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """All files and the slowest tests, the slowest first, in seconds."""
        files: Counter[str] = Counter()
        for test, taken in self.taken.items():
            files[test.partition("::")[0]] += taken
        files["(collection)"] = sum(self.collecting)
        terminalreporter.section(f"{TAKEN}: {sum(files.values()):.1f}")
        for name, taken in [*files.most_common(), *self.taken.most_common(SLOWEST)]:
            terminalreporter.line(f"{taken:8.2f} {name}")
