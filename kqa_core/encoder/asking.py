"""Asking a pretrained encoder without training it: which word belongs where <mask> stands?

An encoder that has read ratings can rate a sentence: put "two thumbs <mask> ." after it, and compare "up" with "down" (prompting;
Schick and Schütze 2021). No label is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from kqa_core.encoder.classify import from_pretrained
from kqa_core.errors import UserError

PROMPT, WORDS = "two thumbs <mask> .", ("down", "up")
BATCH = 256


def fill_mask(source: str | Path, sentence: str, count: int = 5) -> list[tuple[str, float]]:
    """The likeliest words for the first <mask> of a sentence, with their probabilities. UserError where there is none."""
    model, tokenizer = from_pretrained("AutoModelForMaskedLM", source)
    given = tokenizer(sentence, return_tensors="pt")
    places = (given["input_ids"][0] == tokenizer.mask_token_id).nonzero()
    if not len(places):
        raise UserError(f"{sentence[:60]!r}: has no {tokenizer.mask_token}: write it where a word should be found")
    with torch.no_grad():
        logits = model(**given).logits[0, int(places[0])]  # (vocab_size,)
    best = logits.softmax(-1).topk(count)
    words = tokenizer.convert_ids_to_tokens(best.indices.tolist())
    return list(zip(words, best.values.tolist(), strict=True))


def rate(source: str | Path, sentences: Sequence[str], prompt: str = PROMPT, words: tuple[str, str] = WORDS) -> Tensor:
    """(N,) the probability of the second of two words against the first, where `prompt` after a sentence has its <mask>.

    Raises UserError for a word that is not one token.
    """
    model, tokenizer = from_pretrained("AutoModelForMaskedLM", source)
    ids = [tokenizer.convert_tokens_to_ids(word) for word in words]
    if tokenizer.unk_token_id in ids:
        raise UserError(f"{' or '.join(words)}: not a word of this encoder: choose words that are one token each")
    found = [torch.zeros(0)]
    for start in range(0, len(sentences), BATCH):
        texts = [f"{sentence} {prompt}" for sentence in sentences[start : start + BATCH]]
        given = tokenizer(texts, padding=True, return_tensors="pt")
        rows, places = (given["input_ids"] == tokenizer.mask_token_id).nonzero(as_tuple=True)
        with torch.no_grad():
            logits = model(**given).logits[rows, places][:, ids]  # (N, 2)
        found.append(logits.softmax(-1)[:, 1])
    return torch.cat(found)
