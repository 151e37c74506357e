"""Small models for the checks of notebook 07, made beside the answer by `Build("…small_models:NAME")`.

- `rehearsal`: a GPT whose training mode differs from its evaluation mode, but without randomness, so that
  losses can be compared.
- `suspect`: a GPT whose config names a variant; the student has to find out whether it really computes that
  variant.
- `kept`: a rehearsal model that later calls get again, so that a check sees what an answer did to it.
- All weights come from a separate generator, at a scale at which variants differ clearly (a fresh GPT's
  weights are so small that every attention is nearly the same average).
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice
from typing import Any

import torch
from torch import Tensor, nn

from kqa_core.model.attention import CausalSelfAttention
from kqa_core.model.block import Block
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.model.variant_registry import find_variant

VOCABULARY, BLOCK = 12, 10
FAINT = 0.006  # every row of tokens has a logit that a faint layer changes by about so much, or by more
ENDLESS = 300  # batches that `stream` gives
SMALL = GPTConfig(
    vocab_size=VOCABULARY,
    block_size=BLOCK,
    n_layer=2,
    n_head=2,
    d_model=8,
    embedding_dropout=0.0,
    attention_dropout=0.0,
    residual_dropout=0.0,
)


def draw_weights(model: nn.Module, seed: int, scale: float = 0.4) -> None:
    """Fill every parameter from N(0, scale²), drawn in its own dtype, plus 1 for the gains of LayerNorms."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(scale * torch.randn(parameter.shape, generator=generator, dtype=parameter.dtype))
            if "norm" in name and name.endswith("weight"):
                parameter.add_(1.0)


class FixedDropout(nn.Module):
    """Drops every third channel in training, always the same ones: dropout without randomness."""

    def forward(self, x: Tensor) -> Tensor:
        """x (B, T, C) → (B, T, C)."""
        if not self.training:
            return x
        passed = (torch.arange(x.shape[-1], device=x.device) % 3 > 0).to(x.dtype)  # (C,)
        return x * passed * 1.5


def rehearsal(seed: int, double: bool = False) -> GPT:
    """A one-layer vanilla GPT for `BLOCK` characters, in evaluation mode, as after an evaluation; in float64
    if it is `double`.
    """
    model: GPT = copied(_rehearsed(seed))
    return model.double() if double else model


@functools.lru_cache(maxsize=64)
def _rehearsed(seed: int) -> GPT:
    model = GPT(replace(SMALL, n_layer=1))
    draw_weights(model, seed, scale=0.3)
    model.dropout = FixedDropout()  # type: ignore[assignment]  # in place of torch's
    return model.eval()


_kept: dict[int, GPT] = {}


def kept(number: int, seed: int, again: bool = False) -> GPT:
    """`rehearsal(seed)`, kept under a number; `again` gives the kept one as the answer left it."""
    if not again:
        _kept[number] = rehearsal(seed)
    return _kept[number]


def optimizer_for(number: int, kind: str = "AdamW") -> torch.optim.Optimizer:
    """A torch optimizer for the kept model: its matrices in one group, the rest in another, rate 0.5."""
    parameters = list(_kept[number].parameters())
    groups = [{"params": [p for p in parameters if (p.ndim > 1) is matrices]} for matrices in (True, False)]
    if kind == "SGD":
        return torch.optim.SGD(groups, lr=0.5, momentum=0.9)
    return torch.optim.AdamW(groups, lr=0.5)


def weights_kept(number: int) -> dict[str, Tensor]:
    """A copy of the weights that the kept model has now."""
    return {name: tensor.detach().clone() for name, tensor in _kept[number].state_dict().items()}


def nested(seed: int, seen: bool = True, parts: tuple[str, ...] = ("first", "module_last")) -> nn.Module:
    """A model with parts named like a prefix: `first.module.weight`, `module_last.weight`; if asked, a
    buffer `seen`.
    """
    both = {
        "first": nn.ModuleDict({"module": nn.Linear(3, 2, bias=False)}),
        "module_last": nn.Linear(2, 2, bias=False),
    }
    model = nn.ModuleDict({part: both[part] for part in parts})
    draw_weights(model, seed)
    if seen:
        model.register_buffer("seen", torch.randn(3, generator=torch.Generator().manual_seed(seed)))
    return model


