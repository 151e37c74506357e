"""What every benchmark shares: where its figures go, and how its last line reads.

A benchmark is a file with a `main()` that measures ratios within one run, prints its table, and ends with `report`. Figures are
written to benchmarks/results/NAME.json with the machine that they were taken on.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path

import torch

import kqa_core

RESULTS = Path(__file__).resolve().parent / "results"


def processor() -> str:
    """The processor's name where the system tells it, else its kind."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def commit() -> str:
    """The commit that was measured, with a + where the working tree differs from it; "unknown" outside a clone."""
    try:
        name = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], cwd=RESULTS.parent, capture_output=True, text=True, check=True
        )
        changed = subprocess.run(["git", "status", "--porcelain", "-uno"], cwd=RESULTS.parent, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return name.stdout.strip() + ("+" if changed.stdout.strip() else "")


def machine() -> dict[str, object]:
    """What the figures were taken on, and with what."""
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"
    return {
        "kqa": kqa_core.__version__,
        "commit": commit(),
        "python": platform.python_version(),
        "torch": torch.__version__,
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,  # what else ran, processes on average
        "device": device,
    }


def report(name: str, figures: Mapping[str, object], headline: str, bar: str) -> None:
    """Write the figures of benchmark `name`, and print its last line: `NAME: headline (bar …)`."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{name}.json"
    aside = path.with_suffix(".part")
    aside.write_text(json.dumps({"figures": dict(figures), "bar": bar, "machine": machine()}, indent=1) + "\n", encoding="utf-8")
    aside.replace(path)
    print(f"{name}: {headline} (bar {bar})")
