"""Inputs for the checks of notebook 10: batches, generators,
and small classifiers that notice how they are used.

- A classifier is called like the course's own: `model(input_ids, attention_mask)` gives logits. It works in
  float64, and its dropout is fixed, so that losses can be compared.
- A check cannot see how an answer changes a model. So the next call gets the same model again, and a model
  watches its own mode: `examined` reverses its logits if gradients are recorded, `left_behind` reverses them
  if the model of the call before, or a part of it, was not left in its original mode.
- The arguments of one call are made from left to right: `optimizer` is made for the classifier made before
  it.
"""

from __future__ import annotations

import copy
import functools
import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from kqa_core.check.answer import Build
from kqa_core.check.exercise import NotYet, expect
from kqa_core.check.helpers import effects
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.transformer_parts import apart, difference
from kqa_core.experiments.small_models import FixedDropout, copied, draw_weights

HERE = "course_exercises._encoder_parts"
FIRST, LAST = 101, 102  # the special tokens [CLS] and [SEP]
VOCABULARY, WIDTH = 24, 6

Batch = dict[str, Tensor]
Item = tuple[list[int], int]
ZERO_BY_ZERO = (
    "where every gradient so far was zero, the new parameter should be a number; yours is nan. Possible"
    " cause: zero is divided by zero, because ε is not added to the root"
)
EPSILONS = (0.0, *(10.0**-i for i in range(3, 17)))


def without_nan(result: object, parameter: Tensor, still: Tensor) -> None:
    """Raise NotYet if the parameter that a step of an optimiser gives, the first of a sequence, is nan where
    all gradients were zero (`still`), and nowhere else.
    """
    first = result[0] if isinstance(result, (list, tuple)) and result else None
    if isinstance(first, Tensor) and first.shape == parameter.shape and bool(first.isnan().any()):
        expect(bool((first.isnan() & ~still).any()), ZERO_BY_ZERO)


def stepped(found: Tensor, wanted: Tensor, start: Tensor, step: Tensor, root: Tensor, epsilon: float) -> str:
    """Say how the parameter `found` differs from start − step / (root + ε): the entry that differs most, and
    another ε if that gives the same.
    """

    def made(e: float) -> Tensor:
        return start - (step / (root + e)).nan_to_num()

    other = [e for e in EPSILONS if e != epsilon and apart(found, made(e)) <= 1.0]
    cause = (
        f". Possible cause: the step is that of ε = {other[0]:g}, not {epsilon:g}" if len(other) == 1 else ""
    )
    return difference(found, wanted) + cause


def told_size(gradient: Tensor) -> str:
    """Describe the gradient for a sentence: its numbers if they are few, else their size."""
    if gradient.ndim == 1 and len(gradient) <= 4:
        return f"the gradient ({', '.join(f'{each:.3g}' for each in gradient.tolist())})"
    return f"a gradient {tuple(gradient.shape)} of numbers up to {float(gradient.abs().max()):.2g}"


def given_twice(*args: object) -> list[tuple[object, ...]]:
    """Two calls with these arguments, for a fingerprint:
    the second raises if the first has changed one of them in place.
    """
    made = [
        [Build(f"{effects.__name__}:{maker}", (i, each)) for i, each in enumerate(args)]
        for maker in ("given", "same")
    ]
    return [tuple(each) for each in made]


_generator = torch.Generator()


def generator(seed: int) -> torch.Generator:
    """A generator with that seed."""
    _generator.manual_seed(seed)
    return _generator


def same_generator() -> torch.Generator:
    """The generator made last, as the call before left it."""
    return _generator


def gather() -> Callable[[list[int]], dict[str, object]]:
    """A collate function whose batches can be told from anything else, also from a part of a larger batch.
    They hold the list of items itself, as `collate_fn=list` or one that returns its argument may.
    """

    def collate(items: list[int]) -> dict[str, object]:
        if not isinstance(items, (list, tuple)):
            raise TypeError(f"collate_fn takes a list of items, and got {kind_of(items)}")
        return {"gathered": items, "size": len(items)}

    return collate


