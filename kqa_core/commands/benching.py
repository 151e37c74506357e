"""`kqa bench all`: every benchmark of a clone, one after the other, and one table of what they found.

- A benchmark is a file of benchmarks/ that defines main(). Each runs in its own process; its output goes to
  stderr, the table to stdout.
- Results from this commit and this device are kept, so that an interrupted run of all benchmarks can
  continue. If the working tree differs from its commit, everything is measured again.
- If a benchmark fails, its line says so, and the exit status is 1. A bar that is not met is not a failure.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from kqa_core.progress import remaining

NOT_MEASURED = "not measured"
RUN = (
    "import sys, pathlib; from kqa_core.commands.machine import run_benchmark as r; r(sys.argv[1],"
    " pathlib.Path(sys.argv[2]))"
)


# name, measured, bar, and whether it is met: yes, no, failed, not measured, — for no bar
Row = tuple[str, str, str, str]


def commit(root: Path) -> str:
    """A clone's commit, with a + if the working tree (without results) differs; else "unknown"."""
    try:
        name = subprocess.run(
            ["git", "rev-parse", "--short=7", "HEAD"], cwd=root, capture_output=True, text=True, check=True
        )
        status = ["git", "status", "--porcelain", "-uno", "--", ".", ":(exclude)benchmarks/results"]
        changed = subprocess.run(status, cwd=root, capture_output=True, text=True, check=False)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return name.stdout.strip() + ("+" if changed.stdout.strip() else "")


def device_name() -> str:
    """The name of the GPU, or "cpu"."""
    import torch

    return torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"


def run_all(names: list[str], folder: Path, again: bool) -> int:
    """Run these benchmarks and print the table; returns the exit status. `again` ignores kept results."""
    here, rows = (commit(folder.parent), device_name()), []
    for number, name in enumerate(names, start=1):
        results = None if again else kept(folder, name, *here)
        print(
            f"bench: {number} of {len(names)}, {name}{', kept' if results else ''}",
            file=sys.stderr,
            flush=True,
        )
        rows.append(row_of(name, results) if results else measure(name, folder))
    print(table(rows))
    return int(any(met == "failed" for *_, met in rows))


def kept(folder: Path, name: str, at: str, device: str) -> dict[str, Any] | None:
    """The results of benchmark `name`, if they are from this commit and this device."""
    results = read(folder, name)
    machine = results.get("machine", {})
    same = isinstance(machine, dict) and (machine.get("commit"), machine.get("device")) == (at, device)
    return results if same and "headline" in results and not at.endswith("+") and at != "unknown" else None


def measure(name: str, folder: Path) -> Row:
    """Run one benchmark in its own process."""
    before, began, last = written(folder, name), time.monotonic(), ""
    command = [sys.executable, "-c", RUN, name, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(f"  {line}", end="", file=sys.stderr, flush=True)
            last = line.strip() or last
    print(f"  {remaining(time.monotonic() - began)}", file=sys.stderr, flush=True)
    if process.returncode:
        return (name, f"failed, status {process.returncode}", "", "failed")
    results = read(folder, name)
    if "headline" in results and written(folder, name) != before:
        return row_of(name, results)
    # a benchmark without a results file prints it on its last line
    headline, _, bar = last.removeprefix(f"{name}: ").rpartition(" (bar ")
    return row_of(name, {"headline": headline or last, "bar": bar.removesuffix(")")})


def read(folder: Path, name: str) -> dict[str, Any]:
    """The last results of benchmark `name`; empty if there are none that can be read."""
    try:
        results = json.loads((folder / "results" / f"{name}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return results if isinstance(results, dict) else {}


def written(folder: Path, name: str) -> int:
    """The time of the last results of benchmark `name`, in nanoseconds; 0 for never."""
    path = folder / "results" / f"{name}.json"
    return path.stat().st_mtime_ns if path.exists() else 0


def row_of(name: str, results: dict[str, Any]) -> Row:
    """The line of a benchmark's results."""
    headline, met = str(results["headline"]), results.get("met")
    verdict = NOT_MEASURED if headline.startswith(NOT_MEASURED) else {True: "yes", False: "no"}.get(met, "—")  # type: ignore[arg-type]
    return (name, headline, str(results.get("bar", "")), verdict)


def table(rows: list[Row]) -> str:
    """The rows as a table with headings and aligned columns."""
    cells = [("figure", "measured", "bar", "met"), *rows]
    wide = [max(len(line[column]) for line in cells) for column in range(4)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, wide, strict=True)).rstrip()
        for line in cells
    )
