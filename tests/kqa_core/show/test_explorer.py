"""The attention explorer in Python: what is captured, what is sent, what is said, what is refused."""

import base64
import copy
import json
import math
import re

import numpy as np
import pytest
import torch
from matplotlib.backends.backend_agg import FigureCanvasAgg
from torch import nn

from kqa_core.errors import UserError
from kqa_core.model.attention import attention
from kqa_core.model.checkpoint import Checkpoint
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.model.variant_registry import variant_names
from kqa_core.show import attention_of
from kqa_core.show.explorer.capture import given, watch
from kqa_core.show.explorer.explorer import MODULE, STAGES, explore
from kqa_core.show.kit.theme import stylesheet
from kqa_core.text.vocabulary import Vocabulary

TEXT = "Ada was born in Tal.⁇"
# weights that no query and key make, or that are not between tokens
UNSEEN = {"random_synthesizer", "factorised_synthesizer", "factorised_random_synthesizer", "linformer"}
VOCABULARY = Vocabulary.from_text(TEXT.replace("⁇", ""))


def small(variant="vanilla", n_layer=2, n_head=2):
    torch.manual_seed(3)
    model = GPT(
        GPTConfig(len(VOCABULARY), block_size=24, n_layer=n_layer, n_head=n_head, d_model=8, variant=variant)
    )
    for parameter in model.parameters():  # further from zero than at the start, so that rows differ
        nn.init.normal_(parameter, std=0.6)
    return model


def rows(*shape, seed=0):
    weights = np.random.default_rng(seed).gamma(0.3, size=shape) + 1e-6
    return weights / weights.sum(axis=-1, keepdims=True)


# the perceiver's stack is no list of blocks with one attention each, which is what this test hooks into
@pytest.mark.parametrize("variant", sorted(set(variant_names()) - UNSEEN - {"perceiver"}))
def test_the_weights_seen_are_those_the_model_used(variant):
    model, noted = small(variant), []
    # what each attention reads before its last projection: weights @ value, heads side by side
    for block in model.blocks:
        block.attention.projection.register_forward_pre_hook(lambda _, inputs: noted.append(inputs[0]))
        block.attention.value.register_forward_hook(lambda _, __, output: noted.append(output))
    seen = watch(model, VOCABULARY.encode(TEXT))
    T = len(TEXT)
    assert seen.weights.shape == (2, 2, T, T)
    for layer in range(2):
        value, read = (
            part[0].reshape(T, 2, 4).transpose(0, 1).numpy() for part in noted[2 * layer : 2 * layer + 2]
        )  # (nh, T, hs)
        np.testing.assert_allclose(seen.weights[layer] @ value, read, atol=1e-5)
    assert np.array_equal(seen.allowed[0], np.tril(np.ones((T, T), dtype=bool)))


@pytest.mark.parametrize("variant", sorted(UNSEEN))
def test_a_variant_whose_weights_do_not_come_from_queries_and_keys_is_named(variant):
    with pytest.raises(UserError, match=f"variant '{variant}' keeps no table of 21 × 21 weights per layer"):
        explore(small(variant), TEXT, VOCABULARY)


@pytest.mark.parametrize("variant", sorted(set(variant_names()) - UNSEEN))
def test_the_stages_lead_to_the_weights(variant):
    seen = watch(small(variant), VOCABULARY.encode(TEXT))
    dots = seen.query @ seen.key.swapaxes(-1, -2)  # (L, H, T, T)
    logits = dots * np.array(seen.scale)[:, None, None, None]
    exponentials = np.where(seen.allowed[:, None], np.exp(logits), 0)
    np.testing.assert_allclose(exponentials / exponentials.sum(-1, keepdims=True), seen.weights, atol=1e-5)
    assert seen.scale == ((1.0, 1.0) if variant == "synthesizer" else (1 / math.sqrt(4),) * 2)


@pytest.mark.parametrize("training", [True, False])
def test_looking_changes_nothing(training):
    model = small().train(training)
    model.blocks[0].attention.residual_dropout.train(not training)
    before = copy.deepcopy(model.state_dict())
    modes, state = [module.training for module in model.modules()], torch.random.get_rng_state()
    explore(model, TEXT, VOCABULARY)
    assert all(torch.equal(before[name], now) for name, now in model.state_dict().items())
    assert [module.training for module in model.modules()] == modes
    assert torch.equal(torch.random.get_rng_state(), state)
    assert all(parameter.grad is None and parameter.requires_grad for parameter in model.parameters())


