"""Attention of models that are not the course's GPT: by name, or a module with its tokenizer.

- Names: "minilm" and "smollm2" (`kqa data fetch` gets them), the folder of a model of `transformers`, or a
  name on the Hugging Face hub, such as "bert-base-uncased".
- Modules: any whose attention is torch's `scaled_dot_product_attention`, once in each layer, and models of
  `transformers` that give their `attentions` (loaded with `attn_implementation="eager"`).
- Tokenizers: of `transformers` or of `tokenizers`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from kqa_core.encoder.classifier import from_pretrained
from kqa_core.encoder.hugging_face import need, quiet
from kqa_core.encoder.sources import encoder_source
from kqa_core.errors import UserError
from kqa_core.model.gpt import GPT
from kqa_core.pretrained.smollm2 import load_smollm2
from kqa_core.show.explorer.capture import MOST_NUMBERS, Seen, given, is_square, record, seen_of, watch

SPACES = {" ": "␣", "\n": "⏎", "\t": "⇥"}
MOST_CHANNELS = 1_000_000  # numbers of queries and keys; more would make the page slow


def load_named(name: str) -> tuple[nn.Module, Any]:
    """A model and its tokenizer. Raises UserError if it is not there."""
    if name == "smollm2":
        pretrained = load_smollm2()
        return pretrained.model(), pretrained.tokenizer()
    source = encoder_source(name)
    return from_pretrained("AutoModelForCausalLM" if _predicts(source) else "AutoModel", source)


def _predicts(source: str) -> bool:
    """Whether this is a language model that predicts the next token, as its configuration says."""
    try:
        with quiet():
            config = need("transformers").AutoConfig.from_pretrained(
                source, local_files_only=Path(source).is_dir()
            )
    except (OSError, ValueError):  # what is wrong is said when the model is loaded
        return False
    return any(name.endswith(("ForCausalLM", "LMHeadModel")) for name in config.architectures or ())


def read_with(tokenizer: Any, text: str | Sequence[int]) -> tuple[list[int], list[str]]:
    """The token numbers of `text` (T,), and each token as text, with its spaces visible.
    Raises UserError for an empty text, and for what is no tokenizer.
    """
    if not hasattr(tokenizer, "decode") or not hasattr(tokenizer, "encode"):
        raise UserError(
            f"{type(tokenizer).__name__}: a tokenizer was expected after the text, of transformers or of"
            " tokenizers"
        )
    if not text:
        raise UserError("a model needs something to read: give it a text of at least one character")
    if isinstance(text, str):
        encoded = tokenizer.encode(text)  # a list of numbers in transformers, an Encoding in tokenizers
        numbers = list(encoded if isinstance(encoded, list) else encoded.ids)
    else:
        numbers = list(text)
    return numbers, names_with(tokenizer, numbers)


def names_with(tokenizer: Any, numbers: Sequence[int]) -> list[str]:
    """Each token as text, with its spaces visible."""
    return [_shown(tokenizer.decode([number], skip_special_tokens=False)) for number in numbers]


def _shown(token: str) -> str:
    return "".join(SPACES.get(character, character) for character in token)


def attention_of(model: Any, text: str | Sequence[int], tokenizer: Any = None) -> Seen:
    """The attention of every layer and head, `.weights` (L, H, T, T), in evaluation mode.

    `model` is a GPT, the name of a real model (see above), or another module; `text` is a list of T token
    numbers, or for a real model what its tokenizer reads. Raises UserError for a text that the model cannot
    read, and for a model without a table of weights.
    """
    if isinstance(model, GPT):
        return watch(model, [int(token) for token in text])
    if isinstance(model, str):
        model, tokenizer = load_named(model)
    numbers = read_with(tokenizer, text)[0] if isinstance(text, str) else [int(token) for token in text]
    return watch_real(model, numbers)


def watch_real(model: nn.Module, tokens: Sequence[int]) -> Seen:
    """The attention of every layer and head on `tokens` (T,), in evaluation mode. Where there are too many
    queries and keys for a page, only the weights. Raises UserError if they cannot be found.
    """
    calls = record(model, tokens).calls
    if not calls:
        return given(_own_attentions(model, tokens))
    if not is_square(calls, len(tokens)) or len({call.query.shape for call in calls}) > 1:
        raise UserError(
            f"{type(model).__name__}: one table of tokens × tokens weights was expected in each layer: give"
            " the weights themselves, an array (layers, heads, tokens, tokens)"
        )
    count = sum(call.query.shape[1] for call in calls) * len(tokens) ** 2
    if count > MOST_NUMBERS:
        raise UserError(
            f"{count:,} weights are too many for a page (at most {MOST_NUMBERS:,}): give a shorter text than"
            f" these {len(tokens)} tokens"
        )
    seen = seen_of(calls)
    assert seen.query is not None and seen.key is not None
    few = seen.query.size + seen.key.size <= MOST_CHANNELS
    return seen if few else replace(seen, query=None, key=None, scale=(), bias=None)


def _own_attentions(model: nn.Module, tokens: Sequence[int]) -> Any:
    """The `attentions` that a model of transformers gives, L tables (1, H, T, T)."""
    device = next(model.parameters()).device
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        with torch.no_grad():
            output = model(torch.tensor([list(tokens)], device=device), output_attentions=True)
        return output.attentions
    except (TypeError, AttributeError):
        raise UserError(
            f"{type(model).__name__}: its attention cannot be found: give the weights themselves, an array"
            " (layers, heads, tokens, tokens)"
        ) from None
    finally:
        for module, training in modes.items():
            module.training = training
