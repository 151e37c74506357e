"""Exercise bag_ceiling: the highest accuracy of a classifier that only counts words."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, right
from kqa_core.check.helpers.effects import kept_nothing, leaves_alone
from kqa_core.check.helpers.read_values import fraction, number, told

Bag = tuple[str, int, int]  # its words, and how many sentences made of them have label 0 and label 1

COUNTS: list[Bag] = [("good bad bad", 2, 0), ("good good bad", 0, 1)]  # the same words, as many in all
LETTERS: list[Bag] = [("no tea", 1, 0), ("on eat", 0, 1)]  # the same letters
SMALL: list[Bag] = [
    ("the plot is good but the end is bad", 2, 3),
    ("it is not bad but dull", 1, 0),
    ("a good end", 3, 1),
]
# no weights for words do this
NEGATED: list[Bag] = [("good", 0, 3), ("bad", 3, 0), ("not good", 3, 0), ("not bad", 0, 3)]
RUN_TOGETHER: list[Bag] = [("all over", 3, 0), ("allover", 0, 2)]  # written without spaces
THRICE: list[Bag] = [("so so so", 3, 0), ("so so", 0, 2)]
# numbered in alphabetical order, the words of both add up to the same
NUMBERED: list[Bag] = [("dull dull", 2, 0), ("bad fun", 0, 1)]
OFTEN: list[Bag] = [("so " * count + "dull", *labels) for count, labels in ((20, (2, 0)), (21, (0, 1)))]
# words that are nearly the same, and a sentence that differs in one of many words
SPELLED: list[Bag] = [
    *(("the film", 2, 0), ("the films", 0, 1), ("good acting", 2, 0), ("good action", 0, 1)),
    *(("a café", 0, 2), ("a cafe", 1, 0), ("it's a film", 2, 0), ("its a film", 0, 1)),
    *(("top 10", 2, 0), ("top 20", 0, 1), ("well-made", 0, 2), ("well made", 1, 0)),
    *(("beautifully told", 2, 0), ("beautiful told", 0, 1)),
]
IN_PLACE = (
    "your code changes the list `sentences` or `labels` in place, so that sentences and labels may no longer"
    " belong together: make a new list"
)
ABOVE = ", which counting words cannot reach"
NEIGHBOURS = (
    ". Possible cause: sentences with the same words are in one group only if they follow one another in the"
    " list"
)
ORDERS = (
    ". Possible cause: sentences are in one group only if their words, or those of equal counts, are in the"
    " same order, too"
)
NO_SHARE = "; no number of right sentences, divided by {}, gives this"
ROUNDED = ". Possible cause: the share is rounded"
ONE_GROUP = ". Possible cause: sentences are in one group that have "
LARGER: list[Bag] = [("a long film", 9, 5), ("a short film", 4, 8), ("not bad", 6, 7)]
ALIKE: list[Bag] = [(" ".join(f"w{i}" for i in range(60)) + f" x{i}", 2 * i, 2 - i) for i in (0, 1)]


def laid_out(rng: random.Random, bags: Sequence[Bag]) -> tuple[list[str], list[int]]:
    """Sentences and labels in random order; the first and the last are in the minority of
    their bag, if there is one.
    """
    made: list[tuple[str, int]] = []
    minority: list[tuple[str, int]] = []
    for words, *counts in bags:
        rare = 0 if counts[0] < counts[1] else 1
        for label, count in enumerate(counts):
            for _ in range(count):
                order = words.split()
                rng.shuffle(order)
                made.append((" ".join(order), label))
        if 0 < counts[rare] < counts[1 - rare] and len(minority) < 2:
            minority.append(made.pop(next(i for i in reversed(range(len(made))) if made[i][1] == rare)))
    rng.shuffle(made)
    made = [*minority[:1], *made, *minority[1:]]
    return [sentence for sentence, _ in made], [label for _, label in made]


def ceiling(bags: Sequence[Bag]) -> float:
    """The accuracy if each bag gets its more frequent label."""
    return sum(max(counts) for _, *counts in bags) / sum(sum(counts) for _, *counts in bags)


def of_neighbours(sentences: Sequence[str], labels: Sequence[int]) -> float:
    """The ceiling by itertools.groupby without sorting: a group is only sentences that follow one another."""
    pairs = [(sorted(sentence.split()), label) for sentence, label in zip(sentences, labels, strict=True)]
    groups = [[label for _, label in group] for _, group in itertools.groupby(pairs, lambda pair: pair[0])]
    return sum(max(group.count(0), group.count(1)) for group in groups) / len(labels)


def of_orders(sentences: Sequence[str], labels: Sequence[int]) -> float:
    """The share if sentences are one group only if they are equal, word by word."""
    pairs = Counter(zip(sentences, labels, strict=True))
    return sum(max(pairs[each, 0], pairs[each, 1]) for each in set(sentences)) / len(labels)


def of_groups(answer: Answer, rng: random.Random) -> str:
    """The end of a sentence about a share that is too large, from two larger sets of sentences: on a small
    one, two mistakes may give the same.
    """
    drawn = [laid_out(rng, LARGER) for _ in range(2)]
    shares = [number(answer(*each), "the accuracy") for each in drawn]
    for of_mistake, cause in ((of_neighbours, NEIGHBOURS), (of_orders, ORDERS)):
        if all(abs(share - of_mistake(*each)) < 1e-6 for share, each in zip(shares, drawn, strict=True)):
            return cause
    return ""


def agrees(answer: Answer, rng: random.Random, bags: Sequence[Bag], reason: str = "") -> None:
    """Raise NotYet unless the share is that of these bags. `reason` ends the sentence if the share is what
    one group of all sentences would give.
    """
    sentences, labels = laid_out(rng, bags)
    share, wanted = fraction(answer(sentences, labels), "the accuracy"), ceiling(bags)
    if abs(share - wanted) < 2e-7:
        return
    try:
        leaves_alone(answer, ("sentences", "labels"), sentences, labels)
    except NotYet:
        raise NotYet(IN_PLACE) from None
    above = of_groups(answer, rng) if share > wanted else ""
    with kept_nothing(answer, sentences, labels):
        raise NotYet(told_wrong(sentences, labels, bags, share, reason, above))


def told_wrong(
    sentences: list[str], labels: list[int], bags: Sequence[Bag], share: float, reason: str, above: str
) -> str:
    """The sentence about a wrong share; `reason` as in `agrees`, and `above` if it is too large."""
    wanted = ceiling(bags)
    mine, yours = told(wanted, share)
    words = max(len(sentence.split()) for sentence in sentences)
    about = f"on {len(labels)} sentences{f' of up to {words} words' if words > 15 else ''}"
    about += ","
    if len(bags) <= 5:
        counts = ", ".join(f"{zeros} and {ones}" for _, zeros, ones in bags)
        about = f"on {len(labels)} sentences (labels 0 and 1 of each group with the same words: {counts}),"
    if sum(map(len, sentences)) <= 80:
        about = f"for the sentences {sentences} with the labels {labels},"
    as_one = max(labels.count(0), labels.count(1)) / len(labels)
    fits = share < wanted and (bags in (SPELLED, ALIKE) or abs(share - as_one) < 1e-6)
    whole = abs(share * len(labels) - round(share * len(labels))) < 1e-4
    rounded = any(abs(share - round(wanted, digits)) < 1e-9 for digits in range(1, 7))
    no_share = NO_SHARE.format(len(labels)) + ROUNDED * rounded
    end = reason if fits else "" if whole else no_share
    if share > wanted:
        end = ABOVE + (above if whole else no_share)
    return f"{about} the highest accuracy of counting words is {mine}; yours is {yours}{end}"


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Few sentences, two bags of which have both labels; negation;
    bags with other counts or another order of letters; a share with many digits.
    """
    agrees(answer, rng, SMALL)
    agrees(answer, rng, [("not bad", 2, 0), ("bad", 0, 1)])
    agrees(
        answer,
        rng,
        [("good .", 2, 0), ("good", 0, 1)],
        ". Possible cause: “good .” and “good” are in one group, but “.” is a word",
    )
    agrees(answer, rng, NEGATED)
    agrees(answer, rng, COUNTS, ONE_GROUP + "the same words, but not equally often")
    agrees(answer, rng, LETTERS, ONE_GROUP + "the same letters, but not the same words")
    agrees(answer, rng, RUN_TOGETHER, ONE_GROUP + "the same letters, but not the same words")
    agrees(answer, rng, THRICE, ONE_GROUP + "the same words, but not equally often")
    agrees(answer, rng, NUMBERED, ONE_GROUP + "as many words, but not the same ones")
    agrees(answer, rng, OFTEN, ONE_GROUP + "the same words, but “so” 20 times or 21 times")
    agrees(answer, rng, SPELLED, ONE_GROUP + "words that differ by a few characters")
    agrees(answer, rng, ALIKE, ONE_GROUP + "61 words, of which one differs")
    agrees(answer, rng, [*SMALL, *COUNTS, ("so so", 2, 2)])
    leaves_alone(answer, ("the list `sentences`", "the list `labels`"), *laid_out(rng, SMALL))
    return right(
        "the order of the words does not count, how often each one occurs does, and every sentence counts"
        " once"
    )


EXERCISE = Exercise(
    id="bag_ceiling",
    title="The ceiling of a bag of words",
    order=1,
    points=2,
    difficulty=2,
    importance=3,
    minutes=15,
    source="Pang, Lee and Vaithyanathan 2002: sentiment by unigrams",
    hints=(
        (
            "Two sentences have the same words in a different order. What does a classifier see that only"
            " counts words? Can it give them different answers?"
        ),
        (
            "Put sentences with the same counts into one group. All sentences of a group get one answer."
            " Which answer is best for the group, and how many of its sentences are then right?"
        ),
        (
            "Use the sorted words of a sentence, as a tuple, as the key of its group, and collect the labels"
            " under each key. The best answer for a group with labels [1, 0, 1] is right for 2 of 3. Add up"
            " over the groups, and divide by the number of sentences."
        ),
    ),
    check=check,
)
