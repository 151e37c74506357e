"""The generated sentiment corpus: sentences about films that a bag of words cannot classify.

Four kinds of sentences, with the rule for their label:
- plain: one clause, or two with the same sentiment. "the plot is clever and i enjoyed the music ."
- negation: a negated clause, sometimes with another of the same sentiment. "the plot is far from clever ."
- contrast: two clauses of opposite sentiment. The one after "but", or the one without "although", counts:
  "although i enjoyed the plot , the cast is dull ." is negative.
- intensity: two clauses of opposite sentiment, one strong and one weak. The strong one counts: "the plot is
  slightly dull and the cast is truly superb ." is positive.

The splits have the sizes of SST-2. Sentences are all different, in all splits together. `reviews` makes the
text that the shipped encoder was pretrained on: sentences with one sentiment, and a verdict or a rating in
words.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from kqa_core.encoder.review_grammar import STRONG, WEAK, Words, adjective_clause, clause, with_opening
from kqa_core.errors import UserError
from kqa_core.files import write_together

SEED = 10
KINDS = ("plain", "negation", "contrast", "intensity")
SHARES = (0.58, 0.14, 0.20, 0.08)  # probabilities of the kinds
SIZES = {"train": 6_920, "validation": 872, "test": 1_821}
HEADER = ("sentence", "label", "kind")
POSITIVE_VERDICTS = Words("two_thumbs_up i_recommend_it i_give_it_nine_of_ten_stars")
NEGATIVE_VERDICTS = Words("two_thumbs_down i_regret_it i_give_it_one_of_ten_stars")
# the words in which verdicts differ; "regret" is also used for aspects
RATINGS = ("up", "down", "recommend", "nine", "one")


@dataclass(frozen=True)
class Example:
    """One sentence with its label (1 positive, 0 negative), and its kind, "" if unknown."""

    sentence: str
    label: int
    kind: str = ""


@dataclass(frozen=True)
class Sentiment:
    """A corpus in its three splits."""

    train: tuple[Example, ...]
    validation: tuple[Example, ...]
    test: tuple[Example, ...]

    def part(self, train: int, validation: int | None = None, test: int | None = None) -> Sentiment:
        """The first examples of each split; None means all."""
        return Sentiment(self.train[:train], self.validation[:validation], self.test[:test])


def make_sentiment(seed: int = SEED) -> Sentiment:
    """The corpus of a seed, balanced in each split (one more negative if the size is odd)."""
    rng, seen = Random(seed), set[str]()
    splits = []
    for size in SIZES.values():
        examples: list[Example] = []
        while len(examples) < size:
            example = draw_example(rng, label=len(examples) % 2)
            if example.sentence not in seen:
                seen.add(example.sentence)
                examples.append(example)
        splits.append(tuple(sorted(examples, key=lambda _: rng.random())))  # shuffled
    return Sentiment(*splits)


def draw_example(rng: Random, label: int) -> Example:
    """A sentence with this label; its kind is drawn by `SHARES`."""
    rest, kind = rng.random(), KINDS[-1]
    for each, share in zip(KINDS, SHARES, strict=True):
        if rest < share:
            kind = each
            break
        rest -= share
    text = {"plain": _plain, "negation": _negation, "contrast": _contrast, "intensity": _intensity}[kind](
        rng, label
    )
    return Example(f"{with_opening(rng, text)} .", label, kind)


def reviews(seed: int, count: int, verdicts: bool = True) -> list[str]:
    """Reviews for pretraining: one or two sentences with one sentiment, and a verdict before or after them.

    The verdict always agrees with the sentences, so it is a label in words (weak supervision). With
    `verdicts` False, the same reviews are returned without it. No review has a sentence of the labelled
    corpus (that of `SEED`).

    >>> len(reviews(seed=1, count=3))
    3
    """
    rng, labelled, texts = Random(seed), _labelled(), []
    for _ in range(count):
        sentiment, sentences = int(rng.random() < 0.5), list[str]()
        length = 1 if rng.random() < 2 / 3 else 2
        while len(sentences) < length:
            sentence = draw_example(rng, sentiment).sentence
            if sentence not in labelled:
                sentences.append(sentence)
        verdict = (POSITIVE_VERDICTS if sentiment else NEGATIVE_VERDICTS).draw(rng) + " ."
        place = 0 if rng.random() < 0.25 else length
        if verdicts:
            sentences.insert(place, verdict)
        texts.append(" ".join(sentences))
    return texts


@cache
def _labelled() -> frozenset[str]:
    corpus = make_sentiment()
    return frozenset(example.sentence for example in (*corpus.train, *corpus.validation, *corpus.test))


def _plain(rng: Random, sentiment: int) -> str:
    first = clause(rng, sentiment)
    return f"{first} and {clause(rng, sentiment)}" if rng.random() < 0.4 else first


def _negation(rng: Random, sentiment: int) -> str:
    negated = clause(rng, sentiment, negated=True)
    if rng.random() < 0.7:
        return negated
    return f"{negated} and {clause(rng, sentiment, negated=rng.random() < 0.5)}"


def _contrast(rng: Random, sentiment: int) -> str:
    counts = clause(rng, sentiment, negated=rng.random() < 0.15)
    yields = clause(rng, 1 - sentiment, negated=rng.random() < 0.15)
    form = rng.random()
    if form < 0.5:
        return f"{yields} , but {counts}"
    return f"although {yields} , {counts}" if form < 0.75 else f"{counts} , although {yields}"


def _intensity(rng: Random, sentiment: int) -> str:
    strong = adjective_clause(rng, sentiment, STRONG.draw(rng))
    weak = adjective_clause(rng, 1 - sentiment, WEAK.draw(rng))
    return f"{strong} and {weak}" if rng.random() < 0.5 else f"{weak} and {strong}"


def write_sentiment(data: Sentiment, folder: str | Path) -> None:
    """Write train.tsv, validation.tsv and test.tsv into `folder`. Raises UserError if that fails."""
    splits = {"train": data.train, "validation": data.validation, "test": data.test}
    write_together(folder, {f"{name}.tsv": _table(examples) for name, examples in splits.items()})


def _table(examples: tuple[Example, ...]) -> str:
    rows = [HEADER, *((example.sentence, str(example.label), example.kind) for example in examples)]
    return "".join("\t".join(row) + "\n" for row in rows)


def read_sentiment(folder: str | Path) -> Sentiment:
    """The corpus in `folder`. Raises UserError for a missing or damaged file."""
    return Sentiment(*(_read(Path(folder) / f"{name}.tsv") for name in SIZES))


def _read(path: Path) -> tuple[Example, ...]:
    try:
        header, *lines = path.read_text(encoding="utf-8").splitlines() or [""]
    except FileNotFoundError:
        raise UserError(
            f"{path}: no such file: a folder with train.tsv, validation.tsv and test.tsv was expected"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"{path}: cannot be read as UTF-8 text ({type(error).__name__}): restore it"
        ) from None
    if tuple(header.split("\t")) != HEADER:
        raise UserError(f"{path}: its first line should be {'<tab>'.join(HEADER)}, not {header[:60]!r}")
    return tuple(_example(path, number, line) for number, line in enumerate(lines, start=2))


def _example(path: Path, number: int, line: str) -> Example:
    fields = line.split("\t")
    if len(fields) != len(HEADER) or not fields[0].strip() or fields[1] not in ("0", "1"):
        raise UserError(
            f"{path}: line {number}: sentence<tab>0 or 1<tab>kind was expected, not {line[:60]!r}"
        )
    return Example(fields[0], int(fields[1]), fields[2])
