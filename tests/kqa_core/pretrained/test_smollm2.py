"""The real language model: `transformers` is the oracle, for a tiny stand-in and for the real file."""

from __future__ import annotations

import math

import pytest
import tokenizers
import torch
import torch.nn.functional as F
import transformers
from tiny_gguf import write_gguf

from kqa_core.downloads.cache import problem_of
from kqa_core.downloads.catalogue import DOWNLOADS
from kqa_core.model.kv_cache import KVCache
from kqa_core.pretrained.gguf import read_gguf
from kqa_core.pretrained.smollm2 import NAMES, load_gguf, load_smollm2, make_tokenizer, to_halves

TEXT = (
    "The animal didn't cross the street because it was tired. Where was Marie Curie born? In 1867, in Warsaw."
)
IDS = [
    *(504, 3161, 3683, 982, 3050, 260, 7280, 975, 357, 436, 12364, 30, 7655, 436, 21089, 4202, 519, 3988, 47),
    *(533, 216, 33, 40, 38, 39, 28, 281, 28918, 30),
]
LOSS = 4.15685  # nats a token
HERE = problem_of(DOWNLOADS["smollm2"])
fetched = pytest.mark.skipif(bool(HERE), reason=f"smollm2: {HERE}: `kqa data fetch smollm2`")

THEIRS = {  # transformers' names of the weights
    "attention.query": "self_attn.q_proj",
    "attention.key": "self_attn.k_proj",
    "attention.value": "self_attn.v_proj",
    "attention.projection": "self_attn.o_proj",
    "norm_1": "input_layernorm",
    "norm_2": "post_attention_layernorm",
    "mlp.gate": "mlp.gate_proj",
    "mlp.up": "mlp.up_proj",
    "mlp.down": "mlp.down_proj",
    "token_embedding": "embed_tokens",
    "norm": "norm",
}


def theirs(name):
    """blocks.3.attention.query.weight → model.layers.3.self_attn.q_proj.weight."""
    block, number, part = name.split(".", 2) if name.startswith("blocks.") else ("", "", name)
    part = THEIRS[part.removesuffix(".weight")]
    return f"model.layers.{number}.{part}.weight" if block else f"model.{part}.weight"


