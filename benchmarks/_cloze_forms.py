"""Rows that ask for one fact in many forms, made of the text alone.

- Allen-Zhu and Li (2023): a fact that a text states in one form is stored, but no question in another form
  reaches it; the same fact in many wordings, orders and with the full name can be reached. Lewis et al.
  (2019): a masked sentence, made noisy, serves as a question that nobody wrote.
- A row is `question?⁇span⁇`, the form of a finetuning row. The question is the sentence around a masked span:
  mentions of the name are replaced by one full name, at a random place; words are dropped, and words near
  each other change places. No train question, no label and no list of question words is read, and every kind
  of span is as likely as it is frequent.
- The other rows of a batch are those of `SalientBatches`. A batch is a function of (seed, step) only.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch

from kqa_core.text.birthplaces import Pair, encode_pair
from kqa_core.text.corpus import Corpus
from kqa_core.text.salient_spans import WORD, Span, salient_spans, title_length, words_of
from kqa_core.training.batches import Batch, Batches, Order, SalientBatches, join, trim
from kqa_core.training.recipes import Pretraining

CLOZES = 3  # the stream of random numbers: documents and questions have 1 and 2
SENTENCE_END = re.compile(r"(?<!\b\w)[.?!] ")  # not after an initial
NAME = "\0"  # where the name stands among the words of a sentence


@dataclass(frozen=True)
class Forms:
    """How noisy the questions are, and how many there are."""

    share: float = 0.5  # of the rows of a batch
    drop: float = 0.3  # of the words of a sentence, on average; each question draws its own rate
    moves: float = 3.0  # a word moves by fewer places than this
    any_word: float = 0.0  # share of the questions that ask for a word in place of a name or a number
    longest: int = 56  # characters of a question, name included; words far from the span go first


def sentence_of(document: str, span: Span) -> Span:
    """The sentence of `document` that holds `span`, (start, end), without the title."""
    start = title_length(document)
    ends = [match.start() + 1 for match in SENTENCE_END.finditer(document, start)]
    first = max((end + 1 for end in ends if end < span[0]), default=start)
    return max(first, start), min((end for end in ends if end >= span[1]), default=len(document))


def cloze_question(document: str, span: Span, forms: Forms, rng: random.Random) -> str:
    """A question that `span` answers, made of its sentence.

    >>> document = "Ada Bell. Bell was born in Oslo in 1920 ."
    >>> plain = Forms(drop=0.0, moves=1.0)
    >>> cloze_question(document, (27, 31), plain, random.Random(1))
    'was born in in 1920 Ada Bell?'
    """
    title = document[: title_length(document)].removesuffix(". ")
    own = set(WORD.findall(title))
    start, end = sentence_of(document, span)
    before, after = (
        [word for word in WORD.findall(document[slice(*part)]) if word not in own]
        for part in ((start, span[0]), (span[1], end))
    )
    rate = rng.uniform(0, 2 * forms.drop)
    before, after = ([word for word in part if rng.random() >= rate] for part in (before, after))
    room = forms.longest - len(title)
    while before + after and sum(len(word) + 1 for word in before + after) > room:
        far = before if len(before) >= len(after) else after
        far.pop(0 if far is before else -1)
    words = before + after
    words.insert(rng.choice((0, len(before), len(words))), NAME)
    places = [place + rng.uniform(0, forms.moves) for place in range(len(words))]
    ordered = [word for _, word in sorted(zip(places, words, strict=True))]
    return " ".join(title if word == NAME else word for word in ordered) + "?"


class ClozeBatches(Batches):
    """Rows of `SalientBatches`, and noisy questions of the same documents."""

    def __init__(self, corpus: Corpus, block_size: int, phase: Pretraining, forms: Forms, seed: int) -> None:
        count = round(phase.batch_size * forms.share)
        self.questions = Order(len(corpus.documents), count, seed, CLOZES, phase.shuffle)
        rest = replace(phase, batch_size=phase.batch_size - count)
        self.plain = SalientBatches(corpus, block_size, rest, seed) if rest.batch_size else None
        super().__init__(self.questions if self.plain is None else self.plain.order, block_size)
        self.corpus, self.forms, self.seed, self.block_size = corpus, forms, seed, block_size
        self.salient = [self._fitting(document, salient_spans(document)) for document in corpus.documents]
        self.words = [self._fitting(document, words_of(document)) for document in corpus.documents]

    def batch(self, step: int) -> Batch:
        """The batch of this step: salient rows, then noisy questions."""
        rng = random.Random(f"{self.seed} {step}")
        rows = [
            encode_pair(self._pair(number, rng), self.corpus.vocabulary, self.block_size)
            for number in self.questions.rows(step).tolist()
        ]
        x, y = (torch.tensor(part) for part in zip(*rows, strict=True))
        questions = trim(x, y)
        return questions if self.plain is None else join(self.plain.batch(step), questions)

    def _pair(self, number: int, rng: random.Random) -> Pair:
        document = self.corpus.documents[number]
        salient, words = self.salient[number], self.words[number]
        spans = words if not salient or rng.random() < self.forms.any_word else salient
        if not spans:
            return Pair(document[: self.block_size // 2] + "?", document[:1])
        span = rng.choice(spans)
        return Pair(cloze_question(document, span, self.forms, rng), document[slice(*span)])

    def _fitting(self, document: str, spans: Sequence[Span]) -> list[Span]:
        """The spans whose rows fit into a block."""
        room = self.block_size - 3 - max(self.forms.longest, title_length(document) + 1)
        return [span for span in spans if span[1] - span[0] <= room]
