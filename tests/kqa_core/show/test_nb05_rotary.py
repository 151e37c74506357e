"""The widget of rotary positions in notebook 05 says what is so."""

import numpy as np
import pytest
import torch

from kqa_core.model.variants.rope import angles, rotate
from kqa_core.show.figures.nb05_rotary import EXPONENTS, FURTHEST, frequencies, likeness, rotary_slider


@pytest.mark.parametrize("theta", [10.0, 10_000.0])
def test_the_widget_computes_the_logit_of_two_vectors_that_are_alike(theta):
    # pairs (1, 0), whose dot product is the cosine
    ones = torch.tensor([1.0, 0.0]).repeat(16).expand(FURTHEST + 1, 32).double()
    turned = rotate(ones, angles(torch.arange(FURTHEST + 1), 32, theta).double())
    logits = (turned @ turned[0]).numpy() / 16
    np.testing.assert_allclose(
        likeness(np.arange(FURTHEST + 1), theta, -1.0), logits, atol=1e-4
    )  # the library's angles are float32


def test_with_the_sign_wrong_no_pair_is_slower_than_a_radian_a_step():
    assert (frequencies(10_000.0, -1.0) <= 1).all()
    assert (frequencies(10_000.0, 1.0) >= 1).all()


@pytest.mark.slow
def test_the_slider_draws_anew_and_says_so():
    widget = rotary_slider(8)
    assert "at distance 8 the logit" in widget.sentence and "1 of 16 pairs" in widget.sentence
    before = widget.png
    widget.controls["exponent"].value = list(EXPONENTS)[1]
    assert widget.png != before and "+2m/d" in widget.sentence
    widget.controls["distance"].value = 0
    assert "1.00 of what it is at distance 0; 0 of 16" in widget.sentence
