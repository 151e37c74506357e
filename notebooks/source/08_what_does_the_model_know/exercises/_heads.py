"""Models and rows for `ablate_heads` and `patch_heads`, and what such a model gives with changed heads.

The expected logits come from a forward pass written out layer by layer. Nothing is hooked and no weight is
changed.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import torch
from course_exercises._models_with_heads import BLOCK, VOCABULARY, Change, fresh, logits_with
from torch import Tensor

from kqa_core.check.answer import Answer, ArgumentFailed, Build
from kqa_core.check.exercise import POSSIBLE, NotYet, expect
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.transformer_parts import apart, differing, draw, tensor_of
from kqa_core.model.attention import merge_heads, split_heads
from kqa_core.model.gpt import GPT

HERE = "course_exercises._models_with_heads"
New = Mapping[tuple[int, int], Tensor]
Pairs = Sequence[tuple[int, int]]
AFTER = (
    "you change the output of the projection. There the heads are already mixed, so no slice belongs to one"
    " head. Change the input of the projection"
)
LATE = (
    "each of your hooks changes the same head, the last one. Hooks that are made in a loop read the loop's"
    " variables when they run, which is after the loop"
)
CHANGED = "after your function has {did}, the same model gives other logits than before{}"
STAYS = (
    f". {POSSIBLE}a hook is still there (remove each, with a `with` block or `handle.remove()`), or another"
    " part that was put in"
)
HOOKS = (
    "after your function has returned, a model that had hooks of its own before gives other logits than it"
    f" did{{}}. {POSSIBLE}a hook that your code has not registered is removed, or one of yours is still there"
)
MODE = (
    "after your function has returned, the model is in training mode: leave it in evaluation mode, as it was"
)
RANDOM = (
    f"two calls with the same arguments give different logits{{}}. {POSSIBLE}In training mode, dropout makes"
    " every result random: leave the model in evaluation mode."
)
WITH_LOSS = "return the logits alone: a model of this course returns a pair, (logits, loss)"


@dataclass(frozen=True)
class Sizes:
    """The sizes of one random model and of its rows."""

    n_layer: int
    n_head: int
    d_head: int
    rows: int
    length: int
    variant: str = "vanilla"
    double: bool = False

    @property
    def words(self) -> str:
        """For a sentence."""
        kind = f"{'float64 ' * self.double}{'rope ' * (self.variant == 'rope')}"
        return f"a {kind}model of {self.n_layer} layers with {self.n_head} heads of width {self.d_head}"


class Case:
    """A random model, twice: one here, and one in the process that runs the answer."""

    def __init__(self, rng: random.Random, sizes: Sizes) -> None:
        arguments = (
            sizes.n_layer,
            sizes.n_head,
            sizes.d_head,
            rng.getrandbits(30),
            sizes.variant,
            sizes.double,
        )
        self.sizes, self.dtype = sizes, torch.float64 if sizes.double else torch.float32
        self.model: GPT = fresh(*arguments)
        self.theirs = Build(f"{HERE}:fresh", arguments)
        self.again = Build(f"{HERE}:same_again")
        self.hooked = Build(f"{HERE}:hooked", arguments)
        generator = torch.Generator().manual_seed(rng.getrandbits(30))
        self.tokens, self.source = (
            torch.randint(2, VOCABULARY, (sizes.rows, min(sizes.length, BLOCK)), generator=generator)
            for _ in range(2)
        )
        self.tokens[-1, self.tokens.shape[1] // 2] = 0  # padding counts like any token
        if self.source.shape[1] > 1:
            self.source[0, self.source.shape[1] // 3] = 0
        self.rng = rng

    def vector(self, scale: float = 1.0) -> Tensor:
        """A random vector (d_head,) in the dtype of the model."""
        return draw(self.rng, self.sizes.d_head, scale=scale, dtype=self.dtype)

    def logits(self, change: Change, tokens: Tensor | None = None) -> Tensor:
        """The logits of the model with changed heads."""
        return logits_with(self.model, self.tokens if tokens is None else tokens, change)

    def changed_after(self, change: Change, tokens: Tensor | None = None) -> Tensor:
        """The logits of the model if the output of the projection is changed as if it
        were the heads side by side.
        """

        def after(layer: int, projected: Tensor) -> Tensor:
            return merge_heads(change(layer, split_heads(projected, self.sizes.n_head)))

        return logits_with(
            self.model, self.tokens if tokens is None else tokens, lambda _, heads: heads, after
        )

    def plain(self) -> Tensor:
        """The logits of the unchanged model."""
        return self.logits(lambda _, heads: heads)

    def heads(self, tokens: Tensor) -> list[Tensor]:
        """The outputs (B, nh, T, hs) of the heads of each layer."""
        seen: list[Tensor] = []
        self.logits(lambda _, heads: seen.append(heads.clone()) or heads, tokens)  # type: ignore[func-returns-value]
        return seen

    def read(self, result: object) -> Tensor:
        """The answer's logits. Raises NotYet unless they are a tensor
        (B, T, vocab_size) of the model's dtype.
        """
        if isinstance(result, (tuple, list)) and result and isinstance(result[0], Tensor):
            raise NotYet(WITH_LOSS)
        if isinstance(result, Tensor) and result.is_floating_point() and result.dtype is not self.dtype:
            raise NotYet(f"the logits of this model are {self.dtype}; what you return is {result.dtype}")
        return tensor_of(result, (*self.tokens.shape, VOCABULARY), self.dtype, "what you return")


def replaced(new: New) -> Change:
    """The outputs of some heads are these vectors, at every position."""

    def change(layer: int, heads: Tensor) -> Tensor:
        heads = heads.clone()
        for (of_layer, head), vector in new.items():
            if of_layer == layer:
                heads[:, head] = vector
        return heads

    return change


def patched(
    case: Case, pairs: Pairs, positions: Sequence[int], source: Sequence[Tensor] | None = None
) -> Change:
    """At these positions, the outputs of some heads are those for `case.source`,
    or these (a tensor for each layer).
    """
    source = case.heads(case.source) if source is None else source

    def change(layer: int, heads: Tensor) -> Tensor:
        heads = heads.clone()
        for of_layer, head in pairs:
            if of_layer == layer:
                heads[:, head, list(positions)] = source[layer][:, head, list(positions)]
        return heads

    return change


def repeats(answer: Answer, case: Case, *nothing: object) -> None:
    """Raise NotYet unless two calls with the same arguments give the same logits."""
    first, second = (case.read(answer(case.theirs, case.tokens, *nothing)) for _ in range(2))
    expect(apart(first, second) <= 1.0, RANDOM.format(changing(first, second)))


def changing(before: Tensor, after: Tensor) -> str:
    """The entry that differs most: ": entry [0, 1, 2] is 0.5 and then 0.7"."""
    said = differing(after, before).partition(" (row")[0]
    return said.replace(" should be ", " is ").replace("; yours is ", " and then ")


def left_alone(answer: Answer, case: Case, did: str = "returned") -> None:
    """Raise NotYet unless the model of the last call still computes what it `did`."""
    try:
        logits, _ = cast(tuple[Tensor, None], answer.method(case.again, "__call__", case.tokens))
    except ArgumentFailed:  # by `Changed`
        raise NotYet(MODE) from None
    if apart(logits, case.plain()) > 1.0:
        said = CHANGED.format(changing(case.plain(), logits), did=did)
        weights_left_alone(answer, case, said)
        raise NotYet(said + STAYS)


def weights_left_alone(answer: Answer, case: Case, sentence: str) -> None:
    """Raise NotYet with `sentence` if a weight of the model of the last call is another one now."""
    try:
        found = answer.method(case.again, "state_dict")
    except ArgumentFailed:  # in training mode
        return
    for name, weight in case.model.state_dict().items():
        other = found.get(name) if isinstance(found, dict) else None
        expect(
            not isinstance(other, Tensor) or torch.equal(other, weight),
            f"{sentence}, and your code changes a weight of the model, {name}",
        )


def hooks_left_alone(answer: Answer, case: Case, *args: object) -> None:
    """Raise NotYet unless a model with hooks of its own computes after a call with `args` what it did."""
    before, _ = cast(tuple[Tensor, None], answer.method(case.hooked, "__call__", case.tokens))
    answer(case.hooked, case.tokens, *args)
    after, _ = cast(tuple[Tensor, None], answer.method(case.again, "__call__", case.tokens))
    expect(apart(after, before) <= 1.0, HOOKS.format(changing(before, after)))


def keeps_arguments(answer: Answer, case: Case, names: Sequence[str], *args: object) -> None:
    """Raise NotYet if a call for the model of this case changes `tokens`,
    or one of `args`, which have these names.
    """
    of_model = cast(Answer, functools.partial(answer, case.theirs))
    leaves_alone(of_model, ("tokens", *names), case.tokens, *args)
