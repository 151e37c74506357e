"""The figures of notebook 09."""

import pytest
import torch

from kqa_core.errors import UserError
from kqa_core.show.figures.nb09_cost import cost_figure, exponent
from kqa_core.show.figures.nb09_patterns import SHOWN, mask_figure, patterns, patterns_figure, show_reach
from kqa_core.show.figures.nb09_weights import learning_figure, show_low_rank, show_orders

PNG = b"\x89PNG"


def test_the_patterns_are_what_each_relative_depends_on():
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


@pytest.mark.slow
def test_the_patterns_figure_says_which_layer_uses_the_future():
    still = patterns_figure()
    assert still.png().startswith(PNG)
    assert (
        "Linformer, r = 4: position 15 depends on 16 positions; 256 pairs, 120 of them later"
        in still.sentence
    )
    assert still.sentence.count("none later") == len(SHOWN) - 1


@pytest.mark.parametrize("power", [0.0, 1.0, 2.0, 1.37])
def test_an_exponent_is_the_slope_on_log_scales(power):
    lengths = (128, 256, 512, 2048)
    assert exponent(lengths, [7.3 * length**power for length in lengths]) == pytest.approx(power)


def test_the_other_figures_say_what_they_show():
    curves = {"attention": [0.1, 0.6, 1.0], "dense Synthesizer": [0.12, 0.13, 0.12]}
    assert (
        "attention ends at 100 %; dense Synthesizer ends at 12 %"
        in learning_figure(curves, 20, 1 / 8).sentence
    )
    still = cost_figure((2, 4, 8), {"attention": [4.0, 16.0, 64.0]}, {"attention": [2.0, 4.0, 8.0]})
    assert "attention: seconds like T^2.00" in still.sentence and "numbers like T^1.00" in still.sentence
    still = mask_figure(torch.ones(4, 4).tril(), "a mask")
    assert still.sentence == "a mask: 10 of 16 pairs are allowed, 0 of them later."
    assert learning_figure({}, 20, 1 / 8).png().startswith(PNG)  # nothing learnt yet


@pytest.mark.slow
def test_the_picture_of_orders_says_where_the_largest_weights_are():
    labels = [["a:1", "b:0", "a?"], ["b:0", "a:1", "a?"]]
    follows, stays = [[0.9, 0.05, 0.05], [0.1, 0.8, 0.1]], [[0.2, 0.5, 0.3]] * 2
    still = show_orders(labels, {"attention": follows, "Synthesizer": stays}, [0, 1])
    assert still.png().startswith(PNG)
    assert "attention: the largest weight is at place 0 (0.90), place 1 (0.80)" in still.sentence
    assert "Synthesizer: the largest weight is at place 1 (0.50), place 1 (0.50)" in still.sentence
    with pytest.raises(UserError, match=r"weights of attention: shape \(2, 3\) was expected"):
        show_orders(labels, {"attention": [[0.5, 0.5]]}, [0, 1])


@pytest.mark.slow
def test_the_picture_of_reach_says_what_the_last_position_depends_on():
    near, all_of_it = torch.ones(4, 4).tril().triu(-1), torch.ones(4, 4)
    still = show_reach({"near": [near, near], "far": [near, all_of_it]})
    assert still.png().startswith(PNG)
    assert "near: after 1 to 2 layers the last position depends on 50 %, 50 % of the inputs" in still.sentence
    assert "far: after 1 to 2 layers the last position depends on 50 %, 100 %" in still.sentence
    with pytest.raises(UserError, match="one table for each number of layers"):
        show_reach({"near": [near], "far": [near, near]})
    with pytest.raises(UserError, match=r"near: a square table \(T, T\) was expected"):
        show_reach({"near": [torch.ones(3, 4)]})


@pytest.mark.slow
def test_the_picture_of_low_rank_says_what_few_singular_values_hold():
    halves = torch.tensor([[0.5, 0.5, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5], [0, 0, 0.5, 0.5]])
    still = show_low_rank(torch.stack([halves, torch.eye(4)]), r=2)
    assert still.png().startswith(PNG)
    assert (
        "2 of 4 singular values hold 50 to 100 % of the sum of squares, and 50 % in the identity"
        in still.sentence
    )
    with pytest.raises(UserError, match="r must lie between 1 and T = 4"):
        show_low_rank(halves[None], r=5)
    with pytest.raises(UserError, match=r"weights of shape \(heads, T, T\)"):
        show_low_rank(halves, r=1)
