"""Answer key of ablate_heads.

Tolerance: 0.4·√eps of the dtype, relative to the largest logit. The expected logits come from a forward pass
written out layer by layer (`_models_with_heads.py` among the exercises). In all these models, every head
changes the logits by far more than the tolerance; a test measures it.
"""

from __future__ import annotations

import contextlib
import copy
import random

import torch
from course_exercises._heads import Case, Sizes, hooks_left_alone, left_alone
from course_exercises.ablate_heads import agrees
from course_keys._ablate_mistakes import REJECTED

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right

MODELS = (
    Sizes(1, 1, 5, rows=1, length=1),
    Sizes(3, 2, 4, rows=3, length=9),
    Sizes(2, 4, 4, rows=1, length=5, variant="rope"),
    Sizes(2, 2, 6, rows=4, length=4, double=True),
    Sizes(5, 6, 3, rows=2, length=7),
)


def drawn(case: Case, rng: random.Random) -> dict[tuple[int, int], torch.Tensor]:
    """Some heads of the model, at least one of each layer,
    in random order, each with a vector or with zeros.
    """
    n_layer, n_head = case.sizes.n_layer, case.sizes.n_head
    pairs = [
        (layer, head)
        for layer in range(n_layer)
        for head in rng.sample(range(n_head), rng.randint(1, n_head))
    ]
    rng.shuffle(pairs)
    return {pair: case.vector(rng.choice([0.0, 1.0])) for pair in pairs}


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Models of other sizes, with rotary positions, in float64;
    several heads at once; each model as it was afterwards.
    """
    for sizes in MODELS:
        case = Case(rng, sizes)
        new = drawn(case, rng)
        agrees(
            answer, case, new, f"for {case.sizes.words} and {len(new)} heads replaced, your logits are wrong"
        )
        left_alone(answer, case)
        case.tokens = case.source
        others = {pair: case.vector() for pair in new}
        said = "for the model of the last call, with other tokens and vectors, your logits are wrong"
        agrees(answer, case, others, said, once_more=True)
        left_alone(answer, case)
        hooks_left_alone(answer, case, new)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """One head, several heads, and the same model once more without a change."""
    calls: list[tuple[object, ...]] = []
    case = Case(rng, Sizes(2, 3, 4, rows=2, length=5))
    for new in ({(1, 0): case.vector(0.0)}, {(1, 1): case.vector()}, drawn(case, rng)):
        other = {pair: vector + 1.0 for pair, vector in new.items()}
        calls += [
            (case.theirs, case.tokens, new),
            (case.again, case.tokens, {}),
            (case.again, case.tokens, other),
        ]
    return calls


def ablate_heads(model, tokens, new):
    """The reference."""
    d_head = model.config.d_model // model.config.n_head

    def hook_for(layer):
        def hook(module, inputs):
            merged = inputs[0].clone()  # (B, T, d): the outputs of all heads side by side
            for (number, j), vector in new.items():
                if number == layer:
                    merged[..., j * d_head : (j + 1) * d_head] = vector
            return merged

        return hook

    with contextlib.ExitStack() as stack:
        for layer, block in enumerate(model.blocks):
            stack.enter_context(block.attention.projection.register_forward_pre_hook(hook_for(layer)))
        logits, _ = model(tokens)
    return logits


def in_the_weights(model, tokens, new):
    """Works on a copy: without its columns of W_O a head adds nothing,
    and the constant vector goes into the bias.
    """
    edited = copy.deepcopy(model)
    size = model.config.d_model // model.config.n_head
    with torch.no_grad():
        for (layer, j), vector in new.items():
            projection = edited.blocks[layer].attention.projection
            columns = projection.weight[:, j * size : (j + 1) * size]  # (d, d_head)
            projection.bias += columns @ vector
            columns.zero_()
    return edited(tokens)[0]


def through_the_values(model, tokens, new):
    """If all values of a head are one vector, its output is that vector, because the weights add up to 1."""
    size = model.config.d_model // model.config.n_head
    handles = []
    for (layer, j), vector in new.items():

        def hook(module, inputs, output, j=j, vector=vector):
            output = output.clone()
            output[:, :, j * size : (j + 1) * size] = vector
            return output

        handles.append(model.blocks[layer].attention.value.register_forward_hook(hook))
    try:
        return model(tokens)[0]
    finally:
        for handle in handles:
            handle.remove()


def by_hand(model, tokens, new):
    """Writes the forward pass of the projection anew, and puts the old one back."""
    size = model.config.d_model // model.config.n_head
    kept = [block.attention.projection for block in model.blocks]

    class Replaced(torch.nn.Module):
        def __init__(self, layer):
            super().__init__()
            self.layer = layer

        def forward(self, merged):
            parts = list(merged.split(size, dim=-1))
            for j in range(len(parts)):
                if (self.layer, j) in new:
                    parts[j] = new[self.layer, j].to(merged).expand_as(parts[j])
            return torch.nn.functional.linear(
                torch.cat(parts, -1), kept[self.layer].weight, kept[self.layer].bias
            )

    for layer, block in enumerate(model.blocks):
        block.attention.projection = Replaced(layer)
    try:
        with torch.no_grad():
            return model(tokens)[0]
    finally:
        for block, projection in zip(model.blocks, kept, strict=True):
            block.attention.projection = projection


def on_a_hooked_copy(model, tokens, new):
    """The hooks stay, but on a copy of the model."""
    edited, size = copy.deepcopy(model), model.config.d_model // model.config.n_head
    for (layer, j), vector in new.items():
        keep = torch.ones(model.config.d_model, dtype=vector.dtype)
        keep[j * size : (j + 1) * size] = 0
        fill = torch.zeros_like(keep)
        fill[j * size : (j + 1) * size] = vector
        edited.blocks[layer].attention.projection.register_forward_pre_hook(
            lambda module, inputs, keep=keep, fill=fill: (inputs[0] * keep + fill,)
        )
    return edited(tokens)[0]


KEY = AnswerKey(
    id="ablate_heads",
    hidden=hidden,
    reference=ablate_heads,
    accepted=(in_the_weights, through_the_values, by_hand, on_a_hooked_copy),
    rejected=REJECTED,
    fingerprint=fingerprint,
    commentary="""
The input of `projection` holds the outputs of all heads side by side, so a slice of `d_head` entries is one
head. A forward pre-hook may return a new input, and the rest of the forward pass uses it. `ExitStack` removes
all hooks at the end, even if the forward pass stops with an error.

The commonest mistake is a hook that stays in the model: the first result is right, and every later result is
wrong. The second is a hook that is made in a loop and uses the loop's variables: all such hooks change the
last head.

Without hooks, you can clear the head's *columns* of $W_O$ in a copy of the model, and add $W_O^{(j)}$ times
the vector to the bias. Or you can set all *values* of the head to the vector: the weights add up to 1, so the
output is the vector as well.
""",
)
