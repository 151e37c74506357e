"""Answer key of bag_ceiling.

A case is built from its groups: how many sentences of each bag have which label is chosen first, and the
share follows from that.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict

import numpy as np
from course_exercises.bag_ceiling import (
    ALIKE,
    NEGATED,
    NUMBERED,
    OFTEN,
    RUN_TOGETHER,
    SMALL,
    SPELLED,
    THRICE,
    Bag,
    agrees,
    laid_out,
)

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right

ANAGRAMS: list[Bag] = [("no tea was good", 3, 0), ("on eat was good", 0, 2)]
REPEATED: list[Bag] = [("very very dull plot", 2, 0), ("very dull plot", 0, 3), ("very dull dull plot", 4, 0)]
# the same words, in part as many
LENGTHS: list[Bag] = [("a a b", 0, 3), ("a b b", 4, 0), ("a b", 0, 2), ("a a b b", 3, 0)]
MIXED: list[Bag] = [
    ("no end of fun but dull", 2, 5),
    ("it is not good but bad", 4, 1),
    ("so so", 2, 2),
    ("fun fun", 0, 3),
]


BOTH: list[Bag] = [("very very dull", 4, 4)]  # some orders of a bag have the same str(Counter)
TWICE: list[Bag] = [("so so dull", 2, 0), ("good bad fun", 0, 1)]
MANY: list[Bag] = [(f"v{i % 7} w{i} is v{i // 7}", i % 3, 1 + i % 2) for i in range(120)]


def larger(rng: random.Random) -> list[Bag]:
    """Many groups at once, some of both labels."""
    counted = [
        (f"the w{i} is not w{i + 1} but w{i + 2}", rng.randint(0, 5), rng.randint(1, 5))
        for i in range(0, 30, 3)
    ]
    return [*counted, ("one", 4, 2), ("two three", 1, 3), *ANAGRAMS, *REPEATED]


# the last: the same numbers of repetitions, or only the same length
ALL_KINDS = (SMALL, ANAGRAMS, REPEATED, NEGATED, LENGTHS, MIXED, RUN_TOGETHER, TWICE)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Words of the same letters, repeated words, negation, groups of both labels, and all together."""
    for bags in (
        ANAGRAMS,
        REPEATED,
        NEGATED,
        LENGTHS,
        MIXED,
        BOTH,
        RUN_TOGETHER,
        THRICE,
        NUMBERED,
        larger(rng),
        larger(rng),
        *(OFTEN, SPELLED, ALIKE, MANY),
        [("alone", 1, 0)],
    ):
        agrees(answer, rng, bags)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The same kinds."""
    return [laid_out(rng, bags) for bags in (*ALL_KINDS, BOTH, larger(rng))]


def bag_ceiling(sentences, labels):
    """The reference."""
    groups = defaultdict(list)
    for sentence, label in zip(sentences, labels, strict=True):
        groups[tuple(sorted(sentence.split()))].append(label)
    return sum(max(group.count(0), group.count(1)) for group in groups.values()) / len(labels)


def counted_twice(sentences, labels):
    """A table of counts, without a list of labels."""
    table: defaultdict[frozenset[tuple[str, int]], list[int]] = defaultdict(lambda: [0, 0])
    for i, words in enumerate(map(str.split, sentences)):
        table[frozenset(Counter(words).items())][labels[i]] += 1
    return sum(map(max, table.values())) / len(sentences)


def as_a_matrix(sentences, labels):
    """Rows of counts, of which the different ones are numbered."""
    vocabulary = sorted({word for sentence in sentences for word in sentence.split()})
    rows = np.array([[sentence.split().count(word) for word in vocabulary] for sentence in sentences])
    _, group = np.unique(rows, axis=0, return_inverse=True)
    positive = np.bincount(group.ravel(), weights=np.array(labels))
    size = np.bincount(group.ravel())
    return float(np.maximum(positive, size - positive).sum() / size.sum())


def by_errors(sentences, labels):
    """Goes the other way: from 1, each group's rarer label is taken off."""
    left = sorted(
        (sorted(sentence.split()), label) for sentence, label in zip(sentences, labels, strict=True)
    )
    wrong = 0
    while left:
        words = left[0][0]
        mine = [label for other, label in left if other == words]
        wrong += min(sum(mine), len(mine) - sum(mine))
        left = left[len(mine) :]
    return 1 - wrong / len(labels)


def with_classifier(sentences, labels):
    """Trains the best such classifier, and counts what it gets right."""
    votes: defaultdict[str, int] = defaultdict(int)
    keys = [" ".join(sorted(sentence.split(" "))) for sentence in sentences]
    for key, label in zip(keys, labels, strict=True):
        votes[key] += 2 * label - 1
    hits = [(votes[key] > 0) == bool(label) for key, label in zip(keys, labels, strict=True)]
    return np.mean(hits)


def in_order(sentences, labels):
    """Sentences are in one group only if their words are in the same order, too.
    A classifier that counts words does not see the order.
    """
    groups = defaultdict(list)
    for sentence, label in zip(sentences, labels, strict=True):
        groups[sentence].append(label)
    return sum(max(group.count(0), group.count(1)) for group in groups.values()) / len(labels)


def as_sets(sentences, labels):
    """Your groups depend only on which words occur. The classifier also knows how often:
    “very very” differs from “very”.
    """
    groups = defaultdict(list)
    for sentence, label in zip(sentences, labels, strict=True):
        groups[frozenset(sentence.split())].append(label)
    return sum(max(group.count(0), group.count(1)) for group in groups.values()) / len(labels)


