"""Progress at a prompt, in a log, and in a notebook."""

from __future__ import annotations

import contextlib
import io
import math
import sys
from types import SimpleNamespace

import pytest

import kqa_core.show  # noqa: F401  # draws training runs in notebooks
from kqa_core import progress as progressbar
from kqa_core.progress import PROBES, Probe, curve, limited, probing, progress, remaining
from kqa_core.stats import Proportion


def run(total: int, start: int = 0, show: bool = True) -> None:
    with progress(total, "pretrain rope", show, start) as shown:
        for step in range(start, total):
            shown.update(step + 1, 1.0 / (step + 1))


def test_a_log_gets_a_few_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    run(1000)
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert out == "" and "\r" not in err and "\x1b" not in err
    assert len(lines) == 5
    assert lines[0].startswith("pretrain rope: step 200 of 1000, loss 0.005, ")
    assert lines[0].endswith(" left")
    assert lines[-1].startswith("pretrain rope: step 1000 of 1000, loss 0.001 in ")


@pytest.mark.parametrize(("total", "start", "lines"), [(1, 0, 1), (3, 0, 3), (1000, 900, 1), (7, 0, 4)])
def test_a_short_or_resumed_run_gets_fewer_lines(
    total: int, start: int, lines: int, capsys: pytest.CaptureFixture[str]
) -> None:
    run(total, start)
    assert len(capsys.readouterr().err.splitlines()) == lines


def test_a_prompt_gets_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    run(3)
    assert "pretrain rope: 100%" in terminal.getvalue()
    assert "loss 0.333" in terminal.getvalue()


def test_nothing_is_shown_where_nothing_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    run(10, show=False)
    assert capsys.readouterr() == ("", "")


def test_a_notebook_is_left_with_the_line_it_began_with(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    def display(value: object, display_id: bool) -> object:
        assert display_id
        shown.append(str(value))
        return SimpleNamespace(update=lambda value: shown.append(str(value)))

    clock = iter(range(1000))
    monkeypatch.setattr(progressbar, "in_notebook", lambda: True)
    monkeypatch.setattr(progressbar.time, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr("IPython.display.display", display)
    monkeypatch.setattr("IPython.display.Pretty", str)
    run(4)
    assert shown[0] == shown[-1] == "pretrain rope: 4 steps"
    assert shown[2].startswith("pretrain rope: step 2 of 4, loss 0.500 █▁, ")


def knows(right: int) -> Probe:
    return Probe(
        Proportion(right, 20),
        (("Where was Ada Low born?", "Tal", "Tal"), ("Where was Bo $x$ born?", "", "Rom")),
    )


@pytest.mark.slow
def test_a_run_that_is_interrupted_says_where(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        with progress(225, "questions only") as shown:
            for step in range(4):
                shown.update(step + 1, 1.0)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert capsys.readouterr().err == "questions only: stopped at step 4 of 225\n"
    updates: list[str] = []
    handle = SimpleNamespace(update=lambda shown, **_: updates.append(str(shown)))
    monkeypatch.setattr("IPython.display.display", lambda *_, **__: handle)
    monkeypatch.setattr(progressbar, "in_notebook", lambda: True)
    monkeypatch.setattr("IPython.display.Pretty", str)
    for watched in (contextlib.nullcontext(), probing(lambda: knows(1))):
        with watched, pytest.raises(KeyboardInterrupt):
            interrupted()
        assert "questions only: stopped at step 4 of 225" in updates[-1]


def test_a_log_says_what_is_recalled_only_inside_probing(capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter(range(20))
    with probing(lambda: knows(next(answers))):
        run(1000)
    lines = capsys.readouterr().err.splitlines()
    assert [f"accuracy {n} of 20" in line for n, line in enumerate(lines)] == [True] * 5
    run(1000)
    assert "accuracy" not in capsys.readouterr().err


@pytest.mark.slow
def test_a_notebook_gets_a_picture_that_grows_and_a_line_that_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[dict[str, object], dict[str, object]]] = []

    def display(data: dict[str, object], metadata: dict[str, object], raw: bool, display_id: bool) -> object:
        assert raw and display_id
        shown.append((data, metadata))
        return SimpleNamespace(update=lambda data, metadata, raw: shown.append((data, metadata)))

    clock, asked = iter(range(0, 10_000, 3)), []
    monkeypatch.setattr(progressbar, "in_notebook", lambda: True)
    monkeypatch.setattr(progressbar.time, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr("IPython.display.display", display)
    with probing(lambda: asked.append(1) or knows(len(asked))):
        run(3)
    said = [metadata["image/png"]["alt"] for _, metadata in shown]  # type: ignore[index]
    assert [data["text/plain"] for data, _ in (shown[0], shown[-1])] == ["pretrain rope: 3 steps"] * 2
    # at first, after each step, and its last title
    assert len({data["image/png"] for data, _ in shown}) == len(shown) == 5
    assert "step 2 of 3" in said[2] and "loss from 1.00 to 0.50" in said[2] and "accuracy 2 of 20" in said[2]
    assert "Where was Bo $x$ born? (nothing) (not Rom)" in said[-1] and "Tal (right)" in said[-1]


@pytest.mark.slow
def test_a_long_run_is_asked_a_few_times_only(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(progressbar, "in_notebook", lambda: True)
    monkeypatch.setattr(
        "IPython.display.display", lambda *_, **__: SimpleNamespace(update=lambda *_, **__: None)
    )
    with probing(lambda: asked.append(1) or knows(0)):
        run(1000)
    assert PROBES <= len(asked) <= PROBES + 2


def test_this_process_is_no_notebook() -> None:
    assert not progressbar.in_notebook()


@pytest.mark.parametrize(
    ("values", "drawn"),
    [
        ([4.0, 2.0, 1.0], "█▃▁"),
        ([1.0, 1.0], "▁▁"),
        ([], ""),
        ([math.nan, 2.0, math.inf], "▁"),
        (list(range(16)), "▁▂▃▄▅▆▇█"),
    ],
)
def test_a_curve_is_one_line_of_bars(values: list[float], drawn: str) -> None:
    assert curve(values, width=8) == drawn


@pytest.mark.parametrize(
    ("seconds", "said"), [(4, "4 s"), (100, "1 min 40 s"), (4000, "1 h 6 min"), (59.7, "1 min 0 s")]
)
def test_time_left_is_said_in_words(seconds: float, said: str) -> None:
    assert remaining(seconds) == said


def test_the_number_of_steps_can_be_limited_from_outside(monkeypatch):
    monkeypatch.delenv("KQA_STEPS", raising=False)
    assert limited(900) == 900
    monkeypatch.setenv("KQA_STEPS", "20")
    assert (limited(900), limited(7)) == (20, 7)
