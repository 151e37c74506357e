"""Exercise patch_heads: the outputs of some heads come from another row."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import torch
from course_exercises._heads import (
    AFTER,
    LATE,
    Case,
    Pairs,
    Sizes,
    hooks_left_alone,
    keeps_arguments,
    left_alone,
    patched,
    repeats,
    weights_left_alone,
)

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.exercise_helpers.named_mistakes import Mistakes, agree_or_name
from kqa_core.exercise_helpers.transformer_parts import ROOT, apart

UNCHANGED = (
    "these are the logits of `tokens` without any change. Either nothing is put in, or what is put in comes"
    " from `tokens` itself, as when a hook that keeps outputs runs in both passes"
)
SIZES = Sizes(n_layer=2, n_head=3, d_head=4, rows=3, length=7)
WIDER = Sizes(n_layer=2, n_head=3, d_head=5, rows=3, length=7)
LARGER = Sizes(n_layer=3, n_head=4, d_head=3, rows=2, length=4, double=True)


def mistakes(case: Case, pairs: Pairs, positions: Sequence[int]) -> Mistakes:
    """The logits that common mistakes give."""
    everywhere = range(case.tokens.shape[1])
    whole = [(layer, head) for layer, _ in pairs for head in range(case.sizes.n_head)]
    row_0 = [heads[:1].expand_as(heads) for heads in case.heads(case.source)]
    found: dict[str, Callable[[], torch.Tensor]] = {
        UNCHANGED: case.plain,
        "these are the logits of `source`": lambda: case.logits(lambda _, heads: heads, case.source),
        "the heads are patched at every position, and not only at `positions`": lambda: case.logits(
            patched(case, pairs, everywhere)
        ),
        "all heads of the layer are patched, and not only the given ones": lambda: case.logits(
            patched(case, whole, positions)
        ),
        "`tokens` and `source` are exchanged": lambda: _exchanged(case, pairs, positions),
        "every row gets the outputs of row 0 of `source`": lambda: case.logits(
            patched(case, pairs, positions, row_0)
        ),
        AFTER: lambda: _after(case, pairs, positions),
    }
    if len(positions) > 1:
        between = range(min(positions), max(positions) + 1)
        found["all positions from the first to the last are patched, and not only the given ones"] = lambda: (
            case.logits(patched(case, pairs, between))
        )
        found["only the first of the positions is patched"] = lambda: case.logits(
            patched(case, pairs, positions[:1])
        )
        found["only the last of the positions is patched"] = lambda: case.logits(
            patched(case, pairs, positions[-1:])
        )
    if len(pairs) > 1:
        found["only the first of the heads is patched"] = lambda: case.logits(
            patched(case, pairs[:1], positions)
        )
        found["only the last of the heads is patched"] = lambda: case.logits(
            patched(case, pairs[-1:], positions)
        )
        late = [(layer, pairs[-1][1]) for layer, _ in pairs]
        found[LATE] = lambda: case.logits(patched(case, late, positions))
    return found


def _exchanged(case: Case, pairs: Pairs, positions: Sequence[int]) -> torch.Tensor:
    case.tokens, case.source = case.source, case.tokens
    try:
        return case.logits(patched(case, pairs, positions))
    finally:
        case.tokens, case.source = case.source, case.tokens


def _after(case: Case, pairs: Pairs, positions: Sequence[int]) -> torch.Tensor:
    seen: list[torch.Tensor] = []
    case.changed_after(lambda _, split: seen.append(split.clone()) or split, case.source)  # type: ignore[func-returns-value]
    return case.changed_after(patched(case, pairs, positions, seen))


def agrees(
    answer: Answer,
    case: Case,
    pairs: Pairs,
    positions: Sequence[int],
    sentence: str,
    once_more: bool = False,
) -> None:
    """Raise NotYet with `sentence`, and with the mistake's name if it is a common one,
    unless the logits are right, of a new model or of that of the last call `once_more`.
    """
    model = case.again if once_more else case.theirs
    found = case.read(answer(model, case.tokens, case.source, list(pairs), list(positions)))
    wanted = case.logits(patched(case, pairs, positions))
    if apart(found, wanted, ROOT) > 1.0:
        weights_left_alone(answer, case, sentence)
    agree_or_name(found, wanted, sentence, mistakes(case, pairs, positions), within=ROOT)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """One head at one position, at several, heads of both layers; no head; the model is as it was;
    another model.
    """
    case = Case(rng, SIZES)
    repeats(answer, case, case.source, [], [])
    agrees(answer, case, [], [1, 2], "with no head patched, your logits are not those for `tokens`")
    head, t = rng.randrange(3), rng.randrange(1, 4)
    nowhere = f"with head {head} of layer 0 and no position patched, your logits are not those for `tokens`"
    agrees(answer, case, [(0, head)], [], nowhere)
    agrees(
        answer,
        case,
        [(0, head)],
        [t],
        f"with head {head} of layer 0 patched at position {t}, your logits are wrong",
    )
    left_alone(answer, case)
    agrees(
        answer,
        case,
        [(0, head)],
        [0],
        f"with head {head} of layer 0 patched at position 0, your logits are wrong",
    )
    agrees(
        answer,
        case,
        [(1, head)],
        [2, 4],
        f"with head {head} of layer 1 patched at positions 2 and 4, your logits are wrong",
    )
    agrees(
        answer,
        case,
        [(1, head)],
        [5, 1, 2],
        f"with head {head} of layer 1 patched at positions 5, 1 and 2, in this order, your logits are wrong",
    )
    agrees(
        answer,
        case,
        [(0, 0), (0, 2), (1, 1)],
        [2, 3, 5],
        "with heads 0 and 2 of layer 0 and head 1 of layer 1 patched at 2, 3 and 5, your logits are wrong",
    )
    left_alone(answer, case)
    # as many layers and rows as before, so what an answer has kept is found again
    other = Case(rng, WIDER)
    agrees(
        answer,
        other,
        [(0, 1), (1, 0)],
        [5, 0, 3],
        f"for {WIDER.words} and other rows, with a head of each layer patched, your logits are wrong",
    )
    other.source = other.source.roll(1, dims=1)
    said = "for the model of the last call and another `source`, your logits are wrong"
    agrees(answer, other, [(1, 2), (0, 1)], [1, 6], said, once_more=True)
    larger = Case(rng, LARGER)
    agrees(
        answer,
        larger,
        [(layer, head) for layer in (2, 0) for head in (0, 3, 1)],
        [0, 2],
        f"for {LARGER.words} and six heads patched at positions 0 and 2, your logits are wrong",
    )
    hooks_left_alone(answer, case, case.source, [(0, 1)], [2])
    keeps_arguments(answer, case, ("source", "heads", "positions"), case.source, [(1, 2), (0, 0)], [2, 4, 1])
    return right("you can carry the output of a head from one row to another")


EXERCISE = Exercise(
    id="patch_heads",
    title="Patch heads",
    order=5,
    points=3,
    difficulty=4,
    importance=5,
    minutes=25,
    source="ours, after Vig et al. 2020 and Meng et al. 2022",
    hints=(
        (
            "You need the outputs of the heads twice: once from `source`, to keep them, and once in the pass"
            " of `tokens`, to replace them. How many forward passes is that?"
        ),
        (
            "First pass, on `source`: a hook at each layer's projection that stores its input and returns"
            " nothing. Second pass, on `tokens`: a hook that copies its input and writes the stored slice"
            " into it, for each head of the layer and at `positions`."
        ),
        (
            "With `merged = inputs[0].clone()` and `part = slice(j * d_head, (j + 1) * d_head)`, the step is"
            " `merged[:, positions, part] = stored[layer][:, positions, part]`. Both tensors have the shape"
            " (B, T, d)."
        ),
    ),
    check=check,
)
