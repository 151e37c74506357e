"""The explorer and the walk with models that are not the course's GPT: they show what the model used."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from kqa_core.downloads.cache import problem_of
from kqa_core.downloads.catalogue import DOWNLOADS
from kqa_core.errors import UserError
from kqa_core.model.attention import softmax
from kqa_core.pretrained.llama import Llama, LlamaConfig
from kqa_core.show.explorer import real_models
from kqa_core.show.explorer.explorer import explore
from kqa_core.show.explorer.real_models import attention_of, read_with, watch_real
from kqa_core.show.walk import numbers
from kqa_core.show.walk.facts import order
from kqa_core.show.walk.walkthrough import walkthrough

transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")
WORDS = ["[UNK]", "[CLS]", "[SEP]", "the", "animal", "was", "tired", "un", "##tired", "."]
TEXT = "The animal was untired."


@pytest.fixture(scope="module")
def word_piece():
    made = tokenizers.Tokenizer(
        tokenizers.models.WordPiece({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    made.normalizer = tokenizers.normalizers.Lowercase()
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    return made


def bert(attention="sdpa"):
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=12,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=16,
        attn_implementation=attention,
    )
    torch.manual_seed(0)
    model = transformers.BertModel(config, add_pooling_layer=False)
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.5)
    return model


def test_a_word_piece_tokenizer_of_either_package_gives_its_pieces(word_piece):
    pieces = ["[CLS]", "the", "animal", "was", "un", "##tired", ".", "[SEP]"]
    wrapped = transformers.PreTrainedTokenizerFast(
        tokenizer_object=word_piece, unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    )
    for tokenizer in (word_piece, wrapped):
        numbers, tokens = read_with(tokenizer, TEXT)
        assert tokens == pieces and numbers == [WORDS.index(piece) for piece in pieces]
    assert read_with(word_piece, [3, 4])[1] == ["the", "animal"]


def test_byte_level_tokens_show_their_spaces():
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    made = tokenizers.Tokenizer(
        tokenizers.models.BPE({letter: i for i, letter in enumerate(sorted(alphabet))}, [])
    )
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    assert read_with(made, "a b\n")[1] == ["a", "␣", "b", "⏎"]


@pytest.mark.parametrize("attention", ["sdpa", "eager"])
def test_the_weights_seen_are_those_that_transformers_gives(word_piece, attention):
    numbers, tokens = read_with(word_piece, TEXT)
    view = explore(bert(attention), TEXT, word_piece)
    with torch.no_grad():
        theirs = bert("eager").eval()(torch.tensor([numbers]), output_attentions=True).attentions
    np.testing.assert_allclose(view.seen[0].weights, torch.cat(theirs).numpy(), atol=1e-5)
    assert view.tokens == tokens and view.names == ("BertModel",)
    assert (view.seen[0].query is None) is (attention == "eager")
    for text in (TEXT, numbers):
        np.testing.assert_array_equal(
            attention_of(bert(attention), text, word_piece).weights, view.seen[0].weights
        )


def llama(n_layer=2):
    torch.manual_seed(1)
    model = Llama(LlamaConfig(20, n_layer, 16, 24, 4, 2, 10_000.0, 1e-5, 32))
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.4)
    return model


def test_grouped_queries_each_have_the_keys_of_their_group():
    seen = watch_real(llama(), [3, 1, 4, 1, 5])
    assert seen.weights.shape == (2, 4, 5, 5) and seen.key is not None
    np.testing.assert_array_equal(seen.key[:, 0], seen.key[:, 1])
    assert not np.array_equal(seen.key[:, 1], seen.key[:, 2])
    logits = torch.tensor(seen.query) @ torch.tensor(seen.key).transpose(-2, -1) / 2  # width of a head: 4
    below = torch.ones(5, 5).tril().bool()
    np.testing.assert_allclose(
        seen.weights, softmax(logits.masked_fill(~below, -torch.inf)).numpy(), atol=1e-5
    )


def test_looking_changes_no_mode():
    model = bert("eager").train()
    model.encoder.layer[0].eval()
    before = [module.training for module in model.modules()]
    watch_real(model, [1, 3, 2])
    assert [module.training for module in model.modules()] == before


def test_where_queries_and_keys_are_too_many_for_a_page_the_weights_stay(monkeypatch):
    monkeypatch.setattr(real_models, "MOST_CHANNELS", 100)
    seen = watch_real(llama(), [3, 1, 4])
    assert seen.query is seen.key is seen.bias is None and seen.weights.shape == (2, 4, 3, 3)


class Strange(nn.Module):
    """A model whose attention cannot be found."""

    config = "none"

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, tokens):
        return self.linear(torch.zeros(2))


@pytest.mark.parametrize(
    ("what", "text", "tokenizer", "said"),
    [
        (bert, TEXT, None, "a tokenizer was expected"),
        (bert, "", "word_piece", "give it a text of at least one character"),
        (bert, None, "word_piece", "give it a text of at least one character"),
        (bert, ["the", "animal"], "word_piece", "one string, or a list of token numbers"),
        (bert, "the " * 20, "word_piece", "this model reads 1 to 16"),
        (Strange, TEXT, "word_piece", "its attention cannot be found"),
        (lambda: "/no/such/folder", TEXT, None, "no such folder"),
    ],
)
def test_what_cannot_be_shown_is_one_line(word_piece, what, text, tokenizer, said):
    with pytest.raises(UserError, match=said) as raised:
        explore(what(), text, word_piece if tokenizer else None)
    assert "\n" not in str(raised.value)


def tiny(kind, **options):
    """A model of transformers of a few dimensions, with numbers far from those that training begins with."""
    torch.manual_seed(2)
    sizes = {"vocab_size": len(WORDS), "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4}
    if kind in ("Llama", "Qwen3"):
        more = {
            "intermediate_size": 20,
            "num_key_value_heads": 2,
            "head_dim": 4,
            "max_position_embeddings": 16,
        }
        config = getattr(transformers, f"{kind}Config")(**(sizes | more | options))
        model = getattr(transformers, f"{kind}ForCausalLM")(config)
    elif kind == "gpt2":
        model = transformers.GPT2LMHeadModel(
            transformers.GPT2Config(vocab_size=len(WORDS), n_embd=16, n_layer=2, n_head=4, n_positions=16)
        )
    else:
        config = transformers.BertConfig(**sizes, intermediate_size=20, max_position_embeddings=16)
        model = transformers.BertForMaskedLM(config)
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.4)
    return model.eval()


def same(numbers, expected):
    np.testing.assert_allclose(numbers, expected.detach()[0], atol=2e-5)


@pytest.mark.parametrize("kind", ["Llama", "gpt2", "bert"])
@torch.no_grad()
def test_every_number_of_the_walk_is_that_of_transformers(word_piece, kind):
    model = tiny(kind)
    walk = walkthrough(model, TEXT, word_piece)
    theirs = model(torch.tensor([walk.ids]), output_hidden_states=True)
    T = len(walk.ids)
    for layer in range(2):
        same(walk.numbers("stream")[2 * layer], theirs.hidden_states[layer])
    if kind == "bert":
        same(walk.numbers("stream")[-1], theirs.hidden_states[-1])
        assert walk.numbers("allowed").all() and "prediction" not in walk._arrays
        names = [step["name"] for step in walk.steps]
        assert "norm_0" in names and not {"mask", "probabilities", "lens"} & set(names)
        with pytest.raises(UserError, match="no step is called 'mask'"):
            walk.show("mask")
    else:
        same(walk.numbers("norm"), theirs.hidden_states[-1])
        same(walk.numbers("prediction"), theirs.logits)
        same(walk.numbers("lens")[-1], theirs.logits)
        assert not np.triu(walk.numbers("allowed")[0], 1).any()
        chances = theirs.logits[0].softmax(-1)
        walk.show("probabilities", position=2)
        assert f"with probability {float(chances[2].max()):.2f}." in walk.sentence
        assert f"which has probability {float(chances[2, walk.ids[3]]):.2f}." in walk.sentence
        assert walk.show(position=T - 1).sentence.endswith("The text ends here.")
    weights, group = walk.numbers("weights"), 2 if kind == "Llama" else 1
    keys, values = (np.repeat(walk.numbers(name), group, axis=1) for name in ("key", "value"))
    assert keys.shape == (2, 4, T, 4)
    np.testing.assert_allclose(weights @ values, walk.numbers("heads"), atol=1e-5)
    logits = walk.numbers("query") @ keys.swapaxes(-1, -2) / 2  # width of a head: 4
    np.testing.assert_allclose(walk.numbers("logits"), logits, atol=1e-5)
    if kind == "Llama":  # a rotation keeps norms
        for name in ("query", "key"):
            before, after = (np.linalg.norm(walk.numbers(n), axis=-1) for n in (f"{name}_before", name))
            np.testing.assert_allclose(before, after, rtol=1e-4)


@torch.no_grad()
def test_the_walk_through_the_courses_llama_shows_its_stream_and_its_lines(word_piece):
    model = llama()
    walk = walkthrough(model, [3, 4, 5, 6], word_piece)
    tokens = torch.tensor([[3, 4, 5, 6]])
    for layer, state in enumerate(model.hidden_states(tokens)):
        same(walk.numbers("stream")[2 * layer], state)
    same(walk.numbers("prediction"), model(tokens))
    same(walk.numbers("lens")[-1], model(tokens))
    assert walk.numbers("key").shape == (2, 2, 4, 4)
    without = [step["name"] for step in walk.steps if not step["code"]]
    assert without == ["characters"]  # the tokenizer is not ours
    assert {line["file"] for step in walk.steps for line in step["code"]} == {
        "kqa_core/pretrained/llama.py", "kqa_core/model/attention.py", "kqa_core/show/walk/numbers.py",
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["Llama", "gpt2", "bert"])
def test_every_step_of_a_real_model_is_said_and_names_lines_of_its_library(word_piece, kind):
    walk = walkthrough(tiny(kind), TEXT, word_piece)
    for step, layer in order(walk.steps, 2):
        sentence = walk.show(step, layer=layer, head=3, position=2, key=1).sentence
        described = next(one for one in walk.steps if one["name"] == step)
        texts = sentence + described["about"] + described["formula"]
        assert "{" not in texts and "character" not in texts, texts
        assert described["code"] or step == "characters", step
        assert not any(line["file"].startswith((".", "/")) for line in described["code"])


@pytest.mark.slow
def test_wide_vectors_are_cut_and_keep_their_norms(word_piece, monkeypatch):
    whole = walkthrough(tiny("Llama"), TEXT, word_piece)
    monkeypatch.setattr(numbers, "WIDEST", 15)
    monkeypatch.setattr(numbers, "SHOWN", 6)
    cut = walkthrough(tiny("Llama"), TEXT, word_piece)
    shapes = {name: array["shape"] for name, array in cut.arrays.items()}
    T = len(cut.ids)
    assert shapes["stream"] == [5, T, 6] and shapes["hidden"] == [2, T, 6] and "merged" not in shapes
    assert shapes["query"] == [2, 4, T, 4] and shapes["weights"] == [2, 4, T, T]  # heads are not cut
    assert cut.numbers("stream").shape == (5, T, 16)
    for step, layer in order(cut.steps, 2):
        assert cut.show(step, layer=layer).sentence == whole.show(step, layer=layer).sentence
    assert cut.png.startswith(b"\x89PNG")
    monkeypatch.setattr(numbers, "MANY_NUMBERS", 100)
    less = walkthrough(tiny("Llama"), TEXT, word_piece)
    assert set(cut.arrays) - set(less.arrays) == {"query_before", "key_before"}
    assert less.numbers("query_before").shape == (2, 4, T, 4)


@pytest.mark.parametrize("kind", ["Llama", "bert"])
def test_a_folder_is_walked_through_with_its_head_if_it_has_one(word_piece, kind, tmp_path):
    wrapped = transformers.PreTrainedTokenizerFast(tokenizer_object=word_piece, unk_token="[UNK]")
    wrapped.save_pretrained(tmp_path)
    tiny(kind).save_pretrained(tmp_path)
    walk = walkthrough(str(tmp_path), TEXT)
    assert ("prediction" in walk._arrays) is (kind == "Llama")
    assert explore(str(tmp_path), TEXT).tokens == walk.tokens


@pytest.mark.parametrize(
    ("what", "text", "said"),
    [
        (lambda: tiny("bert"), "", "give it a text of at least one character"),
        (lambda: tiny("bert"), "the " * 20, "this model reads 1 to 16"),
        (lambda: tiny("bert"), ["the", "animal"], "one string, or a list of token numbers"),
        (lambda: bert("eager"), TEXT, 'load it with attn_implementation="sdpa"'),
        (
            lambda: tiny("Llama", hidden_act="relu"),
            TEXT,
            "compute something else than those of the form of Llama",
        ),
        (lambda: tiny("Qwen3"), TEXT, "compute something else than those of the form of Llama"),
        (Strange, TEXT, "a model of the form of Llama, GPT-2 or BERT was expected"),
        (lambda: "/no/such/folder", TEXT, "no such folder"),
    ],
)
def test_what_cannot_be_walked_through_is_one_line(word_piece, what, text, said):
    with pytest.raises(UserError, match=said) as raised:
        walkthrough(what(), text, word_piece)
    assert "\n" not in str(raised.value)


def test_a_text_that_would_make_too_large_a_page_is_refused_by_both(word_piece, monkeypatch):
    monkeypatch.setattr(real_models, "MOST_NUMBERS", 100)
    with pytest.raises(UserError, match=r"weights are too many .* give a shorter text than these 8 tokens"):
        explore(tiny("Llama"), TEXT, word_piece)
    # the last is found before the predictions are computed
    for most in (100, 4_000):
        monkeypatch.setattr(numbers, "MOST_NUMBERS", most)
        with pytest.raises(
            UserError, match=r"numbers are too many .* give a shorter text than these 8 tokens"
        ):
            walkthrough(tiny("Llama"), TEXT, word_piece)


MISSING = " and ".join(filter(None, (problem_of(DOWNLOADS[name]) and name for name in ("minilm", "smollm2"))))


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=f"not fetched: {MISSING}: `kqa data fetch all`")
def test_the_fetched_models_by_name_and_the_picture_that_everybody_shows():
    text = "The animal didn't cross the street because it was tired."
    view = explore("minilm", text)
    it, animal = view.tokens.index("it"), view.tokens.index("animal")
    assert view.seen[0].weights.shape == (6, 12, 15, 15)
    assert view.seen[0].weights[3, 1, it, animal] > 0.6
    view = explore("smollm2", text)
    assert view.seen[0].weights.shape == (30, 9, 12, 12) and view.tokens[1] == "␣animal"


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=f"not fetched: {MISSING}: `kqa data fetch all`")
def test_the_fetched_models_are_walked_through():
    text = "The animal didn't cross the street because it was tired"
    walk = walkthrough("smollm2", text)
    assert walk.tokens[1] == "␣animal" and walk.numbers("weights").shape == (30, 9, 11, 11)
    assert walk.numbers("key").shape == (30, 3, 11, 64) and walk.arrays["stream"]["shape"] == [61, 11, 64]
    assert walk.arrays["lens_ids"]["shape"] == [31, 11, 5]
    said = walk.show("prediction", position=walk.tokens.index("␣because")).sentence
    assert "Of 49152 logits" in said and "for “␣it”" in said
    walk = walkthrough("minilm", text).show("weights", layer=3, head=1, position=10, key=2)
    assert walk.arrays["stream"]["shape"] == [13, 14, 64]
    start = "Layer 3, head 1. Attention weights: softmax. Token 10 “it” gives weight 0."
    assert walk.sentence.startswith(start)
