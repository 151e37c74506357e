"""A class through the exchange, the watcher and back, on two cores:
kqa bench classroom [--students N] [--burst N]

- Everybody submits notebook 01 at once, as on the evening it is due: the sample class's submissions in turns,
  the broken and the endless ones included. When all are answered, some of them submit again within one
  minute.
- The submissions go through a real exchange on the disk, in the layout of `nbgrader submit`;
  `kqa course watch` is a process. Whether a student was answered is read where `nbgrader fetch_feedback`
  looks: in the exchange, under the submission's secret.
- The time to answer runs from the moment when a submission lies in the exchange until its page has been
  released.
- Memory is that of the watcher's own process, which runs as long as the term: its peak while the first tenth
  of the answers went out, and while the last tenth did. The workers are new in every round.
"""

from __future__ import annotations

import argparse
import secrets
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil
from nbgrader.utils import notebook_hash

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from autograder.grading.answers import answers_of
from autograder.paths import COURSE, read_course
from autograder.submissions.store import manifest
from benchmarks._common import report
from benchmarks._graded import NOTEBOOK, new_course
from kqa_core.errors import UserError

STUDENTS, BURST = 300, 60
BURST_SECONDS, BAR_MINUTES = 60.0, 10.0
WORKERS = 2
WAITS = "Fetch the feedback again later"  # on the page of those who wait
FLAT = 1.1  # the last peak of memory against the first


