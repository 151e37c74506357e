"""live_figure and the β slider: what moves, what is said, what stands still."""

import base64
import re

import numpy as np
import pytest

from kqa_core.errors import UserError
from kqa_core.show.figures.nb01_lookup import QUERIES, draw_lookup, lookup_slider, weights
from kqa_core.show.kit.live_figure import live_figure

pytestmark = pytest.mark.slow


def line(figure, beta):
    figure.subplots().plot([0, beta])
    if beta > 3:
        raise ValueError("too <steep>")
    return f"a line up to {beta:.1f}"


def shown(widget):
    return widget.children[-2].value


def test_a_changed_control_changes_picture_and_words():
    widget = live_figure(line, beta=(0.0, 5.0, 0.5))
    before = shown(widget)
    widget.controls["beta"].value = 2.0
    assert shown(widget) != before
    assert 'alt="a line up to 2.0"' in shown(widget)
    assert widget.sentence == "a line up to 2.0"


def test_the_same_values_give_the_same_bytes():
    assert (
        live_figure(line, beta=(0.0, 5.0, 0.5, 1.5)).png == live_figure(line, beta=(0.0, 5.0, 0.5, 1.5)).png
    )


def test_where_no_kernel_runs_there_is_a_still_and_a_sentence():
    bundle = live_figure(line, beta=(0.0, 5.0, 0.5, 1.0))._repr_mimebundle_()
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")
    assert bundle["text/plain"] == "a line up to 1.0"
    assert "application/vnd.jupyter.widget-view+json" in bundle


def test_a_value_that_cannot_be_drawn_leaves_the_slider_alive():
    widget = live_figure(line, beta=(0.0, 5.0, 0.5))
    widget.controls["beta"].value = 4.0
    assert "too &lt;steep&gt;" in widget.children[-1].value
    widget.controls["beta"].value = 1.0
    assert "a line up to 1.0" in shown(widget)


@pytest.mark.parametrize("control", [(1, 2), (2, 1, 0.1), (0, 1, 0), (0, 1, 0.1, 5), "beta", [], None])
def test_a_control_that_is_none_is_named(control):
    with pytest.raises(UserError, match="control 'beta': expected"):
        live_figure(line, beta=control)


@pytest.mark.parametrize("n", [3, 4, 10])
@pytest.mark.parametrize("beta", [0.0, 1.0, 12.0])
def test_the_weights_are_those_of_the_query_in_full(n, beta):
    keys = np.eye(n)
    for others in QUERIES.values():
        query = beta * (keys[0] + keys[1] + others * keys[2:].sum(axis=0))
        exact = np.exp(keys @ query)
        np.testing.assert_allclose(weights(beta, others, n), exact / exact.sum(), rtol=1e-12)


def test_the_slider_of_notebook_01_says_what_it_shows():
    widget = lookup_slider(0.0)
    assert "0.2500 each" in widget.sentence  # four keys, no query: a quarter each
    widget.controls["beta"].value = 12.0
    first, second = (float(number) for number in re.findall(r"0\.\d{4}", widget.sentence))
    assert 0.4999 < first <= second <= 0.5


def test_a_figure_that_is_moved_shows_what_one_that_is_drawn_anew_each_time_does():
    def anew(figure, **values):
        return draw_lookup(figure, **values)(**values)

    moved = lookup_slider(beta=2.0)
    loose = live_figure(anew, width=9.5, height=3.3, beta=(0.0, 12.0, 0.1, 2.0), n=(3, 10, 1, 4))
    for beta, n in ((0.3, 10), (0.0, 10), (7.5, 3)):
        for widget in (moved, loose):
            widget.controls["beta"].value, widget.controls["n"].value = beta, n
        assert (
            moved.sentence == loose.sentence
            and f"{beta:.1f}" in moved.sentence
            and f"{n} keys" in moved.sentence
        )
        assert moved.png == loose.png


def test_what_is_moved_is_drawn_once_and_anew_only_when_it_asks_for_that():
    drawn, moves = [], []

    def draw(figure, x, kind):
        drawn.append((x, kind))
        [line] = figure.subplots().plot([], [], "o")

        def move(**values):
            moves.append(values)
            if values["kind"] != kind:
                return None
            line.set_data([values["x"]], [0.0])
            return f"{values['x']} {values['kind']}"

        return move

    widget = live_figure(draw, width=2, height=1, x=(0, 5, 1), kind=["a", "b"])
    assert widget.sentence == "0 a"
    widget.controls["x"].value = 3
    assert widget.sentence == "3 a" and drawn == [(0, "a")]
    widget.controls["kind"].value = "b"
    assert widget.sentence == "3 b" and drawn == [(0, "a"), (3, "b")]
    assert [each["x"] for each in moves] == [0, 3, 3, 3]
