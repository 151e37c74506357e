"""The recorded race of the kernels: `kqa bench kernels` makes it on a machine with a GPU, notebook 11 shows it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from kqa_core.errors import UserError
from kqa_core.experiments.kernel_race import PARTS, Times
from kqa_core.text.packaged import shipped


@dataclass(frozen=True)
class Recorded:
    """What was timed where: part → way → microseconds, None where it was not measured."""

    times: dict[str, Times]
    machine: str  # "NVIDIA H200, torch 2.11.0"; "" where nothing was measured

    @property
    def measured(self) -> bool:
        """Whether there is any figure."""
        return any(time is not None for taken in self.times.values() for time in taken.values())


def recorded_race(path: Path | None = None) -> Recorded:
    """The figures of `benchmarks/results/kernels.json`; all None where none have been recorded.

    Raises UserError for a file that is there and cannot be read.
    """
    # benchmarks lies beside data, in a clone as in what is handed out
    path = path or shipped("world/small").parents[2] / "benchmarks" / "results" / "kernels.json"
    nothing = {part: dict.fromkeys(names) for part, (_, names) in PARTS.items()}
    if not path.is_file():
        return Recorded({part: dict(taken) for part, taken in nothing.items()}, "")
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
        times: dict[str, Times] = {}
        for part, names in nothing.items():
            figures = {name: read["figures"][f"{part}: {name}, µs"] for name in names}
            times[part] = {name: float(figure) if isinstance(figure, (int, float)) else None for name, figure in figures.items()}
        found = Recorded(times, f"{read['machine']['device']}, torch {read['machine']['torch']}")
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError(f"{path}: no figures of the kernels can be read there: `kqa bench kernels` makes them anew") from None
    return found if found.measured else Recorded(times, "")
