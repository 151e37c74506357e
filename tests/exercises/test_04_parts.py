"""Notebook 04's other checks: facts of the course, derivations measured, and gradients seen from outside."""

import random

import pytest
import sympy as sp
import torch
from course_exercises._small_models import block_output, block_weights, gpt_output, weights_of
from course_exercises.count_parameters import counted
from course_exercises.encoder_decoder_shapes import WHAT, expected
from course_exercises.gpt_forward import draw_tokens
from course_exercises.sample_next import probabilities
from course_exercises.translate import Case, draw_case, translated
from course_keys import causal_mask as mask_key
from course_keys import count_parameters as count_key
from course_keys import gpt_forward as gpt_key
from course_keys import pre_ln_block as block_key
from course_keys import sample_next as sample_key
from course_keys import scaling_variance as scaling_key
from course_keys import translate as translate_key

from kqa_core.check.exercise import NotYet
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import of_notebook
from kqa_core.exercise_helpers.followed import Followed, followed
from kqa_core.exercise_helpers.transformer_parts import device_kept, gradients_agree, strided
from kqa_core.experiments.pretrained import shipped_model
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.show.figures.nb04_masks import (
    LENGTH,
    leaky_weights,
    mask_slider,
    reading_figure,
    readings,
    spreads,
)

NOTEBOOK = "04_build_a_transformer"


def test_points_and_order_are_as_the_notebook_has_them():
    points = {exercise.id: exercise.points for exercise in of_notebook(NOTEBOOK)}
    assert "".join(map(str, points.values())) == "12123111412133222323222232"


@pytest.mark.slow
def test_the_derived_variance_is_the_measured_one():
    """Two million products. A sum of d products has a kurtosis of at most 9, so their variance is known to
    √(8/2·10⁶) = 0.2 %: 1 % is five deviations away, and the seed is fixed.
    """
    generator = torch.Generator().manual_seed(1)
    for d, s, m in ((1, 1.0, 0.0), (4, 2.0, 0.0), (8, 1.0, 3.0), (16, 0.5, 1.0)):
        query = torch.randn(2_000_000, d, generator=generator)
        key = m + s * torch.randn(2_000_000, d, generator=generator)
        variance, divisor = (
            float(each) for each in scaling_key.scaling_variance(sp.Integer(d), sp.Float(s), sp.Float(m))
        )
        measured = (query * key).sum(-1)
        assert float(measured.var()) == pytest.approx(variance, rel=0.01)
        assert float((measured / divisor).var()) == pytest.approx(1.0, rel=0.01)


@pytest.mark.slow
def test_the_derived_count_is_that_of_the_courses_model():
    for vocab_size, block_size, n_layer, n_head, d_model in (
        (256, 128, 4, 8, 256),
        (11, 7, 3, 2, 6),
        (1, 1, 1, 1, 1),
    ):
        sizes = (vocab_size, block_size, n_layer, n_head, d_model)
        config = GPTConfig(
            vocab_size=vocab_size, block_size=block_size, n_layer=n_layer, n_head=n_head, d_model=d_model
        )
        assert count_key.count_parameters(*sizes) == counted(sizes) == GPT(config).count_parameters()
    assert counted((256, 128, 4, 8, 256)) == 3_323_392


def test_the_weights_of_the_checks_are_those_of_a_checkpoint():
    config = GPTConfig(vocab_size=9, block_size=7, n_layer=2, n_head=2, d_model=6)
    model, weights = GPT(config).double().eval(), weights_of((9, 7, 2, 2, 6), 5)
    model.load_state_dict(weights)
    tokens = draw_tokens(random.Random(1), 3, 7, 9)
    with torch.no_grad():
        assert torch.equal(gpt_output(tokens, weights, 2), model(tokens)[0])


def test_the_references_compute_a_shipped_model():
    shipped = shipped_model("small.vanilla.finetune")
    tokens = torch.tensor([shipped.vocabulary.encode("Where was Draosh Sokak born?⁇")])
    weights, n_head = shipped.model.state_dict(), shipped.model.config.n_head
    with torch.no_grad():
        wanted = shipped.model.eval()(tokens)[0]
        for function in (gpt_key.KEY.reference, *gpt_key.KEY.accepted):
            assert torch.allclose(function(tokens, weights, n_head), wanted, atol=1e-4), function.__name__


