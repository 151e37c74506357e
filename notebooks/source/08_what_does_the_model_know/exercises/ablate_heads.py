"""Exercise ablate_heads: what a model computes without some of its heads."""

from __future__ import annotations

import random
from collections.abc import Callable

import torch
from course_exercises._heads import (
    AFTER,
    LATE,
    Case,
    New,
    Sizes,
    hooks_left_alone,
    keeps_arguments,
    left_alone,
    repeats,
    replaced,
    weights_left_alone,
)

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.exercise_helpers.named_mistakes import Mistakes, agree_or_name
from kqa_core.exercise_helpers.transformer_parts import ROOT, apart
from kqa_core.model.attention import merge_heads, split_heads

LAST_VECTOR = (
    "all heads get the vector of the last head in `new`, as when hooks that are made in a loop read"
    " the loop's"
    " variable when they run, after the loop"
)
ELSEWHERE = (
    "heads are replaced in other layers than their own, too, though one head alone was right, as when hooks"
    " that are made in a loop read the loop's variable when they run, after the loop"
)
SIZES = Sizes(n_layer=2, n_head=3, d_head=4, rows=2, length=6)
LARGER = Sizes(n_layer=3, n_head=4, d_head=3, rows=3, length=4, double=True)


def mistakes(case: Case, new: New) -> Mistakes:
    """The logits that common mistakes give."""
    first, (*_, last) = next(iter(new)), new
    in_all = {
        (layer, head): vector for layer in range(case.sizes.n_layer) for (_, head), vector in new.items()
    }
    whole = {(layer, head): v for (layer, _), v in new.items() for head in range(case.sizes.n_head)}

    def at_the_last(layer: int, heads: torch.Tensor) -> torch.Tensor:
        return torch.cat((heads[:, :, :-1], replaced(new)(layer, heads)[:, :, -1:]), dim=2)

    def added(layer: int, heads: torch.Tensor) -> torch.Tensor:
        return heads + replaced(new)(layer, torch.zeros_like(heads))

    def interleaved(layer: int, heads: torch.Tensor) -> torch.Tensor:
        merged = merge_heads(heads).clone()  # (B, T, C)
        for (of_layer, head), vector in new.items():
            if of_layer == layer:
                merged[..., head :: case.sizes.n_head] = vector
        return split_heads(merged, case.sizes.n_head)

    def in_row_0(layer: int, heads: torch.Tensor) -> torch.Tensor:
        return torch.cat((replaced(new)(layer, heads)[:1], heads[1:]))

    # the last head of each layer
    of_layers = {layer: (head, vector) for (layer, head), vector in new.items()}
    one_each = {(layer, head): vector for layer, (head, vector) in of_layers.items()}
    zeros = {pair: torch.zeros_like(vector) for pair, vector in new.items()}
    everywhere = (
        "the head is replaced in every layer, and not only in its own" if len(new) == 1 else ELSEWHERE
    )
    found: dict[str, Callable[[], torch.Tensor]] = {
        AFTER: lambda: case.changed_after(replaced(new)),
        "these are the logits of the unchanged model": case.plain,
        everywhere: lambda: case.logits(replaced(in_all)),
        "all heads of the layer are replaced, and not only this one": lambda: case.logits(replaced(whole)),
        "the head is replaced at the last position only; it should be replaced at every position": lambda: (
            case.logits(at_the_last)
        ),
        "the head is replaced in the first row of the batch only": lambda: case.logits(in_row_0),
        "the vector is added to the output of the head; it should replace it": lambda: case.logits(added),
        "a head has every n_head-th entry; head j should have j·d_head to (j + 1)·d_head − 1": lambda: (
            case.logits(interleaved)
        ),
    }
    if len(new) > 1:
        # before the zeros: the last vector may be 0
        found[LAST_VECTOR] = lambda: case.logits(replaced(dict.fromkeys(new, new[last])))
        found["only the first head of `new` is replaced"] = lambda: case.logits(replaced({first: new[first]}))
        found["only the last head of `new` is replaced"] = lambda: case.logits(replaced({last: new[last]}))
        found["only one head of each layer is replaced, the last one in `new`"] = lambda: case.logits(
            replaced(one_each)
        )
        found[LATE] = lambda: case.logits(replaced({(layer, last[1]): new[last] for layer, _ in new}))
    found["the output of the head is set to 0; it should be the given vector"] = lambda: case.logits(
        replaced(zeros)
    )
    return found


