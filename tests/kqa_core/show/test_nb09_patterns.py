"""The figures of notebook 09."""

import pytest
import torch

from kqa_core.show.figures.nb09_patterns import (
    SHOWN,
    cost_figure,
    exponent,
    learning_figure,
    mask_figure,
    patterns,
    patterns_figure,
)

PNG = b"\x89PNG"


def test_the_patterns_are_what_each_relative_may_read():
    found = patterns()
    past = torch.ones(16, 16, dtype=torch.bool).tril()
    for name in ("vanilla", "synthesizer", "random_synthesizer"):
        assert torch.equal(found[name], past), name
    assert found["linformer"].all()
    assert not found["bigbird"].triu(1).any()
    assert (found["bigbird"].sum(dim=1) <= 3 + 2 + 2).all()
    assert found["perceiver"][15].nonzero().flatten().tolist() == [0, 1, 2, 3, 4, 15]


def test_asking_for_patterns_draws_no_one_elses_random_numbers():
    torch.manual_seed(0)
    before = torch.get_rng_state()
    patterns()
    assert torch.equal(before, torch.get_rng_state())


def test_the_patterns_figure_says_who_reads_the_future():
    still = patterns_figure()
    assert still.png().startswith(PNG)
    assert "linformer: position 15 reads 16 positions; 256 pairs, 120 of them later" in still.sentence
    assert still.sentence.count("none later") == len(SHOWN) - 1


@pytest.mark.parametrize("power", [0.0, 1.0, 2.0, 1.37])
def test_an_exponent_is_the_slope_on_log_scales(power):
    lengths = (128, 256, 512, 2048)
    assert exponent(lengths, [7.3 * length**power for length in lengths]) == pytest.approx(power)


def test_the_other_figures_say_what_they_show():
    curves = {"attention": [0.1, 0.6, 1.0], "dense Synthesizer": [0.12, 0.13, 0.12]}
    assert "attention ends at 100 %; dense Synthesizer ends at 12 %" in learning_figure(curves, 20, 1 / 8).sentence
    still = cost_figure((2, 4, 8), {"attention": [4.0, 16.0, 64.0]}, {"attention": [2.0, 4.0, 8.0]})
    assert "attention: seconds like T^2.00" in still.sentence and "numbers like T^1.00" in still.sentence
    still = mask_figure(torch.ones(4, 4).tril(), "a mask")
    assert still.sentence == "a mask: 10 of 16 pairs are read, 0 of them later."
    assert learning_figure({}, 20, 1 / 8).png().startswith(PNG)  # nothing learnt yet
