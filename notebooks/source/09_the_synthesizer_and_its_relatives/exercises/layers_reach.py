"""Exercise layers_reach: which inputs an output can depend on after several layers with the same mask."""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerFailed
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.transformer_parts import again

BOOLS = {
    "NotImplementedError": (
        f"your code stops where torch has no such operation. {POSSIBLE}a product of matrices of"
        " bools: convert"
        " them with .float() first, and compare the product with 0."
    )
}
KEPT = (
    "Yours is the table of an earlier call, and the same mask comes out right with one more position, which"
    f" attends to itself alone. {POSSIBLE}something, such as a table, is kept from one call to the next"
)


def table_of(result: object, T: int) -> Tensor:
    """`result` as a BoolTensor (T, T). Raises NotYet unless it is one."""
    if not isinstance(result, Tensor):
        raise NotYet(f"return a torch tensor of shape (T, T); yours is {kind_of(result)}")
    expect(
        tuple(result.shape) == (T, T),
        f"return a tensor of shape ({T}, {T}); yours has shape {tuple(result.shape)}",
    )
    expect(result.dtype is torch.bool, f"return a tensor of dtype torch.bool; yours is {result.dtype}")
    return result


def paths(mask: Tensor, layers: int) -> Tensor:
    """The same by following the links: each layer adds what the positions that are
    attended to have collected.
    """
    sees = [{i for i, allowed in enumerate(row) if allowed} for row in mask.tolist()]
    found = [{t} for t in range(len(mask))]
    for _ in range(layers):
        found = [set().union(*(found[i] for i in attended)) for attended in sees]
    return torch.tensor([[i in row for i in range(len(mask))] for row in found])


def draw_mask(rng: random.Random, T: int, share: float, causal: bool = True) -> Tensor:
    """(T, T): every position attends to itself,
    and to each other one (or each earlier one) with this probability.
    """
    return torch.tensor(
        [[t == i or ((i < t or not causal) and rng.random() < share) for i in range(T)] for t in range(T)]
    )


def compare(result: object, mask: Tensor, layers: int) -> None:
    """Raise NotYet, with the first entry that differs, unless the table is right."""
    found, wanted = table_of(result, len(mask)), paths(mask, layers)
    if torch.equal(found, wanted):
        return
    t, i = (int(place) for place in (found != wanted).nonzero()[0])
    after = f"for T = {len(mask)}, after {layers} layer{'s' * (layers > 1)}"
    if bool(wanted[t, i]):
        path = f"by the path {shortened(route(mask, t, i))}" if t != i else "because it attends to itself"
        raise NotYet(f"{after}, position {t} depends on input {i}, {path}; yours says no")
    steps = route(mask, t, i)
    path = shortened(steps).partition(" of ")[0]
    why = f"the shortest path, {path}, has {steps.count('→')} steps" if steps else "there is no path at all"
    raise NotYet(f"{after}, position {t} does not depend on input {i}: {why}; yours says yes")


def judged(answer: Answer, mask: Tensor, layers: int, before: list[Tensor]) -> None:
    """Raise NotYet as `compare`. The sentence tells if an entry is lost that three layers had, or if the
    table is one of `before`, to which a right table is added.
    """
    found = again(answer, mask, layers, advice=BOOLS)
    try:
        compare(found, mask, layers)
        before.append(paths(mask, layers))
    except NotYet as wrong:
        found = table_of(found, len(mask))
        if any(torch.equal(found, table) for table in before) and kept(answer, mask, layers):
            raise NotYet(f"{wrong}. {KEPT}") from None
        few = again(answer, mask, 3) if layers > 9 else None
        if not isinstance(few, Tensor) or not torch.equal(few, paths(mask, 3)):
            raise
        lost = few & ~found
        expect(
            not bool(lost.any()),
            f"{wrong}. After 3 layers your table is right, and {int(lost.sum())} of its True entries are lost"
            f" after {layers}. {POSSIBLE}a number overflows, or becomes too small",
        )
        raise


def kept(answer: Answer, mask: Tensor, layers: int) -> bool:
    """Whether the answer is right for this mask and one more position, which attends to itself alone."""
    T = len(mask)
    larger = torch.eye(T + 1, dtype=torch.bool)
    larger[:T, :T] = mask
    try:
        compare(answer(larger, layers), larger, layers)
    except (NotYet, AnswerFailed):
        return False
    return True


def route(mask: Tensor, t: int, i: int) -> str:
    """A shortest path from t to i, such as "5 → 3 → 0"; "" if there is none."""
    ways, seen = [[t]], {t}
    while ways and all(way[-1] != i for way in ways):
        longer = []
        for way in ways:
            for step in mask[way[-1]].nonzero().flatten().tolist():
                if step not in seen:
                    seen.add(step)
                    longer.append([*way, step])
        ways = longer
    found = [way for way in ways if way[-1] == i]
    return " → ".join(map(str, found[0])) if found else ""


def shortened(path: str) -> str:
    """A path of more than eight steps without its middle."""
    steps = path.split(" → ")
    return path if len(steps) < 10 else f"{' → '.join(steps[:3])} → … → {steps[-1]} of {len(steps) - 1} steps"


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The example of the text, one layer, a few random masks, a mask that is not causal, and many layers."""
    chain = torch.tensor([[t - i in (0, 1) for i in range(4)] for t in range(4)])
    compare(answer(chain, 1), chain, 1)
    before = [chain]
    for layers in (3, 2):
        judged(answer, chain, layers, before)
    for layers, share, causal in ((2, 0.25, True), (3, 0.15, True), (2, 0.15, False)):
        mask = draw_mask(rng, 9, share, causal)
        judged(answer, mask, layers, before)
    long = torch.tensor([[t - i in (0, 1) for i in range(24)] for t in range(24)])
    many, dense = draw_mask(rng, 16, 0.6, causal=False), draw_mask(rng, 8, 0.9, causal=False)
    half = torch.arange(8) < 4
    blocks = half[None, :] | ~half[:, None]  # positions 4 to 7 attend to all, 0 to 3 to one another
    for mask, layers in (
        (long, 5),
        (long, 23),
        *((draw_mask(rng, 24, 0.6), 15) for _ in range(3)),
        (many, 50),
        (blocks, 70),  # more paths than float32 can count
        (dense, 100),
        (torch.ones(56, 56, dtype=torch.bool).tril().triu(-1), 54),
        (torch.ones(12, 12, dtype=torch.bool).tril(), 60),  # an average of averages becomes 0 in float32
    ):
        judged(answer, mask, layers, before)
    leaves_alone(answer, ("mask",), chain, 3)
    return right("each layer adds a step to the paths")


EXERCISE = Exercise(
    id="layers_reach",
    title="What several layers reach",
    order=8,
    points=2,
    difficulty=2,
    importance=3,
    minutes=8,
    source="this course; Zaheer et al. 2020, section 3",
    hints=(
        (
            "After two layers, position t depends on i if it attends to some position j that depends on i"
            " after one layer. Where have you seen a sum over all j of something with (t, j) times something"
            " with (j, i)?"
        ),
        (
            "It is a matrix product. An entry counts the paths from t to i, so it is larger than 0 exactly if"
            " there is a path. torch does not multiply matrices of bools, so convert them to float first."
        ),
        "reached = mask; then, layers − 1 times: reached = (mask.float() @ reached.float()) > 0.",
    ),
    check=check,
)
