"""The still figures of notebook 01."""

import numpy as np
import pytest
import sympy as sp

from kqa_core.show.figures.nb01_heat_map import weight_map
from kqa_core.show.figures.nb01_rates import rates_figure
from kqa_core.symbolic.attention import BETA

RIGHT = ((6 - 2) * sp.exp(-BETA) / 4, (6 - 2) * sp.exp(-2 * BETA) / 4)


def test_a_weight_map_says_where_each_row_goes():
    still = weight_map(np.array([[0.9, 0.1, 0.0], [0.0, 0.5, 0.5]]))
    assert still.sentence == "Query 0 gives 0.90 to key 0; query 1 gives 0.50 to keys 1 and 2 each."
    assert still.png().startswith(b"\x89PNG")


def test_the_rows_of_a_weight_map_can_have_names():
    assert (
        weight_map(np.eye(2), rows=("original", "unit key")).sentence
        == "Original gives 1.00 to key 0; unit key gives 1.00 to key 1."
    )
    with pytest.raises(ValueError):
        weight_map(np.eye(2), rows=("original",))


def test_the_rates_figure_says_whether_the_predictions_lie_on_the_lines():
    assert "from β = 3 on, your second from β = 2 on" in rates_figure(RIGHT, 6, BETA).sentence
    assert "your second nowhere to the end" in rates_figure((RIGHT[0], RIGHT[0]), 6, BETA).sentence


@pytest.mark.parametrize(
    "junk", [None, 3, "xy", (1,), (sp.nan, sp.oo), (RIGHT[0], None), ([], {}), (-RIGHT[0], sp.Symbol("x"))]
)
def test_rates_that_cannot_be_drawn_are_left_out(junk):
    still = rates_figure(junk, 6, BETA)
    assert "Your" not in still.sentence
    assert still.png().startswith(b"\x89PNG")


@pytest.mark.slow
def test_the_same_figure_has_the_same_bytes():
    assert rates_figure(RIGHT, 6, BETA).png() == rates_figure(RIGHT, 6, BETA).png()
