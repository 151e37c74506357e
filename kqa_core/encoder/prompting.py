"""Prompting a pretrained encoder, without training it: which word belongs at <mask>?

An encoder that was pretrained on ratings can predict one: append "two thumbs <mask> ." to a sentence, and
compare the probabilities of "up" and "down" (Schick and Schütze 2021). No label is used. For the shipped
encoder's accuracy see data/encoder/README.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from kqa_core.encoder.classifier import from_pretrained
from kqa_core.errors import UserError

PROMPT, WORDS = "two thumbs <mask> .", ("down", "up")
BATCH = 256


def fill_mask(source: str | Path, sentence: str, count: int = 5) -> list[tuple[str, float]]:
    """The `count` likeliest words for a sentence's first <mask>, with probabilities, the likeliest first.

    Raises UserError for a sentence without <mask>, or one that is too long for the encoder.
    """
    model, tokenizer = from_pretrained("AutoModelForMaskedLM", source)
    best = _logits(model, tokenizer, [sentence])[0].softmax(-1).topk(count)
    words = tokenizer.convert_ids_to_tokens(best.indices.tolist())
    return list(zip(words, best.values.tolist(), strict=True))


@dataclass(frozen=True)
class PromptClassifier:
    """An encoder with a prompt as a classifier, without training."""

    source: str | Path
    prompt: str = PROMPT  # what follows each sentence; its <mask> is the rating
    words: tuple[str, str] = WORDS  # of a negative and of a positive rating

    def predict(self, sentences: Sequence[str]) -> Tensor:
        """(N,) the probability that each sentence is positive: that of the second word, relative to both.

        Raises UserError for a word that is not one token, a prompt without <mask>, and a sentence too long
        for the encoder.
        """
        model, tokenizer = from_pretrained("AutoModelForMaskedLM", self.source)
        ids = [tokenizer.convert_tokens_to_ids(word) for word in self.words]
        if tokenizer.unk_token_id in ids:
            raise UserError(
                f"{' or '.join(self.words)}: not a word of this encoder: choose words that are one token each"
            )
        chances = [torch.zeros(0)]
        for start in range(0, len(sentences), BATCH):
            texts = [f"{sentence} {self.prompt}" for sentence in sentences[start : start + BATCH]]
            chances.append(_logits(model, tokenizer, texts)[:, ids].softmax(-1)[:, 1])
        return torch.cat(chances)


def _logits(model: Any, tokenizer: Any, texts: list[str]) -> Tensor:
    """(N, vocab_size): the logits at the first <mask> of each text."""
    inputs = tokenizer(texts, padding=True, return_tensors="pt")
    hidden = inputs["input_ids"] == tokenizer.mask_token_id  # (N, T)
    for text, row in zip(texts, hidden, strict=True):
        if not row.any():
            raise UserError(
                f"{text[:60]!r}: has no {tokenizer.mask_token}: write it in place of the missing word"
            )
    if hidden.shape[1] > tokenizer.model_max_length:
        longest = max(texts, key=len)
        raise UserError(
            f"{longest[:60]!r}: longer than this encoder's {tokenizer.model_max_length} tokens: shorten it"
        )
    with torch.no_grad():
        logits: Tensor = model(**inputs).logits  # (N, T, vocab_size)
    return logits[torch.arange(len(texts)), hidden.int().argmax(1)]