def stream(batches: list[tuple[Tensor, Tensor]]) -> Iterator[tuple[Tensor, Tensor]]:
    """The batches again and again. Raises RuntimeError after `ENDLESS` of them."""
    yield from islice(cycle(batches), ENDLESS)
    raise RuntimeError(
        "these batches never end, so take one for each rate, and do not make a list of all of them"
    )


def suspect(variant: str, layers: tuple[str, ...], dress: str, seed: int, training: bool = False) -> GPT:
    """A model whose config says `variant`. `layers` names the attention that each layer computes.

    `dress`: "library", as the library makes it; "renamed", in a class of another name; "spare", with extra
    parts that nothing uses; "rounded", which rounds once more than the library's; "pieces", which
    reads rows in pieces of four positions; "lacking" the bias of the
    last layer's projection; "faint", in which a
    layer with another attention than the variant's changes the logits little (`FAINT`). If both layers are
    vanilla it can also be "bare", or have the variant's "parts", or be in a "class" with the variant's
    name, or in a "subclass" of the variant's class. With `training` it arrives in training mode, and drops
    out half of its embeddings.

    The arguments are known in the answer's process, so they say nothing that a student could not see in the
    model.
    """
    model: GPT = copied(_drawn(variant, layers, dress, seed, training))
    return model


@functools.lru_cache(maxsize=256)  # the two checks and the naming of mistakes need about 160
def _drawn(variant: str, layers: tuple[str, ...], dress: str, seed: int, training: bool) -> GPT:
    """What `suspect` copies."""
    model: GPT = copied(_pattern(variant, layers, dress, training))
    draw_weights(model, seed)
    if dress == "faint":
        twin = trusted(variant, seed)  # the same weights
        for block, computes in zip(_blocks(model), layers, strict=True):
            if computes != variant:
                _weaken(model, twin, block, seed)
    return model.train(training)


def copied(module: nn.Module) -> Any:
    """A copy whose parameters, buffers, parts and hooks are its own. Far quicker than `copy.deepcopy`,
    which follows every attribute.
    """
    twin: Any = object.__new__(type(module))
    for name, value in vars(module).items():
        # most of these dicts are empty; copying an OrderedDict is slow
        own = (value.copy() if value else type(value)()) if isinstance(value, dict) else value
        object.__setattr__(twin, name, own)
    twin._parameters.update(
        {
            name: value if value is None else nn.Parameter(value.detach().clone(), value.requires_grad)
            for name, value in module._parameters.items()
        }
    )
    twin._buffers.update(
        {name: value if value is None else value.detach().clone() for name, value in module._buffers.items()}
    )
    twin._modules.update({name: part and copied(part) for name, part in twin._modules.items()})
    return twin


@functools.cache
def _pattern(variant: str, layers: tuple[str, ...], dress: str, training: bool) -> GPT:
    """The same; its weights are not those of a suspect yet."""
    dropout = 0.5 if training else 0.0
    config = replace(SMALL, variant=variant, n_layer=len(layers), embedding_dropout=dropout)
    model = GPT(config)
    if dress == "spare":
        for block in _blocks(model):
            block.attention.register_buffer("mask", torch.ones(BLOCK, BLOCK).tril())
            block.attention.register_parameter("spare", nn.Parameter(torch.zeros(3)))
    elif dress == "bare":
        model = _renamed(config)
    elif dress == "renamed":
        for block in _blocks(model):
            block.attention.__class__ = type("Attention", (type(block.attention),), {})
    elif dress in ("rounded", "pieces"):
        for block in _blocks(model):
            block.attention.__class__ = (_rounding if dress == "rounded" else _piecewise)(
                type(block.attention)
            )
    elif dress == "lacking":
        _blocks(model)[-1].attention.projection = nn.Linear(config.d_model, config.d_model, bias=False)
    elif dress in ("class", "subclass"):
        for block in _blocks(model):
            block.attention = _disguised(block.attention, config, inherits=dress == "subclass")
    elif dress == "parts":
        plain = _renamed(config)
        for block, theirs in zip(_blocks(plain), _blocks(model), strict=True):
            for name, part in _missing(theirs.attention, block.attention):
                setattr(block.attention, name, part)
        model = plain
    else:
        for block, computes in zip(_blocks(model), layers, strict=True):
            if computes != variant:
                block.attention = find_variant(computes).attention(config)
    return model


