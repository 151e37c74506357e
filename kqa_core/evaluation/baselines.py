"""Baselines without a model, and the knowledge ceiling.

- London: the answer is always London, as in the original assignment. Majority: always the commonest place of
  the training pairs.
- Name table: the commonest place of the training people who share a part of the person's name; if there are
  none, the majority. A first name belongs to a region and not to a place, so this measures how much a name
  gives away.
- Knowledge ceiling: how often the answer is in one of the person's own lines, which begin with the name and a
  full stop. A model can exceed it only by guessing. `within` limits the line to the part that span corruption
  can show (⌊7/8·128⌋ = 112 characters of a block of 128).
- Every result is a `Proportion`, with its 95 % interval.
"""

from __future__ import annotations

import bisect
from collections import Counter, defaultdict
from collections.abc import Sequence

from kqa_core.errors import UserError
from kqa_core.stats import Proportion
from kqa_core.text.birthplaces import Pair, person_of

CAPITAL = "London"


def own_lines(in_order: list[str], name: str) -> list[str]:
    """Of sorted documents, those that begin with a name and a full stop."""
    start = f"{name}. "
    first = bisect.bisect_left(in_order, start)
    return in_order[first : bisect.bisect_right(in_order, start + "\U0010ffff", lo=first)]


def constant(pairs: Sequence[Pair], place: str = CAPITAL) -> Proportion:
    """How often `place` is the answer."""
    return Proportion(sum(answer == place for answer in _answers(pairs)), len(pairs))


def majority_place(pairs: Sequence[Pair]) -> str:
    """The commonest answer; of equally common ones the first in the alphabet."""
    counts = Counter(_answers(pairs))
    return min(counts, key=lambda place: (-counts[place], place))


def name_table(train: Sequence[Pair], pairs: Sequence[Pair]) -> Proportion:
    """How often the name table gives the answer: see the module's docstring."""
    by_part: dict[str, Counter[str]] = defaultdict(Counter)
    for pair, answer in zip(train, _answers(train), strict=True):
        for part in person_of(pair.question).split():
            by_part[part][answer] += 1
    fallback = majority_place(train)
    hits = 0
    for pair, answer in zip(pairs, _answers(pairs), strict=True):
        votes: Counter[str] = Counter()
        for part in person_of(pair.question).split():
            votes.update(by_part.get(part, {}))
        guess = min(votes, key=lambda place: (-votes[place], place)) if votes else fallback
        hits += guess == answer
    return Proportion(hits, len(pairs))


def ceiling(pairs: Sequence[Pair], documents: Sequence[str], within: int | None = None) -> Proportion:
    """How often the answer is in one of the person's own lines, or in its first `within` characters."""
    in_order = sorted(documents)
    answers = _answers(pairs)
    hits = sum(
        any(answer in line[:within] for line in own_lines(in_order, person_of(pair.question)))
        for pair, answer in zip(pairs, answers, strict=True)
    )
    return Proportion(hits, len(pairs))


def _answers(pairs: Sequence[Pair]) -> list[str]:
    answers = [pair.answer for pair in pairs if pair.answer is not None]
    if not answers or len(answers) != len(pairs):
        raise UserError(
            "these questions have no answers to compare with: give a file of `question<tab>place` lines"
        )
    return answers
