"""Counting words: what it learns, and where it must fail."""

from __future__ import annotations

import pytest
import torch

from kqa_core.encoder.bag_of_words import accuracy, fit
from kqa_core.encoder.sentiment import Example
from kqa_core.errors import UserError

LINEAR = [
    Example(f"the {noun} is {word} .", label)
    for noun in ("plot", "cast")
    for word, label in (("good", 1), ("bad", 0))
]
TURNED = [
    Example(f"the plot is {turn}{word} .", label ^ bool(turn))
    for turn in ("", "not ")
    for word, label in (("good", 1), ("bad", 0))
]


def test_words_that_decide_are_learnt():
    model = fit(LINEAR)
    assert accuracy(model, LINEAR) == 1.0
    assert model.weight[model.vocabulary["good"]] > 0 > model.weight[model.vocabulary["bad"]]
    assert model.predict(["a good film", "a bad film"]).tolist() == [1, 0]


def test_negation_is_beyond_words_and_within_pairs():
    assert accuracy(fit(TURNED), TURNED) <= 0.75  # no line separates an exclusive or; three of four it can
    assert accuracy(fit(TURNED, pairs=True), TURNED) == 1.0


def test_features_say_which_known_words_are_there():
    model = fit(LINEAR)
    features = model.features(["good good film", "unheard"]).to_dense()
    assert features.shape == (2, len(model.vocabulary)) and features.sum().item() == 1.0
    assert features[0, model.vocabulary["good"]] == 1.0


def test_the_same_sentences_give_the_same_classifier():
    assert torch.equal(fit(LINEAR).weight, fit(LINEAR).weight)


def test_without_sentences_there_is_nothing_to_learn():
    with pytest.raises(UserError, match="no sentences"):
        fit([])


@pytest.mark.slow
def test_on_the_corpus_it_learns_the_plain_sentences_and_not_the_others(corpus):
    model = fit(corpus.train)
    by_kind = {
        kind: [each for each in corpus.test if each.kind == kind]
        for kind in ("plain", "negation", "contrast", "intensity")
    }
    right = {kind: accuracy(model, examples) for kind, examples in by_kind.items()}
    assert right.pop("plain") > 0.95 and max(right.values()) < 0.65
    assert 0.72 < accuracy(model, corpus.test) < 0.78  # nothing is drawn: the figure is the same each time
