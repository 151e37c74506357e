"""Answer key of patch_heads. The tolerance and the models are those of ablate_heads."""

from __future__ import annotations

import contextlib
import copy
import random

import torch
from course_exercises._heads import Case, Sizes, hooks_left_alone, left_alone
from course_exercises.patch_heads import agrees
from course_keys._patch_mistakes import REJECTED

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.exercise_helpers.transformer_parts import again

MODELS = (
    Sizes(1, 2, 5, rows=1, length=2),
    Sizes(3, 2, 4, rows=3, length=9),
    Sizes(2, 4, 4, rows=1, length=6, variant="rope"),
    Sizes(2, 1, 6, rows=4, length=4, double=True),
    Sizes(5, 6, 3, rows=2, length=7),
)


def drawn(case: Case, rng: random.Random) -> tuple[list[tuple[int, int]], list[int]]:
    """Some heads, at least one of each layer, and some positions, both in random order."""
    n_layer, n_head, length = case.sizes.n_layer, case.sizes.n_head, case.tokens.shape[1]
    pairs = [
        (layer, head)
        for layer in range(n_layer)
        for head in rng.sample(range(n_head), rng.randint(1, n_head))
    ]
    rng.shuffle(pairs)
    return pairs, rng.sample(range(length), rng.randint(1, length - 1))


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Models of other sizes, with rotary positions, in float64;
    heads and positions in any order; each model as it was.
    """
    for sizes in MODELS:
        case = Case(rng, sizes)
        again(answer, case.theirs, case.tokens, case.source, [], [])
        nowhere = f"for {case.sizes.words} and head 0 of layer 0 patched nowhere, your logits are wrong"
        agrees(answer, case, [(0, 0)], [], nowhere)
        for _ in range(2):
            pairs, positions = drawn(case, rng)
            said = f"for {case.sizes.words} and {len(pairs)} heads patched at {len(positions)} positions"
            agrees(answer, case, pairs, positions, f"{said}, your logits are wrong")
            left_alone(answer, case)
        case.source = case.source.roll(1, dims=1)
        said = "for the model of the last call and another `source`, your logits are wrong"
        agrees(answer, case, pairs, positions, said, once_more=True)
        left_alone(answer, case)
        hooks_left_alone(answer, case, case.source, pairs, positions)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """One head, several heads, and the same model once more without a change."""
    calls: list[tuple[object, ...]] = []
    case = Case(rng, Sizes(2, 3, 4, rows=2, length=6))
    two_and_one = [(0, 0), (0, 2), (1, 1)]  # the last head of a layer is not the last of all
    for pairs, positions in (([(0, 0)], [2]), ([(1, 1)], [1, 3, 4]), (two_and_one, [4, 1]), drawn(case, rng)):
        calls.append((case.theirs, case.tokens, case.source, pairs, positions))
        calls.append((case.again, case.tokens, case.source, [], []))
    return calls


def patch_heads(model, tokens, source, heads, positions):
    """The reference."""
    d_head = model.config.d_model // model.config.n_head
    projections = [block.attention.projection for block in model.blocks]
    stored = {}  # layer → the outputs of its heads for source, (B, T, d)

    def store_for(layer):
        def hook(module, inputs):
            stored[layer] = inputs[0]

        return hook

    def patch_for(layer):
        def hook(module, inputs):
            merged = inputs[0].clone()
            for number, j in heads:
                if number == layer:
                    part = slice(j * d_head, (j + 1) * d_head)
                    merged[:, positions, part] = stored[layer][:, positions, part]
            return merged

        return hook

    for hook_for, row in ((store_for, source), (patch_for, tokens)):
        with contextlib.ExitStack() as stack:
            for layer, projection in enumerate(projections):
                stack.enter_context(projection.register_forward_pre_hook(hook_for(layer)))
            logits, _ = model(row)
    return logits


def both_in_one_batch(model, tokens, source, heads, positions):
    """One pass: the rows of source are the second half of the batch, and each hook copies from there."""
    size, rows = model.config.d_model // model.config.n_head, len(tokens)
    handles = []
    for layer, j in heads:

        def hook(module, inputs, j=j):
            merged = inputs[0].clone()
            for t in positions:
                merged[:rows, t, j * size : (j + 1) * size] = merged[rows:, t, j * size : (j + 1) * size]
            return merged

        handles.append(model.blocks[layer].attention.projection.register_forward_pre_hook(hook))
    try:
        return model(torch.cat([tokens, source]))[0][:rows]
    finally:
        for handle in handles:
            handle.remove()


def with_a_mask(model, tokens, source, heads, positions):
    """A boolean mask over positions and entries says where to take which."""
    size, T = model.config.d_model // model.config.n_head, tokens.shape[1]
    model = copy.deepcopy(model)
    seen, handles = [], []
    for block in model.blocks:
        handles.append(
            block.attention.projection.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
        )
    model(source)
    for handle in handles:
        handle.remove()
    for layer, block in enumerate(model.blocks):
        mask = torch.zeros(T, model.config.d_model, dtype=torch.bool)
        for t in positions:
            for of_layer, j in heads:
                if of_layer == layer:
                    mask[t, j * size : (j + 1) * size] = True
        block.attention.projection.register_forward_pre_hook(
            lambda _, inputs, mask=mask, layer=layer: torch.where(mask, seen[layer], inputs[0])
        )
    return model(tokens)[0]


def as_a_correction(model, tokens, source, heads, positions):
    """Adds the difference of the two outputs to the input of the projection."""
    size = model.config.d_model // model.config.n_head
    stored: dict[int, torch.Tensor] = {}
    chosen = torch.zeros(model.config.n_layer, tokens.shape[1], model.config.d_model)
    for layer, j in heads:
        for t in positions:
            chosen[layer, t, j * size : (j + 1) * size] = 1

    def run(rows, patching):
        with contextlib.ExitStack() as stack:
            for layer, block in enumerate(model.blocks):

                def hook(module, inputs, layer=layer):
                    if patching:
                        return inputs[0] + chosen[layer].to(inputs[0]) * (stored[layer] - inputs[0])
                    stored[layer] = inputs[0].detach()
                    return None

                stack.enter_context(block.attention.projection.register_forward_pre_hook(hook))
            return model(rows)[0]

    run(source, patching=False)
    return run(tokens, patching=True)


def heads_stacked(model, tokens, source, heads, positions):
    """Splits the heads into an axis of their own, and puts them together again."""
    n_head = model.config.n_head
    wanted: dict[int, list[int]] = {}
    for layer, j in heads:
        wanted.setdefault(layer, []).append(j)

    class Swap(torch.nn.Module):
        def __init__(self, projection, layer):
            super().__init__()
            self.projection, self.layer, self.kept = projection, layer, None

        def forward(self, merged):
            split = merged.unflatten(-1, (n_head, -1)).clone()  # (B, T, nh, hs)
            if self.kept is None:
                self.kept = split
            else:
                for j in wanted.get(self.layer, []):
                    for t in positions:
                        split[:, t, j] = self.kept[:, t, j]
            return self.projection(split.flatten(-2))

    originals = [block.attention.projection for block in model.blocks]
    for layer, block in enumerate(model.blocks):
        block.attention.projection = Swap(originals[layer], layer)
    model(source)
    logits = model(tokens)[0]
    for block, projection in zip(model.blocks, originals, strict=True):
        block.attention.projection = projection
    return logits


KEY = AnswerKey(
    id="patch_heads",
    hidden=hidden,
    reference=patch_heads,
    accepted=(both_in_one_batch, with_a_mask, as_a_correction, heads_stacked),
    rejected=REJECTED,
    fingerprint=fingerprint,
    commentary="""
Two forward passes: the pass of `source` stores the inputs of all projections, and the pass of `tokens` gets
the stored slices at `positions`. Both rows must have the same length, because position $t$ of one is copied
to position $t$ of the other.

Common mistakes are a patch at every position, a patch of the values or queries in place of the head's output,
and hooks that stay in the model.

A shorter way uses one pass: put `source` behind `tokens` in one batch. Each row of a batch is computed alone,
so a hook can copy from the second half of the batch to the first.
""",
)
