"""A bag-of-words baseline: logistic regression on words, and optionally on pairs of neighbours.

In the generated sentences words are separated by spaces. For real text, `words=text_words` takes capital
letters and punctuation away. Words that are not in the train sentences are ignored. The weights are trained
by gradient descent on all sentences at once, with an L2 penalty. There is no randomness, so the same
sentences give the same classifier.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.encoder.sentiment import Example
from kqa_core.errors import UserError

STEPS, RATE, PENALTY = 300, 0.1, 1e-4


def text_words(text: str) -> list[str]:
    """The words of a real text, in small letters.

    >>> text_words("It isn't good, it's great!")
    ['it', "isn't", 'good', "it's", 'great']
    """
    return re.findall(r"\w+(?:'\w+)*", text.lower())


class BagOfWords:
    """A linear classifier over words; `pairs` adds pairs such as "not good"."""

    def __init__(
        self, sentences: Sequence[str], pairs: bool = False, words: Callable[[str], list[str]] = str.split
    ) -> None:
        self.pairs, self.split = pairs, words
        known = sorted({word for sentence in sentences for word in self.words(sentence)})
        self.vocabulary = {word: index for index, word in enumerate(known)}
        self.weight = torch.zeros(len(known))  # (V,)
        self.bias = torch.zeros(())

    def words(self, sentence: str) -> list[str]:
        """The features of a sentence: its words, and its pairs."""
        words = self.split(sentence)
        return words + [f"{first} {second}" for first, second in pairwise(words)] if self.pairs else words

    def features(self, sentences: Sequence[str]) -> Tensor:
        """(N, V) float32: 1 where sentence n has word v. Sparse, as there are many rare pairs."""
        places = [
            (row, self.vocabulary[word])
            for row, sentence in enumerate(sentences)
            for word in dict.fromkeys(self.words(sentence))
            if word in self.vocabulary
        ]
        indices = torch.tensor(places, dtype=torch.int64).view(-1, 2).t()  # (2, number of ones)
        size = (len(sentences), len(self.vocabulary))
        return torch.sparse_coo_tensor(
            indices, torch.ones(len(places)), size, is_coalesced=True, check_invariants=False
        )

    def logits(self, sentences: Sequence[str]) -> Tensor:
        """(N,) float32: above 0 for positive."""
        return linear(self.features(sentences), self.weight, self.bias)

    def predict(self, sentences: Sequence[str]) -> Tensor:
        """(N,) int64: 1 positive, 0 negative."""
        return (self.logits(sentences) > 0).long()


def linear(features: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """(N,) logits of features (N, V)."""
    return torch.mv(features, weight) + bias


def fit(
    train: Sequence[Example],
    pairs: bool = False,
    words: Callable[[str], list[str]] = str.split,
    penalty: float = PENALTY,
) -> BagOfWords:
    """Train a classifier; `penalty` times the sum of squared weights is added to the mean cross-entropy.
    Raises UserError if there are no examples.

    >>> model = fit([Example("good film", 1), Example("bad film", 0)])
    >>> model.predict(["good", "bad"])
    tensor([1, 0])
    """
    if not train:
        raise UserError("a bag of words: no sentences to learn from")
    sentences = [example.sentence for example in train]
    model = BagOfWords(sentences, pairs, words)
    features = model.features(sentences)  # (N, V)
    labels = torch.tensor([float(example.label) for example in train])
    model.weight.requires_grad_()
    model.bias.requires_grad_()
    optimizer = torch.optim.Adam([model.weight, model.bias], RATE)
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(linear(features, model.weight, model.bias), labels)
        (loss + penalty * model.weight.square().sum()).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    model.weight, model.bias = model.weight.detach(), model.bias.detach()
    return model


def accuracy(model: BagOfWords, examples: Sequence[Example]) -> float:
    """The accuracy in [0, 1].

    >>> examples = [Example("good film", 1), Example("bad film", 0)]
    >>> accuracy(fit(examples), examples)
    1.0
    """
    labels = torch.tensor([example.label for example in examples])
    return float((model.predict([example.sentence for example in examples]) == labels).float().mean())