def _rounding(kind: type) -> type:
    """The class of an attention that computes what `kind` does, and rounds its outputs to 1e-6."""

    def forward(self: nn.Module, *arguments: Any, **options: Any) -> Any:
        return kind.forward(self, *arguments, **options) + 8.0 - 8.0  # type: ignore[attr-defined]  # an nn.Module

    return type(kind.__name__, (kind,), {"__module__": kind.__module__, "forward": forward})


def _piecewise(kind: type) -> type:
    """The class of an attention that computes what `kind` does, in pieces of four positions."""

    def forward(self: nn.Module, x: Tensor, *arguments: Any) -> Any:
        pieces = [x[:, start : start + 4] for start in range(0, x.shape[1], 4)]
        return torch.cat([kind.forward(self, piece, *arguments) for piece in pieces], dim=1)  # type: ignore[attr-defined]  # an nn.Module

    return type(kind.__name__, (kind,), {"__module__": kind.__module__, "forward": forward})


def _weaken(model: GPT, twin: GPT, block: Block, seed: int) -> None:
    """Scale the attention of `block` in both until the largest change of a logit is `FAINT` in the row of
    tokens that shows least.
    """
    rows = torch.randint(VOCABULARY, (16, BLOCK), generator=torch.Generator().manual_seed(seed))
    other = twin.blocks[list(model.blocks).index(block)]
    with torch.no_grad():
        for _ in range(3):  # nearly linear in the weights
            changes = (model(rows)[0] - twin(rows)[0]).abs().amax(dim=(1, 2))  # (16,)
            for layer in (block, other):
                layer.get_parameter("attention.projection.weight").mul_(FAINT / float(changes.min()))


_lent: dict[int, tuple[GPT, dict[str, Tensor]]] = {}


def lent(number: int, variant: str, layers: tuple[str, ...], dress: str, seed: int) -> GPT:
    """A `suspect`, kept under a number beside a copy of its weights."""
    model = suspect(variant, layers, dress, seed)
    _lent[number] = model, {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
    return model


def unchanged(number: int) -> GPT:
    """The suspect that was lent. Raises ValueError if its weights are not those that it had."""
    model, before = _lent.pop(number)
    after = model.state_dict()
    if after.keys() != before.keys() or any(
        after[n].dtype != w.dtype or not torch.equal(after[n], w) for n, w in before.items()
    ):
        raise ValueError("the weights of the model have changed")
    return model


def trusted(variant: str, seed: int, depth: int = 2) -> GPT:
    """The library's model of that variant, of a suspect's size, with other weights, for evaluation."""
    return suspect(variant, (variant,) * depth, "library", seed)


def _renamed(config: GPTConfig) -> GPT:
    """A vanilla model with another model's config."""
    model = GPT(replace(config, variant="vanilla"))
    model.config = config
    return model


def _blocks(model: GPT) -> list[Block]:
    return [block for block in model.blocks if isinstance(block, Block)]


def _missing(theirs: nn.Module, ours: nn.Module) -> list[tuple[str, nn.Module | nn.Parameter]]:
    """The parts that `theirs` has and `ours` lacks: submodules and parameters, by name."""
    parts: list[tuple[str, nn.Module | nn.Parameter]] = [
        *theirs.named_children(),
        *theirs.named_parameters(recurse=False),
    ]
    return [(name, part) for name, part in parts if not hasattr(ours, name)]


def _disguised(attention: nn.Module, config: GPTConfig, inherits: bool) -> nn.Module:
    """Vanilla attention with the variant's parts, in a class of its name, or in a subclass of its class."""
    kind = type(attention)
    plain: nn.Module = CausalSelfAttention(config)
    for name, part in _missing(attention, plain):
        setattr(plain, name, part)
    methods = [
        name
        for home in CausalSelfAttention.__mro__
        if home.__module__ == CausalSelfAttention.__module__
        for name, value in vars(home).items()
        if inspect.isfunction(value) and name != "__init__"
    ]
    vanilla = {name: getattr(CausalSelfAttention, name) for name in methods} if inherits else {}
    bases = (kind, CausalSelfAttention) if inherits else (CausalSelfAttention,)
    plain.__class__ = type(kind.__name__, bases, {"__module__": kind.__module__, **vanilla})
    return plain