class Biased(nn.Module):
    """An attention with one query head too few keys and a penalty on distance, as ALiBi's:
    what later variants may do.
    """

    def __init__(self):
        super().__init__()
        self.value = nn.Linear(8, 4)
        self.projection = nn.Linear(8, 8)

    def forward(self, x, cache=None):
        T = x.shape[1]
        query, key = x.view(1, T, 2, 4).transpose(1, 2), self.value(x).view(1, T, 1, 4).transpose(1, 2)
        distance = torch.arange(T)[:, None] - torch.arange(T)
        mask = (-0.3 * distance).masked_fill(distance < 0, -math.inf)
        read = torch.nn.functional.scaled_dot_product_attention(
            query, key, key, attn_mask=mask, enable_gqa=True
        )
        return self.projection(read.transpose(1, 2).reshape(1, T, 8))


def test_a_bias_and_shared_keys_are_seen_too():
    model = small()
    for block in model.blocks:
        block.attention = Biased()
    seen = watch(model, VOCABULARY.encode(TEXT))
    assert seen.key.shape == seen.query.shape == (2, 2, len(TEXT), 4)
    assert seen.bias[0, 1, 5, 2] == pytest.approx(-0.9)
    logits = (seen.query @ seen.key.swapaxes(-1, -2)) * 0.5 + seen.bias
    exponentials = np.where(seen.allowed[:, None], np.exp(logits), 0)
    np.testing.assert_allclose(exponentials / exponentials.sum(-1, keepdims=True), seen.weights, atol=1e-5)


class NoTable(nn.Module):
    """An attention that never has a table of weights: every position reads the mean of those before it."""

    def forward(self, x, cache=None):
        return x.cumsum(1) / torch.arange(1, x.shape[1] + 1)[:, None]


def test_a_model_without_weights_is_named():
    model = small()
    model.blocks[1].attention = NoTable()
    with pytest.raises(UserError, match=r"variant 'vanilla' keeps no table of 21 × 21 weights per layer"):
        explore(model, TEXT, VOCABULARY)


def test_a_checkpoint_brings_its_vocabulary_and_a_list_of_numbers_needs_none():
    model = small()
    two = explore(model, VOCABULARY.encode(TEXT))
    one = explore(Checkpoint(model, VOCABULARY), TEXT)
    assert one.tokens == list(TEXT)
    assert explore(model, TEXT).panes == one.panes  # the checkpoint told it its characters
    assert two.tokens == [str(number) for number in VOCABULARY.encode(TEXT)]
    assert two.panes[0]["weights"] == one.panes[0]["weights"]
    np.testing.assert_array_equal(attention_of(model, VOCABULARY.encode(TEXT)).weights, two.seen[0].weights)
    assert explore(model, torch.tensor(VOCABULARY.encode(TEXT)), VOCABULARY).tokens == list(TEXT)


def test_what_is_sent_is_within_a_255th_and_sums_are_exact():
    weights = rows(2, 3, 50, 50)
    pane = explore(weights).panes[0]
    sent = np.frombuffer(pane["weights"], dtype=np.uint8).reshape(weights.shape) / 255
    assert np.abs(sent - weights).max() <= 0.5 / 255 + 1e-6
    np.testing.assert_allclose(np.frombuffer(pane["sums"], "<f4"), 1, atol=1e-5)
    np.testing.assert_allclose(
        np.frombuffer(pane["received"], "<f4").reshape(2, 3, 50), weights.sum(-2), rtol=1e-4
    )
    assert pane["query"] is None and (pane["layers"], pane["heads"]) == (2, 3)


def test_a_row_spreads_over_as_many_tokens_as_it_reads_alike():
    weights = np.zeros((1, 1, 4, 4))
    for row, n in enumerate((1, 2, 3, 4)):
        weights[0, 0, row, :n] = 1 / n
    pane = explore(weights, "abcd").panes[0]
    np.testing.assert_allclose(np.frombuffer(pane["spread"], "<f4"), [1, 2, 3, 4], rtol=1e-5)


def test_weights_that_never_read_ahead_count_as_masked():
    weights = np.tril(rows(2, 2, 6, 6))
    weights /= weights.sum(axis=-1, keepdims=True)
    assert not given(weights).allowed[1, 2, 3]
    weights[1, 0, 0] = 1 / 6  # one row of one head reads ahead
    assert given(weights).allowed.all()


