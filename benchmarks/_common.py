"""Helpers of every benchmark: they write its figures and print its last line.

A benchmark is a file with a `main()` that measures ratios within one run, prints its table, and ends with
`report`. Figures are written to benchmarks/results/NAME.json with the machine that they were taken on.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from pathlib import Path

import torch

import kqa_core
from kqa_core.commands.benching import commit, device_name
from kqa_core.files import write_whole
from kqa_core.hardware import cores

RESULTS = Path(__file__).resolve().parent / "results"


def processor() -> str:
    """The processor's name where the system tells it, else its kind."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def machine() -> dict[str, object]:
    """The machine and the versions with which the figures were taken."""
    return {
        "kqa": kqa_core.__version__,
        "commit": commit(RESULTS.parents[1]),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "processor": processor(),
        "cores": cores(),
        # what else ran, processes on average
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "device": device_name(),
    }


def report(
    name: str, figures: Mapping[str, object], headline: str, bar: str, met: bool | None = None
) -> None:
    """Write the figures of benchmark `name`, and print its last line: `NAME: headline (bar …)`.

    `met` says whether the bar was; None where there is none, or where nothing was measured.
    """
    written = {"figures": dict(figures), "headline": headline, "bar": bar, "met": met, "machine": machine()}
    write_whole(RESULTS / f"{name}.json", json.dumps(written, indent=1) + "\n")
    print(f"{name}: {headline} (bar {bar})")


def not_measured_here(name: str, bar: str, needs: str = "a GPU") -> None:
    """Print the last line of a benchmark that this machine cannot run.
    Figures that another machine recorded stay as they are.
    """
    print(f"{name}: not measured here: that takes {needs} (bar {bar})")
