"""Exercise sentence_dataset: the two methods that a DataLoader calls."""

from __future__ import annotations

import random

import numpy as np
from course_exercises._encoder_parts import HERE, WordIds, sentences
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised, Build, Handle
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of

NO_DATASET = "Return an object with the methods __len__ and __getitem__; a DataLoader asks for nothing else."
ITEM = "An item is a pair (ids, label): first what encode makes of the sentence, then its label."
LENGTH = "len() of a data set is its number of sentences, each counted as often as it occurs."
IN_TURN = "You hand out the next sentence, whichever is asked for; a DataLoader asks in any order, and again in the next epoch."
END = "Beyond the last sentence, raise IndexError: a loop over the data set ends there, and ends nowhere else."
WORDS = "Your item holds the words; a model reads numbers: hand out what encode makes of the sentence."
OTHER_LABEL = "The label is another sentence's: item i is sentence i with label i, whatever else you sort or drop."
OTHER_IDS = "The ids are another sentence's, or not all of them: item i is what encode makes of sentence i, whole."


def item(answer: Answer, made: object, i: int) -> object:
    """Item i of what an answer returned: a list is a data set too. Raises AnswerRaised if it raises."""
    if isinstance(made, (list, tuple)):
        try:
            return made[i]
        except IndexError:
            raise AnswerRaised("IndexError") from None
    assert isinstance(made, Handle)
    return answer.method(made, "__getitem__", i)


def asked(answer: Answer, rng: random.Random, texts: list[str], labels: list[int]) -> None:
    """Raise NotYet unless the data set of these sentences has every item, in any order, and ends."""
    seed = rng.getrandbits(30)
    encode = WordIds(seed)
    made = answer(list(texts), list(labels), Build(f"{HERE}:WordIds", (seed,)))
    if not isinstance(made, (list, tuple, Handle)):
        raise NotYet(NO_DATASET)
    if isinstance(made, Handle):
        try:
            answer.attribute(made, "__len__"), answer.attribute(made, "__getitem__")
        except AnswerRaised:
            raise NotYet(NO_DATASET) from None
    order = rng.sample(range(len(texts)), len(texts))
    try:
        length = answer.method(made, "__len__") if isinstance(made, Handle) else len(made)
        found = [item(answer, made, i) for i in (*order, *order)]
    except AnswerRaised as raised:
        raise NotYet(IN_TURN if raised.kind == "StopIteration" else f"one of your items stops with {raised.kind}") from None
    pairs = [_pair(value) for value in found]
    expect(pairs[: len(texts)] == pairs[len(texts) :], IN_TURN)
    expect(all(ids == encode(texts[i]) for i, (ids, _) in zip(order, pairs, strict=False)), OTHER_IDS)
    expect(all(label == labels[i] for i, (_, label) in zip(order, pairs, strict=False)), OTHER_LABEL)
    expect(type(length) is int and length == len(texts), LENGTH)
    try:
        item(answer, made, len(texts))
    except AnswerRaised as raised:
        expect(raised.kind == "IndexError", END)
        return
    raise NotYet(END)


def _pair(value: object) -> tuple[object, object]:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise NotYet(ITEM)
    ids, label = (each.tolist() if isinstance(each, (Tensor, np.ndarray, np.generic)) else each for each in value)
    if isinstance(ids, str) or (isinstance(ids, list) and any(isinstance(each, str) for each in ids)):
        raise NotYet(WORDS)
    if type(label) is not int or not isinstance(ids, list) or not all(type(each) is int for each in ids):
        raise NotYet(f"the ids are a list of ints, and the label is an int; yours are {kind_of(ids)} and {kind_of(label)}")
    return ids, label


def drawn(rng: random.Random, count: int) -> tuple[list[str], list[int]]:
    """Sentences, of which the last repeats the first with the other label."""
    texts = sentences(rng, count)
    labels = [1, 0, *(rng.randint(0, 1) for _ in range(count - 3)), 0]
    return texts, labels


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Five sentences."""
    asked(answer, rng, *drawn(rng, 5))
    return right("any sentence, in any order, as often as asked")


EXERCISE = Exercise(
    id="sentence_dataset",
    title="A data set of sentences",
    order=3,
    points=2,
    difficulty=1,
    importance=4,
    minutes=10,
    source="Washington §3: Dataset",
    hints=(
        "A DataLoader first asks how many items there are, and then for items by number, in an order of its own.",
        "Define a class inside the function, with __len__ and __getitem__(self, i); its methods see the function's arguments. "
        "Then return an object of it.",
        "`class Sentences:` with `def __len__(self): return len(labels)`, and a `__getitem__(self, i)` that returns the pair of "
        "encode of sentence i, and label i. At the end: `return Sentences()`. A list raises IndexError by itself.",
    ),
    check=check,
)