@pytest.mark.parametrize("form", ["numpy", "torch", "lists", "batches of one", "half precision", "one batch"])
def test_weights_come_in_many_forms(form):
    weights = rows(3, 2, 5, 5).astype(np.float32)
    tensor = torch.tensor(weights)
    forms = {
        "numpy": weights,
        "torch": tensor.requires_grad_(),
        "lists": weights.tolist(),
        "batches of one": tuple(tensor[:, None]),  # as Hugging Face's models return them
        "half precision": tensor.bfloat16(),
        "one batch": tensor[:, None],
    }
    np.testing.assert_allclose(given(forms[form]).weights, weights, atol=0.005)


def broken(change):
    weights = rows(2, 2, 4, 4)
    change(weights)
    return weights


def put(place, value):
    return broken(lambda weights: weights.__setitem__(place, value))


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (rows(4, 4), r"shape \(4, 4\): \(layers, heads, tokens, tokens\) was expected"),
        (rows(2, 2, 4, 5), r"shape \(2, 2, 4, 5\)"),
        (np.zeros((2, 0, 4, 4)), r"shape \(2, 0, 4, 4\)"),
        (put((1, 0, 2, 3), np.nan), r"weights\[1, 0, 2, 3\] is nan: a number was expected"),
        (put((0, 1, 2, 3), np.inf), r"weights\[0, 1, 2, 3\] is inf"),
        (
            put((0, 1, 2, 3), -0.2),
            r"is -0.2: a weight from 0 to 1 was expected: give the weights after the softmax",
        ),
        (put((1, 1, 3), 0.5), r"row 3 of layer 1, head 1 sums to 2, 1 was expected"),
        (put((0, 0, 0), 0.0), r"row 0 of layer 0, head 0 sums to 0, 1 was expected"),
        ({"a": 1}, "dict: a model or an array"),
        (None, "NoneType: a model or an array"),
        ([[1, 2], [3]], "list: a model or an array"),
    ],
)
def test_what_are_no_weights_is_said_in_one_line(weights, said):
    with pytest.raises(UserError, match=said) as error:
        explore(weights)
    assert "\n" not in str(error.value)


def test_weights_too_many_for_a_page_are_refused_before_they_are_read():
    with pytest.raises(UserError, match=r"100,000,000 weights are too many for a page"):
        explore(np.broadcast_to(np.float32(1e-4), (1, 1, 10_000, 10_000)))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: explore(small()), "needs something to read"),
        (lambda: explore(small(), "", VOCABULARY), "needs something to read"),
        (lambda: explore(small(), TEXT), "this model was given no vocabulary yet"),
        (lambda: explore(small(), "x", VOCABULARY), "'x'"),
        (lambda: explore(small(), TEXT * 2, VOCABULARY), "42 tokens: this model reads 1 to 24"),
        (lambda: explore(small(), [0, 99]), "token 99: this model's go from 0 to"),
        (lambda: explore(rows(1, 1, 4, 4), "abc"), "3 tokens for weights of 4 × 4"),
        (lambda: explore(rows(1, 1, 4, 4), other=rows(1, 1, 5, 5)), "4 tokens beside 5"),
        (lambda: explore(rows(1, 1, 4, 4), names="ab"), "names 'ab': a list of 1"),
        (lambda: explore(rows(1, 1, 4, 4)).show(layer=1), "layer 1: there are 1"),
        (lambda: explore(rows(1, 1, 4, 4)).show(key=-1), "key -1: there are 4"),
        (lambda: explore(rows(1, 1, 4, 4)).show(pane=1), "pane 1: there are 1"),
        (
            lambda: explore(rows(1, 1, 4, 4)).show(stage="max"),
            "stage 'max': one of dot product, scale, mask, softmax",
        ),
        (lambda: explore(rows(1, 1, 4, 4)).to_html("/nowhere/page.html"), "cannot be written"),
    ],
)
def test_other_mistakes_are_said_in_one_line(call, said):
    with pytest.raises(UserError, match=re.escape(said)) as error:
        call()
    assert "\n" not in str(error.value)


