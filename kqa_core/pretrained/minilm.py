"""all-MiniLM-L6-v2, a real encoder of BERT's form (Wang et al. 2020): 6 layers of 12 heads, width 384.

It was distilled from a larger encoder and then tuned on a billion pairs of sentences (Reimers and Gurevych
2019): the mean of its output vectors tells how similar two sentences are. It is not a bare BERT.
"""

from __future__ import annotations

from typing import Any

from torch import nn

from kqa_core.downloads.cache import fetched
from kqa_core.encoder.classifier import load_encoder


def load_minilm() -> tuple[nn.Module, Any]:
    """The encoder in evaluation mode, a `transformers.BertModel`, and its tokenizer.

    `encoder(**tokenizer(sentences, padding=True, return_tensors="pt")).last_hidden_state` is (B, T, 384).
    Raises UserError if it is not fetched or damaged, or without `transformers`.
    """
    return load_encoder(fetched("minilm"))
