"""Probes: experiments that find out what a model does, whatever it says of itself.

- `influence(forward, x)`: which position's output depends on which position's input.
- `reads_the_future(forward, x)`: whether any output depends on a later input. It finds the leaks of Linformer and norm-reweight.
- `permutation_equivariant(forward, x)`: whether reordering the inputs reorders the outputs and does nothing else.
- `is_active(model)`: whether a model computes what its config says, in every layer.
- `shared_weights(model)`: which parameters are one and the same.

The first three take any function: attention (B, T, C) → (B, T, D), or a model's tokens → logits. They change the input, run it
again, and compare bit for bit (or within a tolerance): a thing that is not read cannot change a bit, and one that is read in a
model fresh from its start changes little more. A function that gives two answers to one input can be asked nothing; the probes
say so, and mostly dropout was left on (`model.eval()`).
"""

from __future__ import annotations

import copy
from collections.abc import Callable

import torch
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.model.gpt import GPT

Forward = Callable[[Tensor], Tensor | tuple[Tensor, object]]  # a model's (logits, loss) will do

SEED = 0  # of the changes the probes make; they draw no one else's random numbers
DRAWS = 3  # changes per position: one alone may happen to change nothing (a ReLU that stays shut)


@torch.no_grad()
def influence(forward: Forward, x: Tensor, tolerance: float = 0.0) -> Tensor:
    """Who reads whom: BoolTensor (T, T), True at [t, s] where changing x at position s changes the output at position t.

    x is (B, T, C), or tokens (B, T) with at least two different ones. `tolerance` is the largest change that counts as none.
    Raises UserError for a function that is not the same twice, or gives no finite outputs (B, T, …).
    """
    before = _checked_output(forward, x)
    generator = torch.Generator().manual_seed(SEED)
    T = x.shape[1]
    found = torch.zeros(T, T, dtype=torch.bool)
    for s in range(T):
        for _ in range(DRAWS):
            changed = x.clone()
            changed[:, s : s + 1] = _replacement(x, slice(s, s + 1), generator)
            found[:, s] |= _changed_positions(before, _run(forward, changed), tolerance)
    return found


@torch.no_grad()
def reads_the_future(forward: Forward, x: Tensor, tolerance: float = 0.0) -> bool:
    """Whether an output depends on a later input: change everything from position s on, and see whether the past moves.

    x, `tolerance` and errors as for `influence`; a row of one position has no future.

    >>> from kqa_core.model.attention import attention
    >>> x = torch.randn(1, 5, 8, generator=torch.Generator().manual_seed(0))
    >>> reads_the_future(lambda x: attention(x, x, x), x)
    True
    >>> reads_the_future(lambda x: attention(x, x, x, torch.ones(5, 5).tril().bool()), x)
    False
    """
    before = _checked_output(forward, x)
    generator = torch.Generator().manual_seed(SEED)
    for s in range(1, x.shape[1]):
        for _ in range(DRAWS):
            changed = x.clone()
            changed[:, s:] = _replacement(x, slice(s, None), generator)
            if _changed_positions(before, _run(forward, changed), tolerance)[:s].any():
                return True
    return False


@torch.no_grad()
def permutation_equivariant(forward: Forward, x: Tensor, tolerance: float | None = None) -> bool:
    """Whether f(x in another order) = f(x) in that order: true of attention without mask and positions.

    `tolerance` is relative to the largest output; by default the square root of the type's precision, as sums in another order
    round differently. Raises UserError as `influence` does, and for rows in which there is nothing to reorder.
    """
    before = _checked_output(forward, x)
    T = x.shape[1]
    if (x == x[:, :1]).all():
        raise UserError("every position of x is the same, so no order differs from another: give a row of different ones")
    if tolerance is None:
        tolerance = float(torch.finfo(before.dtype).eps) ** 0.5
    generator = torch.Generator().manual_seed(SEED)
    swaps = torch.arange(T).roll(1), torch.arange(T).flip(0)
    for order in (*swaps, *(torch.randperm(T, generator=generator) for _ in range(DRAWS))):
        placed = order.to(x.device)
        after = _run(forward, x[:, placed])
        if (after - before[:, placed]).abs().max() > tolerance * before.abs().max():
            return False
    return True


