"""The explorer with models that are not the course's GPT: what is captured is what the model used."""

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
from kqa_core.show.explorer.real_models import read_with, watch_real

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
