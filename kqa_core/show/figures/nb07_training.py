"""The live view of a training run: loss, accuracy, and sample answers.

- `View` draws one figure again at intervals; the last one stays in the saved notebook.
- Samples are marked by words (right, or the right answer), not only by colour.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from kqa_core.progress import PROBES, Ask, Probe, Progress, last_line, remaining
from kqa_core.show.figures.nb07_curves import smooth
from kqa_core.show.kit.palette import BLUE, GREY, ORANGE, new_figure
from kqa_core.show.kit.still import Still

SAMPLES = 4  # shown at a time
LONGEST = 34  # characters of a sample that are shown


def training_figure(
    title: str, losses: Sequence[float], probes: Sequence[tuple[int, Probe]], total: int, start: int = 0
) -> Still:
    """The losses from step `start` on, of a run of `total`, the accuracy, and the latest samples."""
    figure = new_figure(10.0, 2.9)
    curve, accuracy, answers = figure.subplots(1, 3, width_ratios=(1, 1, 1.15))
    figure.suptitle(title, fontsize=10, x=0.01, ha="left")
    clauses = [title]

    if losses:
        smoothed = smooth(losses, max(1, len(losses) // 50))
        curve.plot(range(start + 1, start + 1 + len(smoothed)), smoothed, color=BLUE)
        clauses.append(f"loss from {smoothed[0]:.2f} to {smoothed[-1]:.2f}")
    curve.set(xlim=(0, total), ylim=(0, None), xlabel="step", title="loss, nats per character")

    if probes:
        scores = [probe.accuracy for _, probe in probes]
        low, high = zip(*(share.interval for share in scores), strict=True)
        steps = [step for step, _ in probes]
        accuracy.fill_between(
            steps, [100 * x for x in low], [100 * x for x in high], color=ORANGE, alpha=0.25, linewidth=0
        )
        accuracy.plot(steps, [100 * share.value for share in scores], "o-", color=ORANGE, markersize=4)
        clauses.append(str(probes[-1][1]))
    accuracy.set(xlim=(0, total), ylim=(0, 102), xlabel="step", title="accuracy, % (band: 95 % interval)")

    answers.axis("off")
    answers.set(xlim=(0, 1), ylim=(0, 1))
    answers.set_title("what it answers now", loc="left", fontsize=10)
    for row, (question, answer, right) in enumerate(probes[-1][1].samples[:SAMPLES] if probes else ()):
        top = 0.95 - row / SAMPLES
        hit = answer == right
        answers.text(0, top, _short(question), fontsize=8, va="top", color=GREY)
        verdict = "right" if hit else f"not {_short(right)}"
        shown, colour = f"{_short(answer) or '(nothing)'}   ({verdict})", BLUE if hit else GREY
        answers.text(0.03, top - 0.1, shown, fontsize=9, va="top", color=colour)
        clauses.append(f"{question} {answer or '(nothing)'} ({verdict})")
    for axes in (curve, accuracy):
        axes.spines[["top", "right"]].set_visible(False)
        axes.title.set_fontsize(10)
    return Still(figure, "; ".join(clauses) + ".")


def _short(text: str) -> str:
    """A text's beginning, without line feeds and without what starts mathematics in matplotlib."""
    plain = "".join(letter if letter.isprintable() else "□" for letter in text).replace("$", r"\$")
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"


class View(Progress):
    """A live picture in a notebook's output: loss, accuracy and a few answers. The last one stays.

    Its text is the line that `Live` leaves, so the saved notebook differs in the picture alone, which nbval
    does not compare.
    """

    SECONDS = 2.0  # between two pictures: drawing one takes a tenth of a second

    def __init__(self, total: int, label: str, start: int, ask: Ask) -> None:
        from IPython.display import display

        self._total, self._label, self._start, self._ask = total, label, start, ask
        self._done = start
        self._every = max(1, total // PROBES)
        self._losses: list[float] = []
        self._answers: list[tuple[int, Probe]] = []
        self._began = self._shown = time.monotonic()
        data, metadata = self._bundle(last_line(label, start, total, None))
        self._handle: Any = display(data, metadata=metadata, raw=True, display_id=True)  # type: ignore[no-untyped-call]

    def _bundle(self, line: str) -> tuple[dict[str, Any], dict[str, Any]]:
        still = training_figure(line, self._losses, self._answers, self._total, self._start)
        return {"image/png": still.png(), "text/plain": line}, {"image/png": {"alt": still.sentence}}

    def _show(self, line: str) -> None:
        data, metadata = self._bundle(line)
        self._handle.update(data, metadata=metadata, raw=True)

    def update(self, done: int, loss: float | None = None) -> None:
        """Record the loss; probe the model and draw the figure again if they are due."""
        self._done = done
        if loss is not None:
            self._losses.append(loss)
        if done % self._every == 0 or done == self._total:
            self._answers.append((done, self._ask()))
        now = time.monotonic()
        if now - self._shown < self.SECONDS:
            return
        self._shown = now
        left = (now - self._began) / max(1, done - self._start) * (self._total - done)
        self._show(f"{self._label}: step {done} of {self._total}, {remaining(left)} left")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._show(last_line(self._label, self._done, self._total, error))
