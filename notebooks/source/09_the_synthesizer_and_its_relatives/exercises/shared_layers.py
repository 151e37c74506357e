"""Exercise shared_layers: find the layers that share weights."""

from __future__ import annotations

import random

from course_exercises._stacks import PAIRS

from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of

SAID = {
    "apart": "four layers with weights of their own",
    "copies": "four layers that start with the same numbers, each in a tensor of its own",
    "one layer": "one layer, four times",
    "first and last": "four layers of which the first and the last are one",
    "two pairs": "four layers of which two pairs share a part",
    "one table": "four layers of which three share one matrix",
    "one norm": "four layers of which two share the shift of a LayerNorm",
}


def pairs_of(result: object) -> set[tuple[int, int]]:
    """`result` as a set of pairs (i, j), i < j. Raises NotYet unless it is one."""
    if not isinstance(result, (list, tuple, set, frozenset)):
        raise NotYet(f"return a list of pairs (i, j); yours is {kind_of(result)}")
    found: list[tuple[int, int]] = []
    for pair in result:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not all(type(each) is int for each in pair):
            raise NotYet(f"each entry must be a pair of whole numbers, (i, j); one of yours is {str(pair)[:60]}")
        expect(pair[0] < pair[1], f"each pair must have i < j; one of yours is ({pair[0]}, {pair[1]})")
        found.append((pair[0], pair[1]))
    expect(len(found) == len(set(found)), "a pair of layers is listed twice")
    return set(found)


def judge(answer: Answer, kinds: list[str], rng: random.Random) -> None:
    """Raise NotYet unless the answer finds the pairs in a new model of each kind."""
    calls = [(Build("course_exercises._stacks:stack", (kind, rng.randint(2, 5), rng.getrandbits(30))),) for kind in kinds]
    for kind, result in zip(kinds, answer.map(calls), strict=True):
        found, wanted = sorted(pairs_of(result)), sorted(PAIRS[kind])
        expect(found == wanted, f"{SAID[kind]}: your function finds {found or 'no pairs'}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """One layer four times, four layers, and two that share."""
    kinds = ["one layer", "apart", "first and last"]
    judge(answer, kinds, rng)
    return right("the hidden check shares less than whole layers")


EXERCISE = Exercise(
    id="shared_layers",
    title="Find layers that share parameters",
    order=11,
    points=2,
    difficulty=2,
    importance=3,
    minutes=10,
    source="this course",
    hints=(
        "What makes two tensors one? Not that they hold the same numbers: two layers may start alike and then go their own ways.",
        "Look at the parameters of each layer by itself, model.blocks[i].parameters(). Asked for the parameters of the whole "
        "model, torch lists a shared one once.",
        "own = [{id(p) for p in block.parameters()} for block in model.blocks]; layers i < j share where own[i] & own[j] is not "
        "empty.",
    ),
    check=check,
)
