"""Pairs of sentences that differ in their last word: what heads do on them, and what luck would do."""

from __future__ import annotations

import numpy as np
import pytest

from kqa_core.downloads.cache import problem_of
from kqa_core.downloads.catalogue import DOWNLOADS
from kqa_core.errors import UserError
from kqa_core.show import pronouns
from kqa_core.show.explorer.capture import Seen
from kqa_core.show.explorer.explorer import explore
from kqa_core.show.pronouns import (
    PAIRS,
    PronounPair,
    held_out_share,
    recorded_head,
    recorded_pronouns,
    score_heads,
)

HERE = problem_of(DOWNLOADS["minilm"])


def test_the_pairs_differ_in_their_last_word_and_have_both_nouns_and_one_it():
    assert len(PAIRS) == len({pair.start for pair in PAIRS}) == 64
    for pair in PAIRS:
        (one, right, wrong), (other, other_right, other_wrong) = pair.sentences
        assert one.rpartition(" ")[0] == other.rpartition(" ")[0] and one != other
        assert (right, wrong) == (other_wrong, other_right) == (pair.first, pair.second)
        words = one.rstrip(".").lower().replace("'", " ").split()
        assert words.count("it") == 1 and words.index(right) < words.index(wrong) < words.index("it")


def test_no_noun_decides_alone():
    first_is_named_earlier = [pair.sentences[0][1] == pair.first for pair in PAIRS]
    assert all(first_is_named_earlier), "so a head that likes the earlier noun is right in one of the two"


class WholeWords:
    """A tokenizer whose tokens are words."""

    def __init__(self):
        self.words = ["?"]

    def encode(self, text):
        found = text.replace(".", " .").split()
        self.words += [word for word in found if word not in self.words]
        return [self.words.index(word) for word in found]

    def decode(self, numbers, skip_special_tokens=False):
        return self.words[numbers[0]]


def test_scores_of_heads_whose_weights_are_known(monkeypatch):
    def watched(model, numbers):
        T = len(numbers)
        weights = np.zeros((1, 3, T, T), dtype=np.float32)
        weights[0, 0, :, 0] = 1  # the first token
        weights[0, 1, 0, 0] = 1
        weights[0, 1, range(1, T), range(T - 1)] = 1  # the token before
        weights[0, 2, :, 1] = 1  # the first noun: "The animal"
        return Seen(weights, np.ones((1, T, T), dtype=bool))

    monkeypatch.setattr(pronouns, "watch_real", watched)
    scores = score_heads(None, WholeWords(), PAIRS[:1])
    assert scores.right_noun.shape == (1, 2, 1, 3)
    assert scores.right_noun[0, :, 0].tolist() == [[False, False, True], [False, False, False]]
    assert scores.previous[0, 0, 0].tolist()[1] == 1 and scores.first[0, 0, 0].tolist()[0] == 1


def test_a_noun_of_several_tokens_is_one_line():
    split = PronounPair("The trophy didn't fit because it was", "cup", "big", "case", "small")
    with pytest.raises(UserError, match="'cup' is not one token for this model"):
        score_heads(None, WholeWords(), [split])


def test_a_real_skill_survives_the_other_half_and_luck_does_not():
    rng = np.random.default_rng(1)
    right = rng.random((64, 2, 6, 12)) < 0.5
    # a share of 128 fair coins: five standard deviations are 0.22, and the mean over splits varies less
    assert abs(held_out_share(right) - 0.5) < 0.1 < right.mean(axis=(0, 1)).max() - 0.5
    right[:, :, 2, 5] = rng.random((64, 2)) < 0.9
    assert held_out_share(right) == pytest.approx(right[:, :, 2, 5].mean(), abs=0.02)


def test_the_recorded_scores_show_no_head_that_resolves_pronouns_and_two_that_do_something():
    scores = recorded_pronouns()
    assert scores.right_noun.shape == scores.previous.shape == scores.first.shape == (64, 2, 6, 12)
    assert 0.5 < held_out_share(scores.right_noun) < 0.6
    assert scores.previous.mean(axis=(0, 1)).max() > 0.99 and scores.first.mean(axis=(0, 1)).max() > 0.8


def test_without_the_encoder_the_recorded_scores_come_with_the_reason(monkeypatch, tmp_path):
    monkeypatch.setenv("KQA_CACHE", str(tmp_path))
    scores, reason = pronouns.pronoun_scores()
    assert (scores.right_noun == recorded_pronouns().right_noun).all()
    assert "kqa data fetch minilm" in reason


def test_the_recorded_head_sends_it_to_animal_and_needs_no_model():
    tokens, weights = recorded_head()
    it, animal = tokens.index("it"), tokens.index("animal")
    assert weights.shape == (1, 1, 15, 15) and weights[0, 0, it].argmax() == animal
    view = explore(weights, tokens, names=["a head"]).show(query=it, key=animal)
    assert view.sentence == (
        "Attention of a head (one head, 15 tokens): token 10 “it” attends 0.70 to token 2 “animal”."
    )


@pytest.mark.nightly
@pytest.mark.skipif(bool(HERE), reason=f"minilm: {HERE}: `kqa data fetch minilm`")
def test_the_recorded_scores_are_what_the_encoder_gives():
    from kqa_core.pretrained import load_minilm

    scores, kept = score_heads(*load_minilm()), recorded_pronouns()
    assert (scores.right_noun == kept.right_noun).mean() > 0.999
    np.testing.assert_allclose(scores.previous, kept.previous, atol=0.006)
    np.testing.assert_allclose(scores.first, kept.first, atol=0.006)
    (_, weights), (encoder, tokenizer) = recorded_head(), load_minilm()
    now = explore(encoder, PAIRS[0].sentences[0][0], tokenizer).seen[0].weights[3, 1]
    np.testing.assert_allclose(weights[0, 0], now, atol=0.001)
