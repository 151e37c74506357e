"""SmolLM2-135M-Instruct (Ben Allal et al. 2025), a real language model: weights, tokenizer, form of a chat.

- `load_smollm2()` reads the file that `kqa data fetch smollm2` gets. Weights are dequantised at each start.
  That takes 0.3 s, about as long as reading a file with 16 bits a weight, and needs no second file.
- The rows of W_Q and W_K come in an order of choice. Llama's authors rotate the neighbouring channels 2i and
  2i + 1, as notebook 05 does, and GGUF files are in this order. The published weights rotate channels i and
  i + hs/2, as `transformers` does. A model with the other order runs without an error and writes nonsense.
- Its training text was almost only English. It was tuned on chats, and continues plain text, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import torch
from torch import Tensor

from kqa_core.downloads.cache import fetched
from kqa_core.encoder.hugging_face import need
from kqa_core.pretrained.gguf import GGUF, read_gguf
from kqa_core.pretrained.llama import Llama, LlamaConfig

FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
Rotary = Literal["neighbours", "halves"]
CONTROL = 3  # the type of a token that stands for no text
NAMES = {  # names of llama.cpp → names of `Llama`; blk.3.attn_q.weight → blocks.3.attention.query.weight
    "token_embd": "token_embedding",
    "attn_norm": "norm_1",
    "attn_q": "attention.query",
    "attn_k": "attention.key",
    "attn_v": "attention.value",
    "attn_output": "attention.projection",
    "ffn_norm": "norm_2",
    "ffn_gate": "mlp.gate",
    "ffn_up": "mlp.up",
    "ffn_down": "mlp.down",
    "output_norm": "norm",
}


@dataclass(frozen=True)
class Pretrained:
    """A language model from a GGUF file."""

    config: LlamaConfig
    weights: dict[str, Tensor] = field(repr=False)  # by the names of `Llama`'s parameters
    file: GGUF

    def model(self) -> Llama:
        """The course's own `Llama` with these weights (not a copy of them), in evaluation mode. Its weights
        must be in the order "neighbours".
        """
        with torch.device("meta"):
            model = Llama(self.config)
        model.load_state_dict(self.weights, assign=True)
        return model.requires_grad_(False).eval()

    def tokenizer(self) -> Any:
        """Its byte-level BPE, a `tokenizers.Tokenizer`: `encode(text).ids`, `decode(ids)`.
        Raises UserError without the package.
        """
        return make_tokenizer(self.file)

    def chat(self, question: str) -> str:
        """The text that a chat begins with: the question in the form on which the model was tuned."""
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        template = ImmutableSandboxedEnvironment().from_string(self.file.metadata["tokenizer.chat_template"])
        return template.render(messages=[{"role": "user", "content": question}], add_generation_prompt=True)


def load_smollm2(dtype: torch.dtype = torch.float32, rotary: Rotary = "neighbours") -> Pretrained:
    """The model, in about a second. `dtype` is float32 (540 MB) or float16 (270 MB);
    `rotary` is the order of channels.

    Raises UserError if it is not fetched, or damaged.
    """
    return load_gguf(read_gguf(fetched("smollm2", FILE)), dtype, rotary)


def load_gguf(file: GGUF, dtype: torch.dtype = torch.float32, rotary: Rotary = "neighbours") -> Pretrained:
    """A model of Llama's form. Raises KeyError if the file has another form."""
    config = _config(file)
    weights = {}
    for name, stored in file.tensors.items():
        weight = stored.dequantised().to(dtype)
        if rotary == "halves" and ".attn_q." in name:
            weight = to_halves(weight, config.n_head)
        if rotary == "halves" and ".attn_k." in name:
            weight = to_halves(weight, config.n_key_head)
        weights[_name(name)] = weight
    return Pretrained(config, weights, file)


def to_halves(weight: Tensor, n_head: int) -> Tensor:
    """Rows of W_Q or W_K (n_head · hs, C) in the order for rotating halves: of each head, the even channels
    and then the odd ones. `n_head` is the number of heads that *this* matrix has.
    """
    rows, columns = weight.shape
    pairs = weight.view(n_head, rows // n_head // 2, 2, columns)  # channel 2i + j of head h is [h, i, j]
    return pairs.transpose(1, 2).reshape(rows, columns)


def make_tokenizer(file: GGUF) -> Any:
    """The tokenizer of a file: its vocabulary and its merges. A text is cut before and after each digit, and
    then as GPT-2's is (Radford et al. 2019).
    """
    tokenizers = need("tokenizers")
    tokens, types = file.metadata["tokenizer.ggml.tokens"], file.metadata["tokenizer.ggml.token_type"]
    merges = [tuple(pair.split(" ")) for pair in file.metadata["tokenizer.ggml.merges"]]
    vocabulary = {token: index for index, token in enumerate(tokens)}
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocabulary, merges=merges))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Sequence(
        [
            tokenizers.pre_tokenizers.Digits(individual_digits=True),
            tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    made.decoder = tokenizers.decoders.ByteLevel()
    control = [token for token, kind in zip(tokens, types, strict=True) if kind == CONTROL]
    made.add_special_tokens([tokenizers.AddedToken(token, special=True) for token in control])
    return made


def _config(file: GGUF) -> LlamaConfig:
    def entry(name: str) -> Any:
        return file.metadata[f"llama.{name}"]

    return LlamaConfig(
        vocab_size=len(file.metadata["tokenizer.ggml.tokens"]),
        n_layer=entry("block_count"),
        d_model=entry("embedding_length"),
        d_mlp=entry("feed_forward_length"),
        n_head=entry("attention.head_count"),
        n_key_head=entry("attention.head_count_kv"),
        theta=entry("rope.freq_base"),
        epsilon=entry("attention.layer_norm_rms_epsilon"),
        block_size=entry("context_length"),
    )


def _name(name: str) -> str:
    """blk.3.attn_q.weight → blocks.3.attention.query.weight."""
    *block, part, ending = name.split(".")
    return ".".join(["blocks", block[1], NAMES[part], ending] if block else [NAMES[part], ending])
