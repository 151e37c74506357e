"""Progress of a long loop, shown as suits the place: `progress(total, label)`; its steps can be `limited`.

- At a prompt: a tqdm bar on stderr, with rate, time left and loss.
- Headless (a log, CI): five plain lines on stderr, no control characters.
- In a notebook: one live line with a curve of the loss. At the end it reads `label: N steps`, as at the
  start, so the saved notebook is the same on every machine and nbval finds no difference.
- Inside `with probing(ask):` the model answers a few questions at intervals, and its accuracy is shown beside
  the loss: as a number at a prompt and in a log, as a growing figure with sample answers in a notebook, if
  `kqa_core.show` has been imported.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from kqa_core.stats import Proportion

BARS = "▁▂▃▄▅▆▇█"
LINES = 5  # printed in a log
PROBES = 16  # how often a model is probed in a run that is shown


@dataclass(frozen=True)
class Probe:
    """The answers of a model during training."""

    accuracy: Proportion
    samples: tuple[tuple[str, str, str], ...] = ()  # question, answer, correct answer

    def __str__(self) -> str:
        return f"accuracy {self.accuracy.hits} of {self.accuracy.total}"


Ask = Callable[[], Probe]
_ask: ContextVar[Ask | None] = ContextVar("ask", default=None)
_view: Callable[[int, str, int, Ask], Progress] | None = None


def set_notebook_view(view: Callable[[int, str, int, Ask], Progress]) -> None:
    """Show training in notebooks with `view(total, label, start, ask)`: `kqa_core.show` does it."""
    global _view
    _view = view


@contextlib.contextmanager
def probing(ask: Ask | None) -> Iterator[None]:
    """Progress that starts in this context calls `ask` at intervals and shows it; None does nothing.

    `ask` must not change the training: no gradients, no random numbers, no change of a module's mode.
    """
    token = _ask.set(ask)
    try:
        yield
    finally:
        _ask.reset(token)


def limited(steps: int) -> int:
    """`steps` of a training run in a notebook, or what KQA_STEPS in the environment says, if that is fewer:
    for the course's tests.

    >>> limited(10) <= 10
    True
    """
    return min(steps, int(os.environ.get("KQA_STEPS", steps)))


class Progress:
    """The progress of a loop, in a `with` statement. This one shows nothing."""

    def update(self, done: int, loss: float | None = None) -> None:
        """`done` steps are finished; `loss` is the latest loss."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None


def in_notebook() -> bool:
    """Whether this process is a Jupyter kernel."""
    shell = sys.modules.get("IPython")
    kernel = shell.get_ipython() if shell is not None else None
    return kernel is not None and type(kernel).__name__ == "ZMQInteractiveShell"


def progress(total: int, label: str, show: bool = True, start: int = 0) -> Progress:
    """Progress over `total` steps, of which `start` were done before (in a resumed run)."""
    if not show:
        return Progress()
    ask = _ask.get()
    if in_notebook():
        return Live(total, label, start) if ask is None or _view is None else _view(total, label, start, ask)
    return Bar(total, label, start, ask) if sys.stderr.isatty() else Lines(total, label, start, ask)


def curve(values: list[float], width: int = 40) -> str:
    """Values as at most `width` bars, each a mean of neighbours: [4, 2, 1] → "█▃▁"."""
    finite = [value for value in values if math.isfinite(value)]
    if not finite:
        return ""
    size = max(1, math.ceil(len(finite) / width))
    means = [sum(part) / len(part) for part in (finite[i : i + size] for i in range(0, len(finite), size))]
    low, span = min(means), (max(means) - min(means)) or 1.0
    return "".join(BARS[round((mean - low) / span * (len(BARS) - 1))] for mean in means)


def last_line(label: str, done: int, total: int, error: BaseException | None) -> str:
    """What a picture or a line says in the end: "pretraining: 900 steps", or where it was stopped."""
    if error is None or done == total:
        return f"{label}: {total} steps"
    return f"{label}: stopped at step {done} of {total}"


def remaining(seconds: float) -> str:
    """4000.0 → "1 h 7 min", 100.0 → "1 min 40 s"."""
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 60} min {whole % 60} s" if whole >= 60 else f"{whole} s"


class Bar(Progress):
    """A tqdm bar."""

    def __init__(self, total: int, label: str, start: int, ask: Ask | None = None) -> None:
        from tqdm import tqdm

        self._ask, self._accuracy = ask, ""
        self._every = max(1, total // PROBES)
        self._bar: Any = tqdm(total=total, initial=start, desc=label, unit="step", dynamic_ncols=True)

    def update(self, done: int, loss: float | None = None) -> None:
        """Move the bar to `done`."""
        if self._ask is not None and done % self._every == 0:
            self._accuracy = f", {self._ask()}"
        if loss is not None:
            self._bar.set_postfix_str(f"loss {loss:.3f}{self._accuracy}", refresh=False)
        self._bar.update(done - self._bar.n)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()


class Lines(Progress):
    """A few plain lines."""

    def __init__(self, total: int, label: str, start: int, ask: Ask | None = None) -> None:
        self._total, self._label, self._start, self._ask = total, label, start, ask
        self._began = time.monotonic()
        self._done, self._next = start, self._after(start)

    def _after(self, done: int) -> int:
        """The number of steps at which the next line is due."""
        share = max(1, math.ceil(self._total / LINES))
        return min(self._total, (done // share + 1) * share)

    def update(self, done: int, loss: float | None = None) -> None:
        """Print a line if one is due."""
        self._done = done
        if done < self._next:
            return
        self._next = self._after(done)
        taken = time.monotonic() - self._began
        left = taken / max(1, done - self._start) * (self._total - done)
        tail = f", {remaining(left)} left" if done < self._total else f" in {remaining(taken)}"
        shown = "" if loss is None else f", loss {loss:.3f}"
        shown += "" if self._ask is None else f", {self._ask()}"
        print(f"{self._label}: step {done} of {self._total}{shown}{tail}", file=sys.stderr, flush=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and self._done < self._total:
            print(last_line(self._label, self._done, self._total, error), file=sys.stderr, flush=True)


class Live(Progress):
    """One line of a notebook's output that changes in place, at most four times a second."""

    def __init__(self, total: int, label: str, start: int) -> None:
        from IPython.display import display

        self._total, self._label, self._start, self._done = total, label, start, start
        self._losses: list[float] = []
        self._began = self._shown = time.monotonic()
        first = self._text(last_line(label, start, total, None))
        self._handle: Any = display(first, display_id=True)  # type: ignore[no-untyped-call]

    @staticmethod
    def _text(line: str) -> Any:
        from IPython.display import Pretty

        return Pretty(line)  # type: ignore[no-untyped-call]

    def update(self, done: int, loss: float | None = None) -> None:
        """Redraw the line if it is due."""
        self._done = done
        if loss is not None:
            self._losses.append(loss)
        now = time.monotonic()
        if now - self._shown < 0.25:
            return
        self._shown = now
        left = (now - self._began) / max(1, done - self._start) * (self._total - done)
        shown = f", loss {loss:.3f} {curve(self._losses)}" if loss is not None else ""
        self._handle.update(
            self._text(f"{self._label}: step {done} of {self._total}{shown}, {remaining(left)} left")
        )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._handle.update(self._text(last_line(self._label, self._done, self._total, error)))
