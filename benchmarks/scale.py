"""How grading, report and export grow with the class: kqa bench scale [--students N …]

- A made-up class (`_made_class.py`) takes the real path: receive, ledger, gradebook, feedback pages, report,
  export, similar answers. Only the sandbox is left out: `kqa bench grading` measures it.
- Each stage is a process of its own, so that its peak of memory is its own. Importing the packages is not
  counted as time; the memory that it takes is told apart.
- Stages that read or write the gradebook run with SQLite, and also with PostgreSQL if its server is
  installed.
- Chromium opens the index from the disk, without a network, until the first paint of the whole document.
- The exponent says how a stage grows between the two largest classes: 1 is linear, 2 quadratic.
- The figures of a size are kept as soon as they are complete. A later run at the same commit adds to them.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import _postgres
from benchmarks._common import RESULTS, machine, report
from benchmarks._figure import largest_class
from kqa_core.check.registry import COURSE_VARIABLE
from kqa_core.commands.benching import read
from kqa_core.commands.machine import BROWSERS

SIZES, NOTEBOOKS = (250, 500, 1000), 12
BEFORE = ("make", "receive")
OF_GRADEBOOK = ("grade", "grade again", "report", "export")  # once with each database
STAGES = Path(__file__).with_name("_scale_stages.py")
LARGEST_INDEX, LONGEST_OPENING = 2.0, 2.0  # megabytes, seconds
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
Figures = dict[str, Any]


def main(arguments: Sequence[str] = ()) -> None:
    """Measure these sizes, and print the table of all sizes that were measured at this commit."""
    parser = argparse.ArgumentParser(
        prog="kqa bench scale", description="How grading, report and export grow with the class."
    )
    parser.add_argument(
        "--students", type=int, nargs="+", default=SIZES, metavar="N", help="sizes of the class"
    )
    parser.add_argument(
        "--notebooks", type=int, default=NOTEBOOKS, metavar="N", help="notebooks of the course"
    )
    asked = parser.parse_args(arguments)
    kept = read(RESULTS.parent, "scale")
    same = (
        kept.get("machine", {}).get("commit") == machine()["commit"]
        and kept["figures"]["notebooks"] == asked.notebooks
    )
    figures = kept["figures"]["students"] if same else {}
    for students in sorted(asked.students):
        with tempfile.TemporaryDirectory(prefix="kqa-scale-") as root:
            figures[str(students)] = measured(Path(root), students, asked.notebooks)
        _keep(figures, asked.notebooks)
    print(table(figures))
    _keep(figures, asked.notebooks, say=True)


def measured(root: Path, students: int, notebooks: int) -> Figures:
    """The figures of one size."""
    took: Figures = {stage: _stage(root, stage, students, notebooks) for stage in BEFORE}
    for stage in OF_GRADEBOOK:
        took[stage] = _stage(root, stage, students, notebooks)
    took["open"] = opened(root / "report" / "index.html")
    took["similar"] = _stage(root, "similar", students, notebooks)
    if _postgres.programs() is None:
        return {"sqlite": took, "postgresql": None}
    for made in ("judged", "autograded", "feedback"):
        shutil.rmtree(root / "course" / made)
    with _postgres.server() as server:
        url = _postgres.new_database(server)
        return {
            "sqlite": took,
            "postgresql": {stage: _stage(root, stage, students, notebooks, url) for stage in OF_GRADEBOOK},
        }


def _stage(root: Path, stage: str, students: int, notebooks: int, db: str = "") -> Figures:
    """Run a stage in a process of its own, and say that it is done."""
    course = {} if stage == "make" else {COURSE_VARIABLE: str(root / "course")}
    command = [sys.executable, str(STAGES), stage, str(root), str(students), str(notebooks), db]
    done = subprocess.run(
        command, env={**os.environ, **course}, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:  # the process itself has said why
        raise SystemExit(f"scale: {stage}, {students} students: failed; see above")
    found: Figures = json.loads(done.stdout.splitlines()[-1])
    where = "PostgreSQL" if db else "SQLite"
    print(
        f"{students} students, {where}, {stage}: {found['seconds']:.1f} s, {found['peak_mb']:.0f} MB",
        flush=True,
    )
    return found


def opened(path: Path) -> Figures | None:
    """Seconds from the navigation to the first paint of the whole document, and its elements;
    None without a browser.
    """
    browser_path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser_path is None:
        return None
    from playwright.sync_api import sync_playwright

    with (
        sync_playwright() as playwright,
        contextlib.closing(playwright.chromium.launch(executable_path=browser_path, args=QUIET)) as browser,
    ):
        tab = browser.new_context(offline=True).new_page()
        tab.set_default_timeout(600_000)
        start = time.perf_counter()
        tab.goto(path.as_uri())
        tab.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return {
            "seconds": time.perf_counter() - start,
            "nodes": tab.evaluate("document.querySelectorAll('*').length"),
        }


def rows(figures: Figures) -> list[tuple[str, str, dict[int, tuple[float, float]]]]:
    """(database, stage, students → (seconds, megabytes more than after importing)),
    with the parts of grading.
    """
    found: dict[tuple[str, str], dict[int, tuple[float, float]]] = {}
    for students, databases in figures.items():
        for database, stages in databases.items():
            for stage, each in (stages or {}).items():
                if stage in ("make", "open") or each is None:
                    continue
                found.setdefault((database, stage), {})[int(students)] = (
                    each["seconds"],
                    each["peak_mb"] - each["before_mb"],
                )
                for part, seconds in each.get("parts", {}).items():
                    found.setdefault((database, f"{stage}: {part}"), {})[int(students)] = (seconds, math.nan)
    return [(*key, dict(sorted(sizes.items()))) for key, sizes in found.items()]


def exponent(sizes: dict[int, float]) -> float:
    """How the values grow between the two largest sizes:
    the e of value ∝ size^e; nan for fewer sizes, or without growth.
    """
    if len(sizes) < 2:
        return math.nan
    (few, less), (many, more) = sorted(sizes.items())[-2:]
    return math.log(more / less) / math.log(many / few) if less > 0 and more > 0 else math.nan


def table(figures: Figures) -> str:
    """A row a stage: milliseconds a student and megabytes at each size, and both exponents."""
    sizes = sorted(map(int, figures))
    heads = "".join(f"{f'{size}: ms each, MB':>22}" for size in sizes)
    lines = [f"{'database':<11}{'stage':<32}{heads}{'time ^':>8}{'MB ^':>8}"]
    for database, stage, took in rows(figures):
        cells = "".join(
            f"{f'{1000 * took[size][0] / size:.1f}, {_number(took[size][1])}' if size in took else '':>22}"
            for size in sizes
        )
        growth = (exponent({size: each[which] for size, each in took.items()}) for which in (0, 1))
        lines.append(
            f"{database:<11}{stage:<32}{cells}" + "".join(f"{_number(each, 2):>8}" for each in growth)
        )
    for size in sizes:
        written, shown = figures[str(size)]["sqlite"]["report"], figures[str(size)]["sqlite"]["open"]
        lines.append(
            f"{size} students: index {written['index_mb']:.2f} MB, largest other page"
            f" {written['largest_mb']:.2f} MB; "
            + (
                f"Chromium shows the index in {shown['seconds']:.1f} s"
                if shown
                else "no browser is installed"
            )
        )
        if figures[str(size)]["postgresql"] is None:
            lines.append(
                f"{size} students: PostgreSQL's server is not installed (Debian: apt install postgresql)"
            )
    return "\n".join(lines)


def _number(value: float, digits: int = 0) -> str:
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def summary(figures: Figures) -> Figures:
    """The figures of the largest class, and the steepest growth of a stage's time (None for one size)."""
    many = max(map(int, figures))
    took = figures[str(many)]["sqlite"]
    growth = [
        exponent({size: each[0] for size, each in took.items()})
        for _, stage, took in rows(figures)
        if ":" not in stage
    ]
    return {
        "size": many,
        "index_mb": took["report"]["index_mb"],
        "open_s": took["open"]["seconds"] if took["open"] else None,
        "exponent": max((each for each in growth if not math.isnan(each)), default=None),
    }


def _keep(figures: Figures, notebooks: int, say: bool = False) -> None:
    """Write what was measured so far."""
    found = summary(figures)
    met = found["index_mb"] <= LARGEST_INDEX and (found["open_s"] or 0.0) <= LONGEST_OPENING
    kept = {"notebooks": notebooks, "largest": found, "students": figures}
    with contextlib.nullcontext() if say else contextlib.redirect_stdout(None):
        report("scale", kept, largest_class(kept), "≤ 2 MB, ≤ 2 s", met)


if __name__ == "__main__":
    main(sys.argv[1:])
