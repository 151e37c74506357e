"""The live picture of training runs: the perplexity of each against its steps, as they train.

- Runs of one variant have one colour and one kind of line; each seed has its own line.
- Outside a notebook nothing is shown. In a saved notebook the last picture stays. Its text names the runs and
  holds no measured number, so it is the same on every machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

from kqa_core.progress import in_notebook
from kqa_core.show.figures.nb07_curves import smooth
from kqa_core.show.kit.palette import CATEGORIES, GREY, new_figure, open_axes
from kqa_core.show.kit.still import Still

LINES = ("-", "--", ":", "-.")
WINDOW = 5  # steps that a point of a curve is the mean of


def runs_figure(
    losses: dict[tuple[str, int], list[float]], names: Sequence[str], steps: int, guess: float | None
) -> Still:
    """The perplexities e^loss of runs (name, seed) so far; `guess` is that of knowing nothing."""
    figure = new_figure(9.0, 3.2)
    axes = open_axes(figure)
    clauses, labelled = [], set()
    for (name, seed), run in losses.items():
        kind = names.index(name)
        curve = [math.exp(loss) for loss in smooth(run, WINDOW)]
        label = name if name not in labelled else None
        labelled.add(name)
        steps_done, line = range(1, len(curve) + 1), LINES[kind % len(LINES)]
        axes.plot(steps_done, curve, line, color=CATEGORIES[kind], linewidth=1.4, label=label)
        clauses.append(
            f"{name}, seed {seed}: {f'{curve[-1]:.2f} after {len(run)} steps' if curve else 'no step yet'}"
        )
    if guess is not None:
        axes.axhline(guess, color=GREY, linewidth=0.8)
        axes.text(steps, guess, "guessing ", ha="right", va="bottom", fontsize=8)
    axes.set(xlim=(1, steps), yscale="log", xlabel="step", ylabel="perplexity of the answers")
    axes.set_yticks([1, 2, 4, 8, 16, 32], ["1", "2", "4", "8", "16", "32"])
    axes.minorticks_off()
    if losses:
        axes.legend(frameon=False)
    return Still(
        figure, "Training, perplexity of the answers. " + ("; ".join(clauses) or "No run has started") + "."
    )


class LiveRuns:
    """The picture of `live_runs`. `watch(name, seed)` gives what training calls after each step."""

    SECONDS = 1.0  # between two pictures

    def __init__(self, names: Sequence[str], steps: int, guess: float | None = None) -> None:
        self._names, self._steps, self._guess = tuple(names), steps, guess
        self.losses: dict[tuple[str, int], list[float]] = {}
        self._handle: Any = None
        self._shown = 0.0

    def watch(self, name: str, seed: int) -> Callable[[int, float], None]:
        """A function (step, loss) that adds to this run's curve; a run that starts again has a new one."""
        losses = self.losses[name, seed] = []

        def update(step: int, loss: float) -> None:
            losses.append(loss)
            if time.monotonic() - self._shown >= self.SECONDS:
                self._show()

        return update

    def _show(self) -> None:
        if self._handle is None:
            return
        self._shown = time.monotonic()
        still = runs_figure(self.losses, self._names, self._steps, self._guess)
        line = f"{' and '.join(self._names)}: runs of {self._steps} steps"
        data = {"image/png": still.png(), "text/plain": line}
        self._handle.update(data, metadata={"image/png": {"alt": still.sentence}}, raw=True)

    def __enter__(self) -> Self:
        if in_notebook():
            from IPython.display import display

            empty = {"text/plain": "the first run starts"}
            self._handle = display(empty, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._show()


def live_runs(names: Sequence[str], steps: int, guess: float | None = None) -> LiveRuns:
    """A live picture of runs of the variants `names`, of `steps` steps each. Use it in a `with` statement.

    `guess` is the perplexity of guessing, drawn as a line.
    """
    return LiveRuns(names, steps, guess)
