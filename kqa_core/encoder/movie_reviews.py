"""10,605 real sentences from film reviews, each rated by 15 to 29 people from −4 to +4.

- The label is the sign of the mean rating. Sentences whose mean is below ½ in size are kept apart: people do
  not agree on them.
- The split is ours, made once: a hash of a sentence's text decides where it goes. So it depends neither on a
  seed nor on the order of the file, and the same text is never in two splits. Each split is in the order of
  the hash, so its first sentences are a random sample. (The file begins with thousands of positive ones.)
- Raters disagree. `raters_agreement` is the share of single ratings that have the label's sign: a ceiling for
  accuracy that is more honest than 100 %.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from kqa_core.downloads.cache import fetched
from kqa_core.encoder.sentiment import Example, Sentiment
from kqa_core.stats import Proportion

SENTENCES, RATINGS = "movieReviewSnippets_GroundTruth.txt", "movieReviewSnippets_anonDataRatings.txt"
CLEAR = 0.5  # the smallest mean rating, in size, that gives a label
SHARES = (0.8, 0.1)  # of train and validation; the rest is test


@dataclass(frozen=True)
class RatedSentence:
    """One sentence with the rating of each person, from −4 to +4."""

    sentence: str
    ratings: tuple[int, ...]

    @property
    def mean(self) -> float:
        """The mean rating."""
        return sum(self.ratings) / len(self.ratings)

    @property
    def label(self) -> int | None:
        """1 positive, 0 negative, None if the mean is near 0."""
        return None if abs(self.mean) < CLEAR else int(self.mean > 0)


@dataclass(frozen=True)
class MovieReviews:
    """The sentences with a label in three splits, and those without."""

    train: tuple[RatedSentence, ...]
    validation: tuple[RatedSentence, ...]
    test: tuple[RatedSentence, ...]
    near_zero: tuple[RatedSentence, ...]

    def sentiment(self) -> Sentiment:
        """The three splits as a corpus for `fine_tune`, without the ratings."""
        return Sentiment(*(_examples(split) for split in (self.train, self.validation, self.test)))


def read_movie_reviews() -> MovieReviews:
    """The corpus in the cache. Raises UserError if it is not fetched or damaged."""
    sentences = fetched("movie-reviews", SENTENCES).read_text(encoding="utf-8").splitlines()
    ratings = fetched("movie-reviews", RATINGS).read_text(encoding="utf-8").splitlines()
    return make_splits(sentences, ratings)


def make_splits(sentences: Sequence[str], ratings: Sequence[str]) -> MovieReviews:
    """The corpus of lines "number, mean, sentence" and lines "number, mean, deviation, [ratings]", with tabs
    for commas. Of equal sentences, only the first is used.
    """
    splits: dict[str, list[RatedSentence]] = {"train": [], "validation": [], "test": [], "near_zero": []}
    seen = set()
    for line, rated in zip(sentences, ratings, strict=True):
        number, _, sentence = line.split("\t")
        same_number, _, _, values = rated.split("\t")
        assert number == same_number, (number, same_number)
        example = RatedSentence(sentence.strip(), tuple(json.loads(values)))
        if example.sentence in seen:
            continue
        seen.add(example.sentence)
        splits["near_zero" if example.label is None else split_of(example.sentence)].append(example)
    ordered = {
        name: sorted(examples, key=lambda example: _hash(example.sentence))
        for name, examples in splits.items()
    }
    return MovieReviews(**{name: tuple(examples) for name, examples in ordered.items()})


def split_of(sentence: str) -> str:
    """The split of a sentence, by its hash."""
    place = _hash(sentence) / 2**64
    train, validation = SHARES
    return "train" if place < train else "validation" if place < train + validation else "test"


def _hash(sentence: str) -> int:
    """The first 8 bytes of the SHA-256 of its UTF-8."""
    return int.from_bytes(sha256(sentence.encode()).digest()[:8])


def raters_agreement(examples: Sequence[RatedSentence]) -> Proportion:
    """How many of all ratings have the sign of their sentence's label. A rating of 0 does not. The
    proportion's interval is too narrow, because ratings of one sentence are not independent.
    """
    hits = [
        (rating > 0) if example.label else (rating < 0) for example in examples for rating in example.ratings
    ]
    return Proportion(sum(hits), len(hits))


def _examples(split: Sequence[RatedSentence]) -> tuple[Example, ...]:
    return tuple(Example(example.sentence, example.label) for example in split if example.label is not None)