@torch.no_grad()
def is_active(model: GPT, tolerance: float = 1e-9) -> bool:
    """Whether the model computes what its config says: variant, positions and fusion, in every layer.

    A model is built anew from the config and given the weights of this one; both then read the same rows in float64, and their
    logits must agree to within `tolerance` of the largest. Names prove nothing: a class may be called anything, and parts may be
    there that nobody uses (those are no objection). A shuffle of heads rests in evaluation, so it is compared in training,
    without dropout and with the same seed. The model itself is left as it was.
    """
    with torch.random.fork_rng(devices=[]):
        trusted = GPT(model.config).double()
    suspect = copy.deepcopy(model).cpu().double()
    theirs, ours = suspect.state_dict(), trusted.state_dict()
    if any(name not in theirs or theirs[name].shape != tensor.shape for name, tensor in ours.items()):
        return False
    trusted.load_state_dict({name: theirs[name] for name in ours})
    training = model.config.fusion == "shuffle"
    for each in (trusted, suspect):
        each.train(training)
        _without_dropout(each)
    generator = torch.Generator().manual_seed(SEED)
    length = model.config.block_size
    for T in sorted({1, (length + 1) // 2, length}):
        tokens = torch.randint(model.config.vocab_size, (4, T), generator=generator)
        expected, found = (_seeded(each, tokens) for each in (trusted, suspect))
        if not (found - expected).abs().max() <= tolerance * expected.abs().max():
            return False
    return True


def shared_weights(model: torch.nn.Module) -> list[list[str]]:
    """The names of parameters that lie in the same memory, one list for each such group; [] where every weight is its own.

    >>> layer = torch.nn.Linear(3, 3)
    >>> shared_weights(torch.nn.Sequential(layer, torch.nn.Linear(3, 3), layer))
    [['0.weight', '2.weight'], ['0.bias', '2.bias']]
    """
    groups: dict[tuple[torch.device, int], list[str]] = {}
    for name, parameter in model.named_parameters(remove_duplicate=False):
        if parameter.numel():
            groups.setdefault((parameter.device, parameter.untyped_storage().data_ptr()), []).append(name)
    return [names for names in groups.values() if len(names) > 1]


def _run(forward: Forward, x: Tensor) -> Tensor:
    """The outputs (B, T, …); of a model's (logits, loss), the logits."""
    out = forward(x)
    tensor = out[0] if isinstance(out, tuple) else out
    if not isinstance(tensor, Tensor) or tensor.shape[:2] != x.shape[:2]:
        shape = tuple(tensor.shape) if isinstance(tensor, Tensor) else type(tensor).__name__
        raise UserError(f"outputs of shape ({x.shape[0]}, {x.shape[1]}, …) were expected, one per position, not {shape}")
    if not torch.isfinite(tensor).all():
        raise UserError(
            "some outputs are nan or infinite, of which nothing can be learnt: give smaller inputs, or mend the model"
        )
    return tensor


def _checked_output(forward: Forward, x: Tensor) -> Tensor:
    """The outputs, if there is one answer to one input."""
    if not isinstance(x, Tensor) or x.ndim < 2 or 0 in x.shape:
        raise UserError(f"x must be a tensor (B, T, C), or tokens (B, T), not {getattr(x, 'shape', type(x).__name__)}")
    before = _run(forward, x.clone()).clone()
    if not torch.equal(before, _run(forward, x.clone())):
        raise UserError("the function gives two answers to one input: switch dropout off (model.eval()), then ask again")
    return before


def _replacement(x: Tensor, where: slice, generator: torch.Generator) -> Tensor:
    """Something else in the place of x[:, where]: other tokens of those there are, or numbers of the same size."""
    part = x[:, where]
    if x.is_floating_point():
        size = float(x.float().std(correction=0)) or 1.0
        noise = torch.randn(part.shape, generator=generator, dtype=torch.float64)
        return part + (3.0 * size * noise).to(x)
    tokens = torch.tensor(sorted(set(x.flatten().tolist())), dtype=x.dtype, device=x.device)
    if len(tokens) < 2:
        raise UserError("every token of x is the same, so none can be exchanged: give rows with at least two different ones")
    step = torch.randint(1, len(tokens), part.shape, generator=generator).to(x.device)
    others: Tensor = tokens[(torch.searchsorted(tokens, part.contiguous()) + step) % len(tokens)]  # none is itself
    return others


def _changed_positions(before: Tensor, after: Tensor, tolerance: float) -> Tensor:
    """Which positions' outputs differ: BoolTensor (T,), on the CPU."""
    change = (after - before).abs().transpose(0, 1).flatten(1).amax(dim=1)  # (T,)
    return (change > tolerance).cpu()


def _without_dropout(model: torch.nn.Module) -> None:
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
        if hasattr(module, "attention_dropout"):
            setattr(module, "attention_dropout", 0.0)  # noqa: B010  # the variants' own; no nn.Module has it


def _seeded(model: GPT, tokens: Tensor) -> Tensor:
    """The logits, with the same random numbers for every model."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        return model(tokens)[0]  # type: ignore[no-any-return]