class Classifier(nn.Module):
    """Logits from the mean of the real tokens' embeddings. `upset` says whether it reverses its logits. If
    `watchful`, it does so in training mode, too.
    """

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, WIDTH)
        self.dropout = FixedDropout()
        self.hidden = nn.Linear(WIDTH, WIDTH)
        self.head = nn.Linear(WIDTH, classes)
        self.upset: Callable[[], bool] = lambda: False
        self.watchful = False
        self.scale, self.shift = 1.0, 0.0  # of the logits

    def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        """input_ids and attention_mask (B, T) → logits (B, classes)."""
        mask = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        real = mask.to(self.head.weight.dtype)[:, :, None]  # (B, T, 1)
        mean = (self.embedding(input_ids) * real).sum(dim=1) / real.sum(dim=1)  # (B, WIDTH)
        logits: Tensor = self.head(self.dropout(torch.tanh(self.hidden(mean))))  # (B, classes)
        upset = self.upset() or (self.watchful and self.training)
        return (-logits if upset else logits) * self.scale + self.shift


_latest: list[Classifier] = []
_latest_optimizer: list[torch.optim.Optimizer] = []


def classifier(
    seed: int,
    classes: int = 2,
    training: bool = False,
    used: bool = False,
    scale: float = 1.0,
    shift: float = 0.0,
) -> Classifier:
    """A classifier in that mode. One that was `used` before comes with gradients. Its logits are multiplied
    by `scale`, and `shift` is added.
    """
    model: Classifier = copied(_drawn(seed, classes))
    model.scale, model.shift = scale, shift
    if used:
        generator = torch.Generator().manual_seed(seed + 1)
        for parameter in model.parameters():
            parameter.grad = torch.randn(parameter.shape, generator=generator, dtype=parameter.dtype)
    _latest[:] = [model.train(training)]
    return model


@functools.lru_cache(maxsize=64)
def _drawn(seed: int, classes: int) -> Classifier:
    model = Classifier(classes).double()
    draw_weights(model, seed, scale=0.8)
    return model


def optimizer(rate: float) -> torch.optim.Optimizer:
    """AdamW for the classifier that was made last."""
    _latest_optimizer[:] = [torch.optim.AdamW(_latest[0].parameters(), lr=rate)]
    return _latest_optimizer[0]


def sgd(rate: float) -> torch.optim.Optimizer:
    """Plain SGD for the classifier that was made last."""
    _latest_optimizer[:] = [torch.optim.SGD(_latest[0].parameters(), lr=rate)]
    return _latest_optimizer[0]


def same_classifier() -> Classifier:
    """The classifier made last, as the call before left it."""
    return _latest[0]


def same_optimizer() -> torch.optim.Optimizer:
    """The optimiser made last, as the call before left it."""
    return _latest_optimizer[0]


def examined(seed: int, classes: int, training: bool) -> Classifier:
    """A classifier that reverses its logits if gradients are recorded."""
    model = classifier(seed, classes, training)
    model.upset = torch.is_grad_enabled
    return model


def watchful(seed: int, classes: int, training: bool) -> Classifier:
    """A classifier that reverses its logits if it is itself in training mode, whatever its parts are."""
    model = classifier(seed, classes, training)
    model.watchful = True
    return model


def left_behind(training: bool, parts: bool = True) -> Classifier:
    """The classifier made last again. It reverses its logits unless it,
    and its parts if asked, were left in this mode.
    """
    before = _latest[0]
    model = copy.deepcopy(before)
    model.upset = lambda: any(
        each.training is not training for each in (before.modules() if parts else [before])
    )
    return model


def still_recording(batches: list[Batch]) -> list[Batch]:
    """The batches. Raises Changed if the call before has turned the recording of gradients off;
    then it is on again.
    """
    recording = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    if not recording:
        raise effects.Changed
    return batches


def unrecorded(batches: list[Batch]) -> list[Batch]:
    """The batches, after the recording of gradients has been turned off."""
    torch.set_grad_enabled(False)
    return batches


def still_unrecorded(batches: list[Batch]) -> list[Batch]:
    """The batches. Raises Changed if the call before has turned the recording of gradients on. It is on again
    afterwards.
    """
    recording = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    if recording:
        raise effects.Changed
    return batches


def still_trainable(batches: list[Batch]) -> list[Batch]:
    """The batches. Raises Changed if the call before has left a parameter of its model without gradients."""
    if not all(parameter.requires_grad for parameter in _latest[0].parameters()):
        raise effects.Changed
    return batches


