"""Asking an encoder for hidden words."""

from __future__ import annotations

import pytest
import torch

from kqa_core.encoder.classifier import from_pretrained
from kqa_core.encoder.prompting import PromptClassifier, fill_mask
from kqa_core.errors import UserError


def test_hidden_words_come_with_their_probabilities(tiny_encoder):
    words = fill_mask(tiny_encoder, "the plot is <mask> .", count=3)
    assert len(words) == 3 and words == sorted(words, key=lambda pair: -pair[1])
    with pytest.raises(UserError, match="has no <mask>"):
        fill_mask(tiny_encoder, "the plot is good .")


def test_a_rating_compares_two_words_and_padding_changes_nothing(tiny_encoder):
    short, long = "good .", "although i enjoyed the plot , the cast is dull ."
    rated = PromptClassifier(tiny_encoder).predict([short, long])
    assert rated.shape == (2,) and torch.allclose(
        rated[:1], PromptClassifier(tiny_encoder).predict([short]), atol=1e-5
    )
    assert torch.allclose(
        1 - rated, PromptClassifier(tiny_encoder, words=("up", "down")).predict([short, long]), atol=1e-6
    )
    model, tokenizer = from_pretrained("AutoModelForMaskedLM", tiny_encoder)
    given = tokenizer(f"{long} two thumbs <mask> .", return_tensors="pt")
    place = given["input_ids"][0].tolist().index(tokenizer.mask_token_id)
    with torch.no_grad():
        found = model(**given).logits[0, place].softmax(-1)
    up, down = (float(found[tokenizer.convert_tokens_to_ids(word)]) for word in ("up", "down"))
    assert float(rated[1]) == pytest.approx(up / (up + down), abs=1e-5)


def test_words_that_are_no_tokens_are_refused(tiny_encoder):
    with pytest.raises(UserError, match="one token each"):
        PromptClassifier(tiny_encoder, words=("down", "upwards")).predict(["good ."])


def test_a_prompt_that_hides_nothing_and_a_sentence_that_is_too_long_are_refused(tiny_encoder):
    with pytest.raises(UserError, match="two thumbs up': has no <mask>"):
        PromptClassifier(tiny_encoder, prompt="two thumbs up").predict(["good ."])
    for asked in (
        lambda text: fill_mask(tiny_encoder, f"{text} <mask>"),
        lambda text: PromptClassifier(tiny_encoder).predict(["good .", text]),
    ):
        with pytest.raises(UserError, match="longer than this encoder's 64 tokens"):
            asked("very " * 64)