def test_torchs_own_layer_is_the_courses_block():
    x, weights = torch.randn(2, 5, 8, dtype=torch.float64), block_weights((1, 1, 1, 2, 8), 3)
    assert torch.allclose(block_key.by_torchs_layer(x, weights, 2), block_output(x, weights, 2), atol=1e-12)


def test_every_weight_but_the_keys_biases_is_followed_and_gets_a_gradient():
    weights = weights_of((5, 6, 2, 2, 4), 7, follow=True)
    gradients = gpt_output(torch.tensor([[0, 1, 2, 3, 4, 0]]), weights, 2).gradients()
    assert set(gradients) == {name for name in weights if not name.endswith("key.bias")}
    assert all(gradient.abs().max() > 0 for gradient in gradients.values())


def test_sampling_gives_each_token_its_share():
    """Of 4,000 evenly spaced u, each token gets its probability times 4,000,
    to within one at either end of its stretch.
    """
    logits = torch.tensor([0.2, 1.5, -1.0, 0.7], dtype=torch.float64)
    for temperature in (0.5, 1.0, 3.0):
        drawn = [sample_key.sample_next(logits, temperature, (i + 0.5) / 4000) for i in range(4000)]
        for token, share in enumerate(probabilities(logits, temperature)):
            assert abs(drawn.count(token) - 4000 * share) <= 1


def test_a_translation_is_as_long_as_drawn_and_differs_when_the_encoder_runs_again():
    rng = random.Random(5)
    differ = []
    for length, limit in ((3, 8), (5, 5), (0, 4), (1, 2)):
        case = draw_case(rng, 4, 9, length, limit)
        assert len(translated(case)) == length
        differ.append(translated(case) != translated(case, encode_again=1))
    assert sum(differ) >= 2


def test_the_encoder_runs_once_and_the_decoder_once_for_each_token():
    ran = []

    def encode(source):
        ran.append("encode")
        return source

    def decode(memory, tokens):
        ran.append(tokens.shape[1])
        return torch.eye(6)[memory[:, : tokens.shape[1]]]  # copies the source

    case = Case(torch.tensor([[3, 1, 4, 0]]), 0, 6, start=5, stop=0, limit=9)
    for function in (translate_key.KEY.reference, translate_key.in_a_for_loop, translate_key.recursively):
        ran.clear()
        assert list(function(case.source, encode, decode, case.start, case.stop, case.limit)) == [3, 1, 4]
        assert ran == ["encode", 1, 2, 3, 4]


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
    for each in (out, view, torch.stack([x, x]), x.sum(), torch.nn.functional.layer_norm(x, (3,))):
        assert type(each) is Followed and set(each.gradients()) == {"x"}
    assert x.detach().gradients() == {}


def test_making_the_weights_draws_nothing_from_the_global_generator():
    before = torch.get_rng_state()
    weights = weights_of((9, 7, 2, 2, 6), 5)
    block_output(torch.ones(1, 2, 6, dtype=torch.float64), block_weights((9, 7, 2, 2, 6), 5), 2)
    assert all(each.device.type == "cpu" and each.dtype is torch.float64 for each in weights.values())
    assert torch.equal(torch.get_rng_state(), before)


def test_gradients_are_told_from_missing_and_from_wrong_ones():
    given = {"a": torch.randn(3, dtype=torch.float64), "b": torch.randn(3, dtype=torch.float64)}

    def oracle(a, b):
        return a * b + a

    gradients_agree(LocalAnswer(oracle), oracle, given)
    for wrong, said in (
        (lambda a, b: (a * b + a).detach(), "No gradient flows back"),
        (lambda a, b: a * b.detach() + a, "No gradient reaches b"),
        (lambda a, b: a.detach() * b + a, r"For a \(3,\), b \(3,\), the gradient with respect to"),
        (lambda a, b: a.mul_(b + 1), "Your code cannot be trained"),
        (lambda a, b: a * b + 2 * a, r"For a \(3,\), b \(3,\) your output is wrong"),
        (lambda a, b: torch.tensor((a * b + a).tolist(), dtype=torch.float64), "No gradient flows back"),
    ):
        with pytest.raises(NotYet, match=said):
            gradients_agree(LocalAnswer(wrong), oracle, given)


