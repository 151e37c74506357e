"""Our kernels on a GPU, each against what a user would pick instead. Run: kqa bench kernels

- `kqa_core.experiments.kernel_race` says what is timed and how. Notebook 12 calls it as well.
- Without a GPU, or without Triton, nothing is measured or written. One backend that a GPU refuses is "not
  measured".
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import not_measured_here, report
from kqa_core.experiments.kernel_race import BACKENDS, NOT_MEASURED, Times, can_race, race, race_table

BAR_TILE, BAR_SYNTHESIZER = 1.5, 3.0
BAR = f"one tile ≥ {BAR_TILE} ×, Synthesizer ≥ {BAR_SYNTHESIZER} ×"


def main() -> None:
    """Print the table, and write the figures."""
    if not can_race():
        not_measured_here("kernels", BAR, "a GPU and Triton")
        return
    times = race()
    print(race_table(times))
    figures = {
        f"{part}: {name}, µs": NOT_MEASURED if time is None else round(time, 1)
        for part, taken in times.items()
        for name, time in taken.items()
    }
    said, met = verdicts(times), None
    tile, synthesizer = said.values()
    if isinstance(tile, float) and isinstance(synthesizer, float):
        met = tile >= BAR_TILE and synthesizer >= BAR_SYNTHESIZER
    report("kernels", figures | said, headline(times), BAR, met)


def verdicts(times: dict[str, Times]) -> dict[str, object]:
    """Ours against torch's best backend, and against the Synthesizer's literal formula."""
    tile, synthesizer = times["one tile"], times["synthesizer"]
    rivals = [time for name in BACKENDS if (time := tile[name]) is not None]
    return {
        "one tile over torch's best": ratio(min(rivals, default=None), tile["ours"]),
        "synthesizer over the literal formula": ratio(synthesizer["literal"], synthesizer["ours"]),
    }


def ratio(theirs: float | None, ours: float | None) -> object:
    """How many times as fast ours is."""
    return NOT_MEASURED if theirs is None or ours is None else round(theirs / ours, 2)


def headline(times: dict[str, Times]) -> str:
    """The last line: the two ratios with bars."""
    return ", ".join(f"{name} {each} ×" for name, each in verdicts(times).items())


if __name__ == "__main__":
    main()
