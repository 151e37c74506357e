"""Notebook 04's other checks: facts of the course, derivations measured, and gradients seen from outside."""

import random

import pytest
import sympy as sp
import torch
from course_exercises._small_models import layer, small_gpt
from course_exercises.count_parameters import counted
from course_exercises.encoder_decoder_shapes import WHAT, expected
from course_exercises.gpt_forward import draw_tokens, joined
from course_keys import causal_mask as mask_key
from course_keys import count_parameters as count_key
from course_keys import scaling_variance as scaling_key

from kqa_core.check.exercise import NotYet
from kqa_core.check.helpers.transformer_parts import Followed, device_kept, followed, gradients_agree, strided
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import of_notebook
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.show.figures.nb04_masks import LENGTH, leaky_weights, mask_slider, reading_figure, readings, spreads

NOTEBOOK = "04_build_a_transformer"


def test_points_and_order_are_as_the_notebook_has_them():
    points = {exercise.id: exercise.points for exercise in of_notebook(NOTEBOOK)}
    assert list(points.values()) == [1, 2, 1, 2, 1, 1, 1, 4, 3, 2, 2, 3, 2, 2]


def test_the_derived_variance_is_the_measured_one():
    """Two million products. A sum of d products has a kurtosis of at most 9, so their variance is known to
    √(8/2·10⁶) = 0.2 %: 1 % is five deviations away, and the seed is fixed.
    """
    generator = torch.Generator().manual_seed(1)
    for d, s, m in ((1, 1.0, 0.0), (4, 2.0, 0.0), (8, 1.0, 3.0), (16, 0.5, 1.0)):
        query = torch.randn(2_000_000, d, generator=generator)
        key = m + s * torch.randn(2_000_000, d, generator=generator)
        variance, divisor = (float(each) for each in scaling_key.scaling_variance(sp.Integer(d), sp.Float(s), sp.Float(m)))
        measured = (query * key).sum(-1)
        assert float(measured.var()) == pytest.approx(variance, rel=0.01)
        assert float((measured / divisor).var()) == pytest.approx(1.0, rel=0.01)


def test_the_derived_count_is_that_of_the_courses_model():
    for vocab_size, block_size, n_layer, n_head, d_model in ((256, 128, 4, 8, 256), (11, 7, 3, 2, 6), (1, 1, 1, 1, 1)):
        sizes = (vocab_size, block_size, n_layer, n_head, d_model)
        config = GPTConfig(vocab_size=vocab_size, block_size=block_size, n_layer=n_layer, n_head=n_head, d_model=d_model)
        assert count_key.count_parameters(*sizes) == counted(sizes) == GPT(config).count_parameters()
    assert counted((256, 128, 4, 8, 256)) == 3_323_392


def test_the_parts_joined_are_the_courses_gpt():
    parts = small_gpt(9, 7, 2, 6, 5)
    model = GPT(GPTConfig(vocab_size=9, block_size=7, n_layer=2, n_head=2, d_model=6)).double().eval()
    theirs = parts.state_dict()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.zero_()  # the biases of attention, which the parts have not
            if name in theirs:
                parameter.copy_(theirs[name])
        for block, ours in zip(model.blocks, parts.blocks, strict=True):
            maps = (block.attention.query, block.attention.key, block.attention.value, block.attention.projection)
            for linear, weight in zip(maps, ours.attention.maps, strict=True):
                linear.weight.copy_(weight.T)
        tokens = draw_tokens(random.Random(1), 3, 7, 9)
        assert torch.allclose(joined(tokens, parts), model(tokens)[0], atol=1e-12)


def test_the_shapes_are_those_of_torch_and_have_all_names():
    shapes = expected((2, 5, 3, 24, 4, 50))
    assert set(shapes) == set(WHAT)
    assert shapes["cross_weights"] == (2, 4, 3, 5) and shapes["cross_keys"] == (2, 4, 5, 6)


def test_what_is_computed_from_a_followed_tensor_is_followed_in_place_too():
    x = followed(torch.randn(2, 3, dtype=torch.float64), "x")
    out = torch.zeros(2, 3, dtype=torch.float64)
    out[0] = 2 * x[1]
    view = torch.zeros(4, 3, dtype=torch.float64)
    view.narrow(0, 1, 2).copy_(x)
    for each in (out, view, torch.stack([x, x]), x.sum(), layer("norm", 3, 1)(x)):
        assert type(each) is Followed and set(each.gradients()) == {"x"}
    assert x.detach().gradients() == {}
    assert layer("attention", 4, 1, "a")(torch.randn(1, 2, 4, dtype=torch.float64)).gradients().keys() == {
        f"a.maps.{i}" for i in range(4)
    }


def test_making_the_parts_draws_nothing_from_the_global_generator():
    before = torch.get_rng_state()
    for kind in ("norm", "attention", "mlp"):
        assert all(each.device.type == "cpu" for each in layer(kind, 4, 1).parameters())
    assert all(each.device.type == "cpu" for each in small_gpt(9, 7, 2, 6, 5).parameters())
    assert torch.equal(torch.get_rng_state(), before)