def _written_into_zeros(x):
    out = torch.zeros(2, 2)
    out[0] = x[0]
    return out


def _assigned_column(x, angle):
    out = torch.empty_like(x)
    for column in range(2):
        out[:, column] = x[:, column] * angle.cos()
    return out


def _written_through_a_view(x):
    out = torch.empty_like(x)
    out[0].copy_(x[0] * torch.ones(2))
    return out


def _added_to_a_view(x):
    out = torch.zeros_like(x)
    for row, part in zip(out.unbind(), x, strict=True):
        row += part * torch.ones(2)
    return out


def _put_at_an_index(x):
    out = torch.zeros_like(x)
    out.index_put_((torch.tensor([0], device=x.device),), x[:1] * torch.ones(2))
    return out


def _given_as_out(x):
    out = torch.empty_like(x)
    torch.mul(x, torch.ones(2), out=out)
    return out


def _minimum_given_as_out(x):
    out = (torch.empty_like(x[0]), torch.empty(2, dtype=torch.long, device=x.device))
    torch.min(x + torch.ones(2), 0, out=out)
    return out[0]


def _copied_there(x):
    out = torch.empty_like(x)
    out[0] = torch.ones(2)  # a copy from this device to the other is allowed
    return out.copy_(torch.ones(2, 2)) + x


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
        lambda x: torch.nn.functional.scaled_dot_product_attention(x[None], x[None], x[None], is_causal=True)[
            0
        ],
        lambda x: torch.func.vmap(lambda row: 2 * row)(x),
        lambda x: _assigned_column(x, torch.ones(2, device=x.device)),
        _copied_there,
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
        (lambda x: _assigned_column(x, torch.ones(2)), "on the CPU"),
        *(
            (written, "on the CPU")
            for written in (
                _written_through_a_view,
                _added_to_a_view,
                _put_at_an_index,
                _given_as_out,
                _minimum_given_as_out,
            )
        ),
    ],
)
def test_a_tensor_of_another_device_is_noticed(moved, said):
    with pytest.raises(NotYet, match=said):
        device_kept(LocalAnswer(moved), torch.ones(2, 2))


def test_a_strided_tensor_has_the_same_numbers_and_is_not_contiguous():
    x = torch.randn(3, 4, 5)
    assert torch.equal(strided(x), x) and not strided(x).is_contiguous()


@pytest.mark.slow
def test_the_figures_say_what_is_so():
    deviation, scaled, plain = spreads()
    assert deviation[-2] == pytest.approx(16, rel=0.05)  # √256
    assert plain[-1] > 0.8 > 0.4 > scaled[-1] and plain == sorted(plain)
    assert torch.allclose(leaky_weights(-4.0, 1.0).sum(-1), torch.ones(LENGTH, dtype=torch.float64))
    steps = [float(leaky_weights(-10.0, steepness).triu(1).sum()) for steepness in (1.0, 4.0, 12.0)]
    assert steps[0] < 0.01 < 0.1 < steps[-1]


def test_the_three_tables_have_the_shapes_of_the_weights_and_only_the_decoder_is_masked():
    tables, shapes = readings(5, 3), expected((2, 5, 3, 24, 4, 50))
    for (name, allowed), weights in zip(
        tables.items(), ("encoder_weights", "decoder_weights", "cross_weights"), strict=True
    ):
        assert tuple(allowed.shape) == shapes[weights][-2:], name
    assert tables["encoder, self"].all() and tables["decoder, cross"].all()
    assert torch.equal(tables["decoder, self"], mask_key.causal_mask(3))
    assert "position t attends to 0 to t" in repr(reading_figure())


@pytest.mark.slow
def test_the_last_position_of_the_slider_leaks_nothing_and_the_sentence_follows_the_controls():
    widget = mask_slider(mask_value=-4.0)
    bars = widget.figure.axes[1]
    assert (
        "With -4 in place" in widget.sentence
        and bars.patches[-1].get_width() == 0.0 < bars.patches[0].get_width()
    )
    before = widget.png
    widget.controls["mask_value"].value = -40.0
    assert "With -40 in place" in widget.sentence and widget.png != before