def agrees(answer: Answer, case: Case, new: New, sentence: str, once_more: bool = False) -> None:
    """Raise NotYet with `sentence`, and with the mistake's name if it is a common one,
    unless the logits are right, of a new model or of that of the last call `once_more`.

    An answer may compute in float32 on the way, also for a model in float64.
    """
    found = case.read(answer(case.again if once_more else case.theirs, case.tokens, dict(new)))
    wanted = case.logits(replaced(new))
    if apart(found, wanted, ROOT) > 1.0:
        weights_left_alone(answer, case, sentence)
    agree_or_name(found, wanted, sentence, mistakes(case, new) if new else {}, within=ROOT)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """No head, one head, another vector than 0, two heads; a larger model;
    and each model is as it was.
    """
    case = Case(rng, SIZES)
    repeats(answer, case, {})
    agrees(answer, case, {}, "if `new` is empty, the logits should be those of the model")
    layer, head = rng.randrange(2), rng.randrange(3)
    zero = torch.zeros(SIZES.d_head)
    agrees(
        answer,
        case,
        {(layer, head): case.vector()},
        f"with head {head} of layer {layer} replaced by a vector other than 0, your logits are wrong",
    )
    left_alone(answer, case)
    said = "with another vector for the same head as before, your logits are wrong"
    agrees(answer, case, {(layer, head): case.vector()}, said)
    agrees(
        answer,
        case,
        {(layer, head): zero},
        f"with head {head} of layer {layer} set to zero, your logits are wrong",
    )
    both = {(0, 2): case.vector(), (1, 0): zero, (1, 2): case.vector()}
    agrees(
        answer,
        case,
        both,
        "with head 2 of layer 0 and heads 0 and 2 of layer 1 replaced, your logits are wrong",
    )
    left_alone(answer, case, "replaced heads in two layers and returned")
    said = "with heads 2 and 0 of layer 1 replaced, in this order, your logits are wrong"
    agrees(answer, case, {(1, 2): case.vector(), (1, 0): case.vector()}, said)
    left_alone(answer, case)
    case.tokens = case.source
    again = {pair: case.vector() for pair in both}
    said = "for the model of the last call, with other tokens and vectors, your logits are wrong"
    agrees(answer, case, again, said, once_more=True)
    other = Case(rng, LARGER)
    many = {(layer, head): other.vector() for layer in (2, 0) for head in (0, 3, 1)}
    agrees(
        answer,
        other,
        many,
        f"for {LARGER.words} and six heads replaced, your logits are wrong",
    )
    keeps_arguments(answer, case, ("new",), both)
    hooks_left_alone(answer, case, both)
    return right("you can take any head out of the model, and the model is as before afterwards")


EXERCISE = Exercise(
    id="ablate_heads",
    title="Ablate heads",
    order=4,
    points=3,
    difficulty=3,
    importance=5,
    minutes=30,
    source="ours, after Michel, Levy and Neubig 2019",
    hints=(
        (
            "Where in the model do the outputs of all heads of a layer stand side by side in one tensor? The"
            " example shows it."
        ),
        (
            "Register a forward pre-hook on `model.blocks[layer].attention.projection` for each layer that"
            " occurs. In the hook, change the slice of each head of that layer in a copy of the input, and"
            " return the copy. Remove the hooks after the forward pass."
        ),
        (
            "A function that makes one hook avoids the trap of loops: `def hook_for(layer): def hook(module,"
            " inputs): …; return hook`. In it `merged = inputs[0].clone()`, and for each pair (l, j) with l"
            " == layer: `merged[..., j * d_head : (j + 1) * d_head] = vector`. `contextlib.ExitStack()` can"
            " hold several hooks in one `with`."
        ),
    ),
    check=check,
)