def draw_batches(rng: random.Random, sizes: Sequence[int], classes: int = 2, padding: int = 0) -> list[Batch]:
    """Batches of these sizes: input_ids and attention_mask (B, T), labels (B,), all int64. Padding has the id
    0 or 1, which no real token has.
    """
    generator = torch.Generator().manual_seed(rng.getrandbits(31))
    batches = []
    for size in sizes:
        lengths = torch.randint(2, 8, (size,), generator=generator)
        mask = (torch.arange(int(lengths.max())) < lengths[:, None]).long()  # (B, T)
        ids = torch.randint(1, VOCABULARY, mask.shape, generator=generator)
        labels = torch.randint(classes, (size,), generator=generator)
        ids *= mask
        ids = ids.where(ids > padding, padding - ids)
        batches.append({"input_ids": ids, "attention_mask": mask, "labels": labels})
    return batches


def whole_tensor(value: object, shape: tuple[int, ...], what: str) -> Tensor:
    """`value` as a tensor of whole numbers, int64 or bool, of this shape. Raises NotYet unless it is one."""
    if not isinstance(value, Tensor):
        raise NotYet(f"{what} must be a torch tensor; yours is {kind_of(value)}")
    expect(
        tuple(value.shape) == shape, f"{what} must have shape {shape}; yours has shape {tuple(value.shape)}"
    )
    expect(
        value.dtype in (torch.int64, torch.bool),
        f"{what} must hold whole numbers, int64{' or bool' if 'mask' in what else ''}; yours is"
        f" {value.dtype}",
    )
    return value.long()


def expect_sizes(batches: Sequence[Sequence[int]], wanted: Sequence[int], about: str, end: str = "") -> None:
    """Raise NotYet, which ends with `end`, unless the batches have the wanted sizes. Of a long list it tells
    the first size that is wrong.
    """
    sizes = [len(batch) for batch in batches]
    if sizes == list(wanted):
        return
    if max(len(sizes), len(wanted)) <= 8:
        raise NotYet(f"{about} the batches have the sizes {list(wanted)}; yours have {sizes}{end}")
    wrong = next((i for i, pair in enumerate(zip(sizes, wanted, strict=False)) if pair[0] != pair[1]), None)
    if wrong is None:
        raise NotYet(f"{about} there are {len(wanted)} batches; yours are {len(sizes)}{end}")
    raise NotYet(f"{about} batch {wrong} has the size {wanted[wrong]}; yours has {sizes[wrong]}{end}")


def fair(orders: Sequence[Sequence[int]], what: str = "sentences") -> None:
    """Raise NotYet if these orders of 0, 1, 2, … are not spread as random ones are.

    Counted in each order: how often a number is at its own place, follows the number before it, or is above
    its left neighbour; and how far to the right large numbers are. Random orders have these means and
    variances. Six standard errors of the mean are allowed, so a right answer fails once in 10⁸ times.
    """
    n, epochs = len(orders[0]), len(orders)
    places = range(n)
    # mean and variance in random orders, and what was found
    counted: dict[str, tuple[float, float, Sequence[float]]] = {
        f"of the {what}, {{}} are at their own place in an epoch": (
            *(1.0, 1.0),
            [sum(order[i] == i for i in places) for order in orders],
        ),
        f"in an epoch, {{}} of the {what} come right after the one before them in the list": (
            *((n - 1) / n, 1.0),
            [sum(b == a + 1 for a, b in pairwise(order)) for order in orders],
        ),
        "in an epoch, {} of the neighbours are in the order of the list": (
            *((n - 1) / 2, (n + 1) / 12),
            [sum(a < b for a, b in pairwise(order)) for order in orders],
        ),
        "the correlation of a place in the list and a place in the epoch is {}": (
            *(0.0, 1 / (n - 1)),
            [1 - 6 * sum((x - i) ** 2 for i, x in enumerate(order)) / (n**3 - n) for order in orders],
        ),
    }
    for said, (mean, variance, found) in counted.items():
        yours = sum(found) / epochs
        expect(
            abs(yours - mean) <= 6 * (variance / epochs) ** 0.5,
            f"in {epochs} epochs of {n} {what}, not all orders are equally likely:"
            f" {said.format(f'{yours:.2f}')} on average, and in random orders {mean:.2f}",
        )
    table = Counter((i, x) for order in orders for i, x in enumerate(order))
    often = epochs / n
    if often >= 20:
        spread = sum((table[i, x] - often) ** 2 / often for i in places for x in places) * (n - 1) / n
        i, x = max(((i, x) for i in places for x in places), key=lambda cell: abs(table[cell] - often))
        expect(
            spread <= (n - 1) ** 2 + 6 * 2**0.5 * (n - 1),
            f"in {epochs} epochs of {n} {what}, not all orders are equally likely: number {x} is"
            f" {table[i, x]} times at place {i}, and in random orders about {often:.0f} times",
        )