def test_two_models_stand_side_by_side():
    widget = explore(
        small(), TEXT, VOCABULARY, other=small("synthesizer", n_layer=1, n_head=4), names=["ours", "theirs"]
    )
    assert [(pane["name"], pane["layers"], pane["heads"], pane["channels"]) for pane in widget.panes] == [
        ("ours", 2, 2, 4),
        ("theirs", 1, 4, 3),  # d_head 2, and the channel of b₂
    ]
    assert widget.panes[1]["query_name"] == "ReLU(x A + b₁), 1"
    widget.show(1, 1).show(head=3, pane=1)
    assert widget.at == [[1, 1], [0, 3]]
    assert "Attention of theirs (1 layer × 4 heads, 21 tokens). Layer 0, head 3" in widget.sentence


def test_the_sentence_says_what_is_chosen():
    weights = np.zeros((1, 2, 3, 3))
    weights[..., 0] = 1
    weights[0, 1, 2] = [0.25, 0.71, 0.04]
    widget = explore(weights, ["a", " ", "c"]).show(0, 1, 2, 1)
    assert widget.sentence.endswith("Layer 0, head 1: token 2 “c” attends 0.71 to token 1 space.")
    assert explore(weights).show(0, 1, 2, 1).sentence.endswith("token 2 attends 0.71 to token 1.")
    assert "may not read" in explore(small(), TEXT, VOCABULARY).show(query=0, key=3).sentence
    first = explore(weights)
    # the last token, and what it reads most
    assert (first.at, first.pair, STAGES[first.stage]) == ([[0, 0]], [2, 0], "softmax")


@pytest.mark.slow
def test_where_no_kernel_runs_there_is_a_still_and_a_sentence():
    widget = explore(small(), TEXT, VOCABULARY)
    data, metadata = widget._repr_mimebundle_()
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    assert data["text/plain"] == metadata["image/png"]["alt"] == widget.sentence
    assert "application/vnd.jupyter.widget-view+json" in data
    assert widget.png == explore(small(), TEXT, VOCABULARY).png
    assert widget.png != widget.show(1, 1).png


@pytest.mark.slow
def test_the_still_hatches_what_is_masked_in_the_large_head_and_in_the_small_ones():
    figure = explore(small(), TEXT, VOCABULARY)._draw()
    FigureCanvasAgg(figure).draw()
    # from the bottom up, as matplotlib counts
    pixels = np.asarray(figure.canvas.buffer_rgba())[::-1, :, :3].astype(int)
    heads, head, _ = figure.subfigs[0].axes
    step = heads.get_xlim()[1] / 2
    for axes, left, top, side in ((head, -0.5, -0.5, 21), (heads, 0, 0, step), (heads, step, step, step)):
        # later keys between them
        corners = [(left + 0.5 * side, top + 0.4 * side), (left + 0.9 * side, top + 0.05 * side)]
        (x, y), (right, upper) = axes.transData.transform(corners).astype(int)
        masked = pixels[y:upper, x:right]
        assert np.ptp(masked, axis=-1).max() == 0, "a colour where no weight is"
        assert masked.min() < 200 and masked.max() > 230, "grey without lines"


def test_the_module_is_small_plain_and_asks_nobody():
    assert len(MODULE.encode()) < 30_000
    assert "http" not in MODULE and "import" not in re.sub(r"//.*", "", MODULE) and "</script" not in MODULE
    assert "http" not in stylesheet() and "@import" not in stylesheet() and "url(" not in stylesheet()


@pytest.mark.slow
def test_the_exported_page_holds_everything_and_no_text_ends_its_script(tmp_path):
    nasty = "</script><b>"
    widget = explore(rows(1, 2, 3, 3), [nasty, "&", "é"], names=["<i>"]).show(0, 1, 0, 2)
    text = widget.to_html(tmp_path / "page.html", title="a < b")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == text
    assert "http://" not in text and "https://" not in text
    assert "<title>a &lt; b</title>" in text and nasty not in text and "<i>" not in text
    state = json.loads(re.search(r'id="state">(.*?)</script>', text)[1])
    assert state["tokens"] == [nasty, "&", "é"] and state["at"] == [[0, 1]] and state["pair"] == [0, 2]
    assert base64.b64decode(state["panes"][0]["weights"]["base64"]) == widget.panes[0]["weights"]


def test_attention_on_its_own_shows_what_the_equation_gives():
    """A head can be looked at without any model: the weights of the equation itself."""
    query, key = torch.randn(2, 1, 3, 6, 4, generator=torch.Generator().manual_seed(0))
    # values that are the unit vectors read the weights themselves
    weights = attention(query, key, torch.eye(6))[None, 0]
    assert explore(weights).seen[0].weights.shape == (1, 3, 6, 6)