def test_gradients_are_told_from_missing_and_from_wrong_ones():
    given = {"a": torch.randn(3, dtype=torch.float64), "b": torch.randn(3, dtype=torch.float64)}

    def oracle(a, b):
        return a * b + a

    gradients_agree(LocalAnswer(oracle), oracle, given)
    for wrong, said in (
        (lambda a, b: (a * b + a).detach(), "No gradient comes back"),
        (lambda a, b: a * b.detach() + a, "No gradient reaches b"),
        (lambda a, b: a.detach() * b + a, "The gradient at"),
        (lambda a, b: a.mul_(b) + a, "Your code cannot be trained"),
        (lambda a, b: torch.tensor((a * b + a).tolist(), dtype=torch.float64), "No gradient comes back"),
    ):
        with pytest.raises(NotYet, match=said):
            gradients_agree(LocalAnswer(wrong), oracle, given)


def _written_into_zeros(x):
    out = torch.zeros(2, 2)
    out[0] = x[0]
    return out


def _masked_in_place(x):
    scores = 2 * x
    scores.masked_fill_(torch.ones(2, 2).triu(1) > 0, 0.0)
    return scores


@pytest.mark.parametrize(
    "kept",
    [
        lambda x: 2 * x,
        lambda x: x / torch.tensor(4.0).sqrt(),  # a single number goes with any device
        lambda x: x[torch.tensor([1, 0])],  # and so does an index
        lambda x: x + torch.ones(2, 2, device=x.device) + torch.zeros_like(x) + torch.eye(2).to(x.device),
        lambda x: x + torch.ones(2, 2).to(x) + torch.eye(2).type_as(x),
        lambda x: torch.cat([x, x]).split(2)[0],
        lambda x: x * float(x.sum()),  # needs the numbers, so nothing can be said
        lambda x: torch.nn.functional.scaled_dot_product_attention(x[None], x[None], x[None], is_causal=True)[0],
        lambda x: torch.func.vmap(lambda row: 2 * row)(x),
    ],
)
def test_an_answer_that_stays_on_its_device_is_let_be(kept):
    device_kept(LocalAnswer(kept), torch.ones(2, 2))


@pytest.mark.parametrize(
    ("moved", "said"),
    [
        (lambda x: torch.zeros(2, 2), "on another device"),
        (_written_into_zeros, "on another device"),
        (lambda x: _written_into_zeros(x) @ x, "on the CPU"),
        (lambda x: x + torch.ones(2, 2), "on the CPU"),
        (lambda x: torch.cat([x, torch.zeros(2, 2)]), "on the CPU"),
        (lambda x: (x.masked_fill(torch.ones(2, 2).triu(1) > 0, 0.0) @ x).split(1)[0], "on the CPU"),
        (lambda x: x @ torch.ones(2, 2), "on the CPU"),
        (_masked_in_place, "on the CPU"),
    ],
)
def test_a_tensor_of_another_device_is_noticed(moved, said):
    with pytest.raises(NotYet, match=said):
        device_kept(LocalAnswer(moved), torch.ones(2, 2))


def test_a_strided_tensor_has_the_same_numbers_and_is_not_contiguous():
    x = torch.randn(3, 4, 5)
    assert torch.equal(strided(x), x) and not strided(x).is_contiguous()


def test_the_figures_say_what_is_so():
    deviation, scaled, plain = spreads()
    assert deviation[-2] == pytest.approx(16, rel=0.05)  # √256
    assert plain[-1] > 0.8 > 0.4 > scaled[-1] and plain == sorted(plain)
    assert torch.allclose(leaky_weights(-4.0, 1.0).sum(-1), torch.ones(LENGTH, dtype=torch.float64))
    steps = [float(leaky_weights(-10.0, steepness).triu(1).sum()) for steepness in (1.0, 4.0, 12.0)]
    assert steps[0] < 0.01 < 0.1 < steps[-1]


def test_the_three_tables_have_the_shapes_of_the_weights_and_only_the_decoder_is_masked():
    tables, shapes = readings(5, 3), expected((2, 5, 3, 24, 4, 50))
    for (name, allowed), weights in zip(tables.items(), ("encoder_weights", "decoder_weights", "cross_weights"), strict=True):
        assert tuple(allowed.shape) == shapes[weights][-2:], name
    assert tables["encoder, self"].all() and tables["decoder, cross"].all()
    assert torch.equal(tables["decoder, self"], mask_key.causal_mask(3))
    assert "position t reads 0 to t" in repr(reading_figure())


def test_the_last_position_of_the_slider_leaks_nothing_and_the_sentence_follows_the_controls():
    widget = mask_slider(mask_value=-4.0)
    bars = widget.figure.axes[1]
    assert "With -4 in place" in widget.sentence and bars.patches[-1].get_width() == 0.0 < bars.patches[0].get_width()
    before = widget.png
    widget.controls["mask_value"].value = -40.0
    assert "With -40 in place" in widget.sentence and widget.png != before
