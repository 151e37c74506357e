"""The walk through one forward pass: its numbers are the model's,
its lines of code are in the source, mistakes are named.
"""

import ast
import base64
import inspect
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import kqa_core
from kqa_core.errors import UserError
from kqa_core.model.attention import CausalSelfAttention, attention_weights, merge_heads, split_heads
from kqa_core.model.checkpoint import Checkpoint
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.show import walkthrough
from kqa_core.show.walk.facts import order, point
from kqa_core.show.walk.numbers import ONCE
from kqa_core.show.walk.source import source_line
from kqa_core.show.walk.steps import STEPS
from kqa_core.show.walk.walkthrough import MODULES
from kqa_core.text.vocabulary import Vocabulary

TEXT = "Ada was born in Tal.⁇"
VOCABULARY = Vocabulary.from_text(TEXT.replace("⁇", ""))
T, L, H, C = len(TEXT), 3, 2, 12
MODELS = {
    "learned": {},
    "sinusoidal": {"positions": "sinusoidal"},
    "none": {"positions": "none"},
    "rotary": {"positions": "rotary"},
    "rope": {"variant": "rope"},
    "bigbird": {"variant": "bigbird", "bigbird_window": 3, "bigbird_global": 1, "bigbird_random": 1},
    "shifted heads": {"fusion": "shift"},
}


def small(**options):
    torch.manual_seed(4)
    model = GPT(GPTConfig(len(VOCABULARY), block_size=24, n_layer=L, n_head=H, d_model=C, **options))
    for parameter in model.parameters():  # further from zero than at the start, so that rows differ
        nn.init.normal_(parameter, std=0.5)
    return model


def walked(**options):
    model = small(**options)
    return model, walkthrough(model, TEXT, VOCABULARY)


def sent(walk, name):
    """An array as it reaches the page."""
    array = walk.arrays[name]
    return np.frombuffer(array["data"], "<f4").reshape(array["shape"])


def same(walk, name, expected):
    np.testing.assert_allclose(sent(walk, name), expected.detach().numpy(), atol=1e-5)


