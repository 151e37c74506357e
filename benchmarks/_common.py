"""What every benchmark shares: where its figures go, and how its last line reads.

A benchmark is a file with a `main()` that measures ratios within one run, prints its table, and ends with `report`. Figures are
written to benchmarks/results/NAME.json with the machine that they were taken on.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from pathlib import Path

import torch

RESULTS = Path(__file__).resolve().parent / "results"


def machine() -> dict[str, object]:
    """What the figures were taken on."""
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"
    return {
        "python": platform.python_version(),
        "torch": torch.__version__,
        "processor": platform.machine(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
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
