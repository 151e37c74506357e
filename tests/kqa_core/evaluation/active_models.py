"""Whether a model computes what its config says: for tests of the library and of notebook 07's models."""

from __future__ import annotations

import copy

import torch
from torch import Tensor

from kqa_core.evaluation.probes import SEED
from kqa_core.model.gpt import GPT


@torch.no_grad()
def is_active(model: GPT, tolerance: float = 1e-9) -> bool:
    """Whether the model computes what its config says: variant, positions and fusion, in every layer.

    A new model is built from the config and gets the weights of this one. Both then process the same rows in
    float64, and their logits must agree within `tolerance`, relative to the largest. Names are not compared:
    a class may have any name, and unused parts do not matter. Shuffled heads are off in evaluation, so these
    models are compared in training mode, without dropout and with the same seed. The model itself is not
    changed.
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
        expected, logits = (_seeded(gpt, tokens) for gpt in (trusted, suspect))
        if not (logits - expected).abs().max() <= tolerance * expected.abs().max():
            return False
    return True


def _without_dropout(model: torch.nn.Module) -> None:
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
        if hasattr(module, "attention_dropout"):
            setattr(module, "attention_dropout", 0.0)  # noqa: B010  # an attribute of our variants, unknown to nn.Module


def _seeded(model: GPT, tokens: Tensor) -> Tensor:
    """The logits, computed with the same random numbers for every model."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        return model(tokens)[0]  # type: ignore[no-any-return]