@dataclass
class Classroom:
    """A course with an exchange, and what was submitted."""

    root: Path
    # student, number of the submission → when
    sent: dict[tuple[str, int], float] = field(default_factory=dict)
    secrets: dict[tuple[str, int], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.course = new_course(self.root / "course")
        (self.course / "keys").symlink_to(read_course().keys, target_is_directory=True)
        settings = (COURSE / "nbgrader_config.py").read_text(encoding="utf-8")
        exchange = self.root / "exchange"
        (self.course / "nbgrader_config.py").write_text(
            f'{settings}c.Exchange.root = "{exchange}"\n', encoding="utf-8"
        )
        self.inbound, self.feedback = exchange / "kqa" / "inbound", exchange / "kqa" / "feedback"
        self.inbound.mkdir(parents=True)
        samples = (read_course().sample_class / "submitted").iterdir()
        self.samples = sorted(
            path / NOTEBOOK for path in samples if (path / NOTEBOOK / f"{NOTEBOOK}.ipynb").is_file()
        )

    def submit(self, student: int, time_of_it: int) -> None:
        """Put a submission into the exchange, whole."""
        name, aside = f"s{student:03}", self.root / "aside"
        shutil.copytree(self.samples[(student + time_of_it - 1) % len(self.samples)], aside)
        stamp, secret = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f UTC"), secrets.token_hex(64)
        (aside / "timestamp.txt").write_text(stamp, encoding="utf-8")
        (aside / "submission_secret.txt").write_text(secret, encoding="utf-8")
        aside.rename(self.inbound / f"{name}+{NOTEBOOK}+{stamp}+{secrets.token_hex(6)}")
        self.sent[name, time_of_it] = time.time()
        self.secrets[name, time_of_it] = secret

    def answered(self) -> dict[tuple[str, int], float]:
        """When each submission was answered. The sample class's submissions differ,
        so each is a version of its own.
        """
        try:
            with answers_of(self.course) as answers:
                latest = answers.latest(10 * len(self.sent))
        except UserError:
            return {}
        found: dict[tuple[str, int], float] = {}
        for each in reversed(latest):  # a student's answers come in the order of the submissions
            number = 1 + sum(student == each.student for student, _ in found)
            found[each.student, number] = each.at
        return found

    def unanswered(self) -> list[tuple[str, int]]:
        """The submissions whose students find no feedback in the exchange."""
        found = []
        for place, secret in self.secrets.items():
            page = self.feedback / f"{notebook_hash(secret=secret, notebook_id=NOTEBOOK)}.html"
            if not page.is_file() or WAITS in page.read_text(encoding="utf-8"):
                found.append(place)
        return found


def main(arguments: Sequence[str] = ()) -> None:
    """Run the class, and print what became of it."""
    parser = argparse.ArgumentParser(
        prog="kqa bench classroom", description="A class through exchange, watcher and release."
    )
    parser.add_argument("--students", type=int, default=STUDENTS, metavar="N", help="size of the class")
    parser.add_argument(
        "--burst", type=int, default=BURST, metavar="N", help="of them, those who submit again in one minute"
    )
    asked = parser.parse_args(arguments)
    burst = min(asked.burst, asked.students)
    with tempfile.TemporaryDirectory(prefix="kqa-classroom-") as root:
        room = Classroom(Path(root))
        for student in range(asked.students):
            room.submit(student, 1)
        begin = time.time()
        with (room.root / "said.txt").open("w", encoding="utf-8") as said:
            watcher = started(room.course, said)
            try:
                memory = waited(room, watcher, asked.students)
                minutes = (time.time() - begin) / 60
                for student in range(burst):
                    room.submit(student, 2)
                    memory += waited(room, watcher, 0, BURST_SECONDS / burst)
                memory += waited(room, watcher, asked.students + burst)
            finally:
                watcher.send_signal(signal.SIGINT)
                watcher.wait()
        figures = measured(room, memory) | {"students": asked.students, "burst": burst, "minutes": minutes}
    show(figures)
    good = not figures["lost"] and not figures["unanswered"] and bool(figures["flat"])
    good = good and figures["burst_worst_s"] <= 60 * BAR_MINUTES
    lost = f"{figures['lost']} lost, {figures['unanswered']} unanswered"
    said = f"{asked.students} students: {lost}, {minutes:.0f} minutes for the class"
    headline = (
        f"{said}; {burst} in one minute: the last answered after {figures['burst_worst_s'] / 60:.1f} minutes"
    )
    report("classroom", figures, headline, "0 lost, 0 unanswered, memory flat; 60 within 10 minutes", good)
    if not good:
        raise SystemExit(1)


def started(course: Path, said: Any) -> subprocess.Popen[bytes]:
    """The watcher."""
    command = [sys.executable, "-m", "kqa_core.cli", "course", "watch", "-n", "01", "--course", str(course)]
    return subprocess.Popen([*command, "--workers", str(WORKERS), "--every", "5"], stdout=said)


def waited(
    room: Classroom, watcher: subprocess.Popen[bytes], answers: int, least: float = 0.0
) -> list[tuple[int, float]]:
    """Wait for so many answers, and at least so many seconds.
    Returns answers and megabytes, for each second.
    """
    end, seen, known = time.time() + least, [], -1
    while True:
        number = len(room.answered())
        seen.append((number, psutil.Process(watcher.pid).memory_info().rss / 2**20))
        if number >= answers and time.time() >= end:
            return seen
        if watcher.poll() is not None:
            raise SystemExit(
                f"the watcher ended with {watcher.returncode}: {(room.root / 'said.txt').read_text()[-2000:]}"
            )
        if number != known and answers:
            print(f"{number} of {answers} answered", file=sys.stderr, flush=True)
        known = number
        time.sleep(max(0.0, min(1.0, end - time.time())) if least else 1.0)


def measured(room: Classroom, memory: Sequence[tuple[int, float]]) -> dict[str, Any]:
    """The figures of the class."""
    answered, total = room.answered(), len(room.sent)
    known = {
        each.student for each in manifest(room.course / "received", NOTEBOOK) if each.file or each.refused
    }
    took = {place: answered[place] - when for place, when in room.sent.items() if place in answered}
    first = [seconds for (_, number), seconds in took.items() if number == 1]
    again = [seconds for (_, number), seconds in took.items() if number == 2]
    start = max(megabytes for number, megabytes in memory if number <= max(1, total // 10))
    end = max(megabytes for number, megabytes in memory if number >= total - max(1, total // 10))
    return {
        "lost": len({student for student, _ in room.sent} - known),
        "unanswered": len(room.unanswered()),
        "median_s": round(statistics.median(first), 1),
        "worst_s": round(max(first), 1),
        "burst_median_s": round(statistics.median(again), 1),
        "burst_worst_s": round(max(again), 1),
        "memory_begin_mb": round(start),
        "memory_end_mb": round(end),
        "flat": end <= FLAT * start,
        "workers": WORKERS,
    }


def show(figures: dict[str, Any]) -> None:
    """Print the figures."""
    print(f"class of {figures['students']}: {figures['lost']} lost, {figures['unanswered']} unanswered")
    print(
        f"time for the class: {figures['minutes']:.1f} minutes; median {figures['median_s']} s, worst"
        f" {figures['worst_s']} s"
    )
    print(
        f"{figures['burst']} in one minute: median {figures['burst_median_s']} s, worst"
        f" {figures['burst_worst_s']} s"
    )
    peaks = f"peak {figures['memory_begin_mb']} MB at the beginning, {figures['memory_end_mb']} MB at the end"
    print(f"memory of the watcher: {peaks}: {'flat' if figures['flat'] else 'not flat'}")


if __name__ == "__main__":
    main(sys.argv[1:])