def letters(sentences, labels):
    """Sentences with the same letters are in one group, such as “no tea” and “on eat”. The words must be the
    same.
    """
    groups = defaultdict(list)
    for sentence, label in zip(sentences, labels, strict=True):
        groups["".join(sorted(sentence))].append(label)
    return sum(max(group.count(0), group.count(1)) for group in groups.values()) / len(labels)


def agreeing_only(sentences, labels):
    """You count only groups whose labels all agree.
    In the other groups, the more frequent label is still right for most.
    """
    groups = defaultdict(list)
    for sentence, label in zip(sentences, labels, strict=True):
        groups[tuple(sorted(sentence.split()))].append(label)
    return sum(len(group) for group in groups.values() if len(set(group)) == 1) / len(labels)


def mean_of_groups(sentences, labels):
    """You average over the groups. Each sentence counts once, so a large group counts more."""
    groups = defaultdict(list)
    for sentence, label in zip(sentences, labels, strict=True):
        groups[tuple(sorted(sentence.split()))].append(label)
    return sum(max(group.count(0), group.count(1)) / len(group) for group in groups.values()) / len(groups)


def share_of_groups(sentences, labels):
    """You divide the number of groups by the number of sentences. Count the sentences that are right."""
    return len({tuple(sorted(sentence.split())) for sentence in sentences}) / len(labels)


def first_seen(sentences, labels):
    """You give each group the label of its first sentence. The more frequent label is right more often."""
    known: dict[tuple[str, ...], int] = {}
    for sentence, label in zip(sentences, labels, strict=True):
        known.setdefault(tuple(sorted(sentence.split())), label)
    hits = [known[tuple(sorted(s.split()))] == label for s, label in zip(sentences, labels, strict=True)]
    return sum(hits) / len(hits)


def last_seen(sentences, labels):
    """Each group gets the label of its last sentence. The more frequent label is right more often."""
    known = {tuple(sorted(s.split())): label for s, label in zip(sentences, labels, strict=True)}
    hits = [known[tuple(sorted(s.split()))] == label for s, label in zip(sentences, labels, strict=True)]
    return sum(hits) / len(hits)


def commonest_label(sentences, labels):
    """You give all sentences the same label. A classifier that counts words may
    answer each group differently.
    """
    return max(labels.count(0), labels.count(1)) / len(labels)


def how_many(sentences, labels):
    """You return a number of sentences. Divide it by how many there are."""
    groups = defaultdict(list)
    for sentence, label in zip(sentences, labels, strict=True):
        groups[tuple(sorted(sentence.split()))].append(label)
    return sum(max(group.count(0), group.count(1)) for group in groups.values())


def the_worst(sentences, labels):
    """You add up the rarer label of each group.
    These are the sentences that must go wrong; the others can be right.
    """
    groups = defaultdict(list)
    for sentence, label in zip(sentences, labels, strict=True):
        groups[tuple(sorted(sentence.split()))].append(label)
    return sum(min(group.count(0), group.count(1)) for group in groups.values()) / len(labels)


def by_length(sentences, labels):
    """You put sentences of the same length together. The words must be the same, too."""
    groups = defaultdict(list)
    for sentence, label in zip(sentences, labels, strict=True):
        groups[len(sentence.split())].append(label)
    return sum(max(group.count(0), group.count(1)) for group in groups.values()) / len(labels)


def set_and_length(sentences, labels):
    """You look at which words occur and at the length.
    “a a b” and “a b b” agree in both, but have different counts.
    """
    groups = defaultdict(list)
    for sentence, label in zip(sentences, labels, strict=True):
        groups[(frozenset(sentence.split()), len(sentence.split()))].append(label)
    return sum(max(group.count(0), group.count(1)) for group in groups.values()) / len(labels)


def linear_fit(sentences, labels):
    """Your share is that of a sum of weights of the words. The question is about any classifier that sees
    the counts, even a table.
    """
    vocabulary = sorted({word for sentence in sentences for word in sentence.split()})
    counts = np.array(
        [[*(sentence.split().count(word) for word in vocabulary), 1] for sentence in sentences], dtype=float
    )
    weights = np.linalg.lstsq(counts, 2 * np.array(labels) - 1, rcond=None)[0]
    return float(np.mean((counts @ weights > 1e-6) == np.array(labels)))  # rounding decides nothing


def joined_without_spaces(sentences, labels):
    """The words of a sentence run together, so "a b" and "ab" are in one group. Keep the words apart."""
    votes: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for sentence, label in zip(sentences, labels, strict=True):
        votes["".join(sorted(sentence.split()))][label] += 1
    return sum(map(max, votes.values())) / len(labels)


KEY = AnswerKey(
    id="bag_ceiling",
    hidden=hidden,
    reference=bag_ceiling,
    accepted=(counted_twice, as_a_matrix, by_errors, with_classifier),
    rejected=(
        *(
            in_order,
            as_sets,
            letters,
            agreeing_only,
            mean_of_groups,
            share_of_groups,
            first_seen,
            last_seen,
            commonest_label,
        ),
        *(how_many, the_worst, by_length, set_and_length, linear_fit, joined_without_spaces),
    ),
    fingerprint=fingerprint,
    commentary=(
        "Sentences with the same counts get the same answer, whatever the classifier is. So the sorted words"
        " identify a group, the best answer for a group is its more frequent label, and the hits add up over"
        " the groups. This is an upper limit: a trained classifier may stay below it. The most common mistake"
        " is to use a set of words, which forgets how often each one occurs."
    ),
)