@pytest.mark.parametrize("kind", MODELS)
@torch.no_grad()
def test_every_number_is_the_models_own(kind):
    model, walk = walked(**MODELS[kind])
    model.eval()
    tokens = torch.tensor([VOCABULARY.encode(TEXT)])
    x = model.token_embedding(tokens)
    embedding = x * math.sqrt(C) if kind == "sinusoidal" else x
    same(walk, "embedding", embedding[0])
    if kind in ("learned", "sinusoidal", "bigbird", "shifted heads"):
        position = model.sinusoidal_embedding if kind == "sinusoidal" else model.position_embedding
        same(walk, "position", position[:T])
        x = embedding + position[:T]
    else:
        assert "position" not in walk.arrays
    stream = [x]
    for layer, block in enumerate(model.blocks):
        normed = block.norm_1(x)
        query, key, value = (
            split_heads(part(normed), H)
            for part in (block.attention.query, block.attention.key, block.attention.value)
        )
        if kind in ("rotary", "rope"):
            np.testing.assert_allclose(sent(walk, "query_before")[layer], query[0], atol=1e-5)
            np.testing.assert_allclose(sent(walk, "key_before")[layer], key[0], atol=1e-5)
            query, key = block.attention.apply_rotary(query, None), block.attention.apply_rotary(key, None)
        allowed = (
            block.attention.mask(torch.arange(T), T) if kind == "bigbird" else torch.ones(T, T).tril() > 0
        )
        weights = attention_weights(query, key, allowed)
        heads = weights @ value
        attended = block.attention(normed)
        middle = x + attended
        hidden = block.mlp[0](block.norm_2(middle))
        after = middle + block.mlp(block.norm_2(middle))
        for name, expected in {
            "norm_1": normed, "query": query, "key": key, "value": value, "weights": weights, "heads": heads,
            "logits": query @ key.transpose(-1, -2) / math.sqrt(C // H), "attention": attended,
            "allowed": allowed[None].float(),
            "merged": merge_heads(heads.roll(1, dims=1) if kind == "shifted heads" else heads),
            "norm_2": block.norm_2(middle), "hidden_before": hidden, "hidden": nn.functional.gelu(hidden),
            "mlp": after - middle,
            "norm_1_parameters": torch.stack([block.norm_1.weight, block.norm_1.bias])[None],
            "norm_2_parameters": torch.stack([block.norm_2.weight, block.norm_2.bias])[None],
        }.items():  # fmt: skip
            np.testing.assert_allclose(sent(walk, name)[layer], expected[0], atol=1e-5, err_msg=name)
        x = block(x)
        torch.testing.assert_close(x, after)
        stream += [middle, x]
    same(walk, "stream", torch.cat(stream))
    same(walk, "norm", model.norm(x)[0])
    np.testing.assert_allclose(walk.numbers("prediction"), model(tokens)[0][0], atol=1e-5)


@pytest.mark.parametrize("kind", MODELS)
@torch.no_grad()
def test_the_last_row_of_the_logit_lens_is_the_models_prediction(kind):
    model, walk = walked(**MODELS[kind])
    logits = model.eval()(torch.tensor([VOCABULARY.encode(TEXT)]))[0][0]
    np.testing.assert_allclose(walk.numbers("lens")[-1], logits, atol=1e-5)
    np.testing.assert_allclose(
        walk.numbers("lens")[0], model.head(model.norm(torch.tensor(sent(walk, "stream")[0]))), atol=1e-5
    )


@pytest.mark.parametrize("kind", MODELS)
def test_rows_of_weights_sum_to_1_and_masked_ones_are_0(kind):
    _, walk = walked(**MODELS[kind])
    weights, allowed = sent(walk, "weights"), sent(walk, "allowed") > 0
    np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-6)
    assert not weights[np.broadcast_to(~allowed[:, None], weights.shape)].any()
    assert not allowed[:, *np.triu_indices(T, 1)].any()


@pytest.mark.parametrize("kind", MODELS)
def test_what_each_block_adds_makes_the_stream_grow(kind):
    _, walk = walked(**MODELS[kind])
    added = np.stack([sent(walk, "attention"), sent(walk, "mlp")], axis=1).reshape(2 * L, T, C)
    np.testing.assert_allclose(np.diff(sent(walk, "stream"), axis=0), added, atol=1e-5)