def oracle(pretrained):
    """`transformers`' model with the weights of a `Pretrained` in the order "halves"."""
    config = pretrained.config
    shape = transformers.LlamaConfig(
        vocab_size=config.vocab_size,
        hidden_size=config.d_model,
        intermediate_size=config.d_mlp,
        num_hidden_layers=config.n_layer,
        num_attention_heads=config.n_head,
        num_key_value_heads=config.n_key_head,
        rms_norm_eps=config.epsilon,
        rope_parameters={"rope_type": "default", "rope_theta": config.theta},
        max_position_embeddings=config.block_size,
        tie_word_embeddings=True,
    )
    with torch.device("meta"):
        model = transformers.LlamaForCausalLM(shape)
    model.model.rotary_emb = type(model.model.rotary_emb)(shape)  # its buffers are computed, not loaded
    weights = {theirs(name): weight for name, weight in pretrained.weights.items()}
    weights["lm_head.weight"] = weights["model.embed_tokens.weight"]
    model.load_state_dict(weights, assign=True)
    return model.eval()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A file like the real one: 2 layers, 6 query heads and 2 key heads of 32, Q8_0 embedding, Q4_1 matrices.
    Gains of the norms and logits are far from those of a new model.
    """
    draw = torch.Generator().manual_seed(0)
    d, d_mlp, heads, key_heads = 192, 320, 6, 2
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    tokens = ["<|end|>", *alphabet, "he", "Ġt", "Ġthe"]
    metadata = {
        "llama.block_count": 2,
        "llama.embedding_length": d,
        "llama.feed_forward_length": d_mlp,
        "llama.attention.head_count": heads,
        "llama.attention.head_count_kv": key_heads,
        "llama.rope.freq_base": 10_000.0,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.context_length": 128,
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [3, *[1] * (len(tokens) - 1)],
        "tokenizer.ggml.merges": ["h e", "Ġ t", "Ġt he"],
        "tokenizer.chat_template": "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}!",
    }
    sizes = {
        "attn_q": (d, d),
        "attn_k": (key_heads * 32, d),
        "attn_v": (key_heads * 32, d),
        "attn_output": (d, d),
    }
    sizes |= {"ffn_gate": (d_mlp, d), "ffn_up": (d_mlp, d), "ffn_down": (d, d_mlp)}
    tensors = {"token_embd.weight": (torch.randn(len(tokens), d, generator=draw).numpy(), "Q8_0")}
    for i in range(2):
        for name, size in sizes.items():
            matrix = 2 * torch.randn(size, generator=draw) / math.sqrt(size[1])
            tensors[f"blk.{i}.{name}.weight"] = (matrix.numpy(), "Q4_1")
        for name in ("attn_norm", "ffn_norm"):
            tensors[f"blk.{i}.{name}.weight"] = ((1 + torch.rand(d, generator=draw)).numpy(), "F32")
    tensors["output_norm.weight"] = ((1 + torch.rand(d, generator=draw)).numpy(), "F32")
    return read_gguf(write_gguf(tmp_path_factory.mktemp("tiny") / "tiny.gguf", metadata, tensors))


@pytest.mark.slow
def test_a_tiny_file_gives_the_librarys_logits(tiny):
    tokens = torch.randint(0, 260, (2, 50), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        ours = load_gguf(tiny).model()(tokens)
        other = oracle(load_gguf(tiny, rotary="halves"))(tokens).logits
    assert float(other.std()) > 5
    torch.testing.assert_close(ours, other, atol=1e-3, rtol=0)


def test_the_wrong_order_of_channels_gives_other_logits(tiny):
    """The trap: it loads, it runs, and it is wrong, also if only the keys use the wrong number of heads."""
    tokens = torch.arange(50)[None]
    right = load_gguf(tiny).model()
    wrong_keys = load_gguf(tiny, rotary="halves")
    for name, weight in load_gguf(tiny).weights.items():
        if "attention.key" in name:
            wrong_keys.weights[name] = to_halves(weight, 1)
    with torch.no_grad():
        logits = right(tokens)
        assert float((load_gguf(tiny, rotary="halves").model()(tokens) - logits).abs().max()) > 0.5
        assert float((oracle(wrong_keys)(tokens).logits - logits).abs().max()) > 0.5


def test_channels_2i_come_first_in_halves():
    rows = torch.arange(8.0)[:, None]
    assert to_halves(rows, 2)[:, 0].tolist() == [0, 2, 1, 3, 4, 6, 5, 7]
    assert to_halves(rows, 1)[:, 0].tolist() == [0, 2, 4, 6, 1, 3, 5, 7]


@pytest.mark.slow
def test_with_a_cache_the_logits_are_the_same(tiny):
    model = load_gguf(tiny).model()
    tokens = torch.randint(0, 260, (3, 20), generator=torch.Generator().manual_seed(2))
    cache, parts = KVCache(2, 20), []
    with torch.no_grad():
        for first, last in ((0, 7), (7, 8), (8, 20)):
            cache.set_positions(torch.arange(first, last).expand(3, -1))
            parts.append(model(tokens[:, first:last], cache))
        torch.testing.assert_close(torch.cat(parts, 1), model(tokens), atol=1e-3, rtol=0)


def test_float16_halves_the_memory_and_keeps_the_names(tiny):
    wide, half = load_gguf(tiny), load_gguf(tiny, torch.float16)
    assert {name: weight.shape for name, weight in wide.weights.items()} == {
        name: weight.shape for name, weight in half.weights.items()
    }
    assert {weight.dtype for weight in half.weights.values()} == {torch.float16}
    assert set(wide.model().state_dict()) == set(wide.weights)
    assert not any(parameter.requires_grad for parameter in wide.model().parameters())


def test_the_tokenizer_merges_in_order_cuts_digits_and_keeps_control_tokens_whole(tiny):
    tokenizer = make_tokenizer(tiny)
    assert tokenizer.encode("he the then").tokens == ["he", "Ġthe", "Ġthe", "n"]
    assert tokenizer.encode("x12 é<|end|>").tokens == ["x", "1", "2", "Ġ", "Ã", "©", "<|end|>"]
    assert tokenizer.decode(tokenizer.encode(TEXT).ids) == TEXT


def test_a_chat_follows_the_files_template(tiny):
    assert load_gguf(tiny).chat("Where?") == "<user>Where?!"


def test_every_name_of_llama_cpp_is_known_to_the_oracle():
    assert set(NAMES.values()) == set(THEIRS)


@pytest.fixture(scope="module")
def real():
    return load_smollm2()


@pytest.mark.slow
@fetched
def test_the_real_model_gives_the_librarys_logits(real):
    tokens = torch.tensor([real.tokenizer().encode(TEXT).ids])
    with torch.no_grad():
        ours = real.model()(tokens)
        other = oracle(load_smollm2(rotary="halves"))(tokens).logits
    assert ours.shape == (1, tokens.shape[1], 49_152) and float(other.abs().max()) > 30
    assert float((ours - other).abs().max()) < 1e-3


@pytest.mark.slow
@fetched
def test_the_real_model_knows_english(real):
    """Both orders of channels pass the test above if they are wrong in the same way. This one does not:
    nonsense has a higher loss. transformers' own reader of the file gives this loss, too.
    """
    tokens = torch.tensor([real.tokenizer().encode(TEXT).ids])
    with torch.no_grad():
        loss = F.cross_entropy(real.model()(tokens)[0, :-1], tokens[0, 1:])
        wrong = F.cross_entropy(load_smollm2(rotary="halves").model()(tokens)[0, :-1], tokens[0, 1:])
    assert float(loss) == pytest.approx(LOSS, abs=1e-3)
    assert float(wrong) > float(loss) + 0.5


@pytest.mark.slow
@fetched
def test_the_real_tokenizer_is_the_published_one(real):
    tokenizer = real.tokenizer()
    pieces = {text: tokenizer.encode(text).tokens for text in (" strawberry", " Salzburg", "Ouagadougou")}
    assert pieces[" strawberry"] == ["Ġstrawberry"] and pieces[" Salzburg"] == ["ĠSal", "zburg"]
    assert pieces["Ouagadougou"] == ["O", "uag", "ad", "ou", "g", "ou"]
    assert real.chat("Where?").endswith("<|im_start|>user\nWhere?<|im_end|>\n<|im_start|>assistant\n")
    # transformers' own reader of the file gives these numbers, too
    assert tokenizer.encode(TEXT).ids == IDS