def docstring_lines(file):
    """The numbers of all lines of docstrings in a file."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            found |= set(range(node.lineno, node.end_lineno + 1))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", MODELS)
def test_the_lines_of_code_stand_in_the_source(kind):
    _, walk = walked(**MODELS[kind])
    root = Path(kqa_core.__file__).parents[1]
    assert [step["name"] for step in walk.steps] == [step.name for step in STEPS if step.name != "norm_0"]
    for step in walk.steps:
        assert step["code"], step["name"]
        for line in step["code"]:
            file = root / line["file"]
            assert file.read_text(encoding="utf-8").splitlines()[line["line"] - 1].strip() == line["text"]
            assert line["line"] not in docstring_lines(file), line
    of_models = [line["file"].startswith("kqa_core/model/") for step in walk.steps for line in step["code"]]
    assert of_models.count(False) == 2  # the vocabulary, and the division by the temperature


def test_a_line_that_is_gone_is_not_shown():
    with pytest.raises(LookupError, match=r"GPT.forward has no line with 'self.token_embeddings'"):
        source_line(GPT.forward, "self.token_embeddings")


class Loud(CausalSelfAttention):
    def forward(self, x, cache=None):
        return 2 * super().forward(x, cache)


class Own(CausalSelfAttention):
    def forward(self, x, cache=None):
        return self.output(self.mix((self.query(x), self.key(x), self.value(x)), cache))


@pytest.mark.parametrize(("layer", "where"), [(Loud, "CausalSelfAttention.project"), (Own, "Own.forward")])
def test_a_subclass_shows_the_lines_of_the_class_that_computes(layer, where):
    model = small()
    for block in model.blocks:
        block.attention.__class__ = layer
    walk = walkthrough(model, TEXT, VOCABULARY)
    code = next(step["code"] for step in walk.steps if step["name"] == "qkv")
    assert [line["of"] for line in code] == [where] * 3


@pytest.mark.slow
def test_no_text_of_a_step_has_an_unfilled_place():
    for kind, options in MODELS.items():
        _, walk = walked(**options)
        for step, layer in order(walk.steps, L):
            said = walk.show(step, layer=layer, head=1, position=5, key=3, temperature=0.7).sentence
            described = next(one for one in walk.steps if one["name"] == step)
            assert "{" not in said + described["about"] + described["formula"], (kind, step)


def test_the_sentence_says_what_the_numbers_are():
    _, walk = walked()
    weights, stream = walk.numbers("weights", layer=1)[1, 7], walk.numbers("stream")[:, 7]
    k = int(weights.argmax())
    largest = "space" if TEXT[k] == " " else f"“{TEXT[k]}”"
    assert (
        walk.show("weights", layer=1, head=1, position=7, key=4).sentence
        == f"Layer 1, head 1. Attention weights: softmax. Token 7 space gives weight {weights[4]:.2f} to"
        f" token 4 “w”. Its largest weight is {weights[k]:.2f}, to token {k} {largest}."
    )
    before, after, added = (
        np.linalg.norm(x) for x in (stream[3], stream[4], walk.numbers("mlp", layer=1)[7])
    )
    assert (
        f"adds a vector of norm {added:.2f} to the stream of token 7 space, whose norm goes from {before:.2f}"
        f" to {after:.2f}." in walk.show("add_2").sentence
    )
    logits = walk.numbers("prediction")[7].astype(float) / 0.5
    chances = np.exp(logits) / np.exp(logits).sum()
    said = walk.show("probabilities", temperature=0.5).sentence
    assert f"“{VOCABULARY.characters[chances.argmax()]}”, with probability {chances.max():.2f}." in said
    assert f"The text continues with “b”, which has probability {chances[VOCABULARY.index['b']]:.2f}." in said
    assert walk.show(position=T - 1).sentence.endswith("The text ends here.")


def test_the_lens_says_from_where_on_the_prediction_is_in_first_place():
    _, walk = walked()
    for position in range(T):
        best = walk.numbers("lens")[:, position].argmax(axis=-1)
        since = max((n + 1 for n in range(2 * L + 1) if best[n] != best[-1]), default=0)
        assert walk.show("lens", position=position).sentence.endswith(
            f"in first place from {point(since)} on."
        )


def test_the_walk_goes_through_every_layer():
    steps = walked()[1].steps
    names = [step for step, _ in order(steps, 3)]
    assert names[:3] == ["characters", "embedding", "position"] and names[-3:] == [
        "probabilities",
        "stream",
        "lens",
    ]
    assert [layer for step, layer in order(steps, 3) if step == "weights"] == [0, 1, 2]
    assert len(names) == 3 + 3 * 11 + 5


def test_numbers_are_given_by_name_and_layer():
    _, walk = walked()
    assert walk.numbers("weights").shape == (L, H, T, T) and walk.numbers("weights", layer=1).shape == (
        H,
        T,
        T,
    )
    assert set(walk.arrays) - set(ONCE) == {
        name for name in walk.arrays if walk.arrays[name]["shape"][0] == L
    }
    assert {walk.numbers(name).shape[0] for name in ("stream", "lens")} == {2 * L + 1}


def test_a_checkpoint_brings_its_vocabulary_and_a_list_of_numbers_needs_none():
    model = small()
    numbers = walkthrough(model, VOCABULARY.encode(TEXT))
    assert numbers.tokens == [str(n) for n in VOCABULARY.encode(TEXT)] and "“0”" not in numbers.sentence
    assert numbers.sentence.endswith(f"is number 1 of the {len(VOCABULARY)} characters in the vocabulary.")
    assert walkthrough(Checkpoint(model, VOCABULARY), TEXT).tokens == list(TEXT)


def test_walking_changes_nothing_in_the_model():
    model = small().train()
    before, hooks = (
        {name: value.clone() for name, value in model.state_dict().items()},
        len(model.blocks[0]._forward_hooks),
    )
    walkthrough(model, TEXT, VOCABULARY)
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
    assert all(module.training and len(module._forward_hooks) == hooks for module in model.modules())


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: walkthrough(small(), ""), "needs something to read"),
        (lambda: walkthrough(small(), TEXT), "this model was given no vocabulary yet"),
        (lambda: walkthrough(small(), "x", VOCABULARY), "'x'"),
        (lambda: walkthrough(small(), TEXT * 2, VOCABULARY), "42 tokens: this model reads 1 to 24"),
        (
            lambda: walkthrough(np.zeros(3), TEXT),
            "ndarray: a model was expected: a GPT, a checkpoint, a name such as",
        ),
        (lambda: walked()[1].show("soft"), "no step is called 'soft'"),
        (lambda: walked()[1].show(layer=3), "layer 3: there are 3, counted from 0"),
        (lambda: walked()[1].show(head=-1), "head -1: there are 2"),
        (lambda: walked()[1].show(position=0.5), "position 0.5: there are 21"),
        (lambda: walked()[1].show(token=1), "'token' cannot be selected"),
        (lambda: walked()[1].show(temperature=0.0), "temperature 0.0: 0.1 to 3 was expected"),
        (lambda: walked()[1].show(temperature=float("nan")), "temperature nan: 0.1 to 3 was expected"),
        (lambda: walked()[1].numbers("weight"), "no numbers are called 'weight'"),
        (lambda: walked()[1].numbers("weights", layer=5), "layer 5: there are 3"),
        (lambda: walked()[1].numbers("embedding", layer=0), "'embedding' does not belong to a layer"),
    ],
)
def test_mistakes_are_said_in_one_line(call, said):
    with pytest.raises(UserError, match=re.escape(said)) as error:
        call()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("variant", ["synthesizer", "random_synthesizer", "linformer", "perceiver"])
def test_a_variant_without_queries_and_keys_in_every_block_is_named(variant):
    with pytest.raises(UserError, match=f"variant '{variant}' .*(such as vanilla)"):
        walkthrough(small(variant=variant), TEXT, VOCABULARY)


def test_a_page_that_would_be_too_large_is_refused(monkeypatch):
    monkeypatch.setattr("kqa_core.show.walk.numbers.MOST_NUMBERS", 1000)
    with pytest.raises(
        UserError, match=r"numbers are too many for a page \(at most 1,000\): give a shorter text"
    ):
        walked()


@pytest.mark.slow
def test_without_a_kernel_there_is_a_still_with_its_sentence_and_a_page_with_all_numbers(
    tmp_path, monkeypatch
):
    _, walk = walked()
    walk.show("weights", layer=1, head=0)
    data, metadata = walk._repr_mimebundle_()
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    assert data["text/plain"] == metadata["image/png"]["alt"] == walk.sentence
    page = walk.to_html(tmp_path / "page.html")
    state = json.loads(re.search(r'<script type="application/json" id="state">(.*?)</script>', page, re.S)[1])
    assert base64.b64decode(state["arrays"]["weights"]["data"]["base64"]) == walk.arrays["weights"]["data"]
    assert "http" not in re.sub(r"http://www.w3.org|http-equiv", "", inspect.cleandoc(walk._esm))


def test_the_module_is_put_together_from_all_its_files():
    folder = Path(inspect.getfile(walkthrough)).parent
    assert {path.name for path in folder.glob("*.js")} == {path.name for path in MODULES}
