"""For the checks of MyAttention, MyBlock and MyGPT: the student's module beside the library's.

- `Probe` works where the student's module is (`Build`): it loads weights, runs the module, and gives what it
  finds as values. The oracle goes through the same probe here.
- A module is right if its weights have the library's names and shapes, and if it computes the same with them:
  outputs and gradients, in training and in evaluation, in both precisions and on another device.
- Configs have no dropout. Everything is float64 where nothing else is said.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor, nn

from kqa_core.check.answer import Answer, AnswerFailed, AnswerRaised, Build, Handle
from kqa_core.check.exercise import POSSIBLE, NotYet, expect
from kqa_core.check.helpers.effects import steady
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.kept_classes import LibraryBlock, PastMean
from kqa_core.exercise_helpers.named_mistakes import (
    Mistakes,
    agree_or_name,
    left_over,
    names_missing,
    where_missing,
)
from kqa_core.exercise_helpers.other_device import elsewhere
from kqa_core.exercise_helpers.transformer_parts import (
    MIXED,
    ROOT,
    agree,
    apart,
    difference,
    draw,
    first_leak,
    tensor_of,
)
from kqa_core.model.attention import CausalSelfAttention
from kqa_core.model.block import Block
from kqa_core.model.config import GPTConfig

HERE = "course_exercises._own_classes"
PROBE = Build(f"{HERE}:Probe")
Sizes = tuple[int, int, int, int, int]  # vocab_size, block_size, n_layer, n_head, d_model
Weights = dict[str, Tensor]
STOPS = "It did not in the calls before this one. A row has from 1 to config.block_size tokens."
PRECISION = (
    f"{POSSIBLE}a layer is not made in __init__, so it lacks the dtype of the weights, float64 here; or a"
    " tensor that forward makes has another dtype than x."
)
FRESH = f" That of a new module is right. {POSSIBLE}it keeps something from an earlier call, such as a mask"
KEPT = "after a call with one position, the output for {} positions is not that of the library: {{entry}}."
TWICE = (
    f"for the same input a second time, the output is another one: {{entry}}. {POSSIBLE}the module keeps"
    " something from an earlier call, or draws random numbers"
)
OTHER = "after a call with another input of the same shape, the output is not that of the library: {entry}."
_latest: list[GPTConfig] = []  # in the answer's process: the config of the module that was made last


def config_of(*sizes: int) -> GPTConfig:
    """A config without dropout."""
    vocab_size, block_size, n_layer, n_head, d_model = sizes
    config = GPTConfig(vocab_size, block_size, n_layer, n_head, d_model)
    config = replace(config, embedding_dropout=0.0, attention_dropout=0.0, residual_dropout=0.0)
    _latest[:] = [config]
    return config


def config(sizes: Sizes) -> Build:
    """The same as an argument, made in the answer's process."""
    return Build(f"{HERE}:config_of", sizes)


def mixer(name: str) -> Callable[[GPTConfig], nn.Module]:
    """A maker of layers: the library's attention, `PastMean`s or, for "same", layers that change nothing."""
    other = PastMean if name == "mean" else nn.Identity
    return CausalSelfAttention if name == "attention" else partial(other)


def block(name: str) -> Callable[[GPTConfig], nn.Module]:
    """A maker of blocks: the library's class, or a function that makes one without attention."""
    return Block if name == "attention" else partial(LibraryBlock, attention=mixer(name))


def drawn(oracle: nn.Module, rng: random.Random) -> Weights:
    """Weights for all names of a module: from N(0, 0.5²), plus 1 for the gains of LayerNorms."""
    return {
        name: draw(rng, *tensor.shape, scale=0.5) + ("norm" in name and name.endswith("weight"))
        for name, tensor in oracle.state_dict().items()
    }


def small_stream(weights: Weights) -> Weights:
    """The weights of a block or a GPT, but all that is added to the stream is small: so ε matters in each
    LayerNorm.
    """
    ends = ("embedding.weight", "embedding", "projection.weight", "projection.bias")
    within = (*ends, "gain", "mlp.2.weight", "mlp.2.bias")
    return {name: 0.005 * each if name.endswith(within) else each for name, each in weights.items()}


def large_scores(weights: Weights, factor: float = 1e3) -> Weights:
    """The weights, but with queries `factor` times as large, so that scores are far from each other."""
    return {name: factor * each if ".query." in f".{name}" else each for name, each in weights.items()}


class Probe:
    """Works on a module in the process that made it."""

    def state(self, module: object) -> dict[str, Tensor] | None:
        """Its state dictionary; None if it is no module."""
        return dict(module.state_dict()) if isinstance(module, nn.Module) else None

    def why(self, module: nn.Module, name: str) -> str | None:
        """Why it has no weight of this name, if that can be seen."""
        return where_missing(module, name)

    def output(
        self, module: nn.Module, weights: Weights, x: Tensor, training: bool = False
    ) -> tuple[object, bool]:
        """Its output for x with these weights and in their precision, and whether x is unchanged."""
        before = x.clone()
        module.to(next(iter(weights.values())).dtype).load_state_dict(weights)
        out = module.train(training)(x)
        return out, torch.equal(before, x)

    def gradients(self, module: nn.Module, weights: Weights, x: Tensor) -> dict[str, Tensor]:
        """The gradient of a weighted sum of its output, for each parameter that it reaches."""
        with torch.enable_grad():
            out = module.to(torch.float64).load_state_dict(weights) and module(x)
            signs = torch.cos(torch.arange(1, out.numel() + 1, dtype=out.dtype)).reshape(out.shape)
            named = {name: weight for name, weight in module.named_parameters() if weight.requires_grad}
            if not out.requires_grad or not named:
                return {}
            grads = torch.autograd.grad((out * signs).sum(), list(named.values()), allow_unused=True)
        return {name: grad for name, grad in zip(named, grads, strict=True) if grad is not None}

    def kind_elsewhere(self, module: nn.Module, x: Tensor) -> str:
        """The type of its output on another device: "Mixed" if a tensor of this device takes part."""
        return type(copy.deepcopy(module).to("meta")(elsewhere(x))).__name__

    def measured(self, module: object) -> object:
        """Wrong answers are compared by this: names and shapes, outputs and names of gradients, with weights
        that are drawn for the places of the names.
        """
        if not isinstance(module, nn.Module):
            return kind_of(module)
        (config,), weights = _latest, {}
        for i, (name, tensor) in enumerate(sorted(module.double().state_dict().items())):
            noise = torch.randn(tensor.shape, generator=torch.Generator().manual_seed(i), dtype=torch.float64)
            weights[name] = (0.5 * noise + (tensor.ndim == 1)).to(tensor.dtype)
        shapes = [(name, list(tensor.shape)) for name, tensor in weights.items()]
        generator = torch.Generator().manual_seed(99)
        x = torch.randn(2, config.block_size, config.d_model, generator=generator, dtype=torch.float64)
        if config.vocab_size > 1:
            x = torch.randint(config.vocab_size, (2, config.block_size), generator=generator)
        calls: list[Callable[[], object]] = [
            lambda: self.output(module, weights, x),
            lambda: self.output(module, weights, x[:, :2]),
            lambda: self.output(module, weights, x, True),
            lambda: sorted(self.gradients(module, weights, x)),
        ]
        return [shapes, *map(_tried, calls)]


def _tried(call: Callable[[], object]) -> object:
    """Its result, or the kind of exception that it stops with."""
    try:
        return call()
    except Exception as error:
        return type(error).__name__


def made_by(
    answer: Answer, name: str, arguments: tuple[object, ...], weights: Mapping[str, Tensor]
) -> Handle:
    """The module that the student's class makes. NotYet unless its weights have these names and shapes."""
    made = answer(*arguments)
    state = answer.method(PROBE, "state", made) if isinstance(made, Handle) else None
    if not isinstance(made, Handle) or not isinstance(state, dict):
        raise NotYet(f"{name}(…) must make a module, as class {name}(nn.Module): yours is {kind_of(made)}")
    missing = [wanted for wanted in weights if wanted not in state]
    more = [found for found in state if found not in weights]
    if missing and missing[0].endswith("attention.gain"):
        said = f"the module's state_dict() has no {missing[0]}, a weight that {name}'s second argument makes"
        raise NotYet(f"{said}. {POSSIBLE}this argument is not used")
    if missing:
        why = answer.method(PROBE, "why", made, missing[0]) or names_missing(missing[0], state, weights)
        raise NotYet(f"the module's state_dict() has no {missing[0]}: {why}")
    if more:
        raise NotYet(f"the module's state_dict() has {more[0]} too, {left_over(more[0], weights)}")
    for key, weight in weights.items():
        found = state[key]
        shape = tuple(found.shape) if isinstance(found, Tensor) else None
        wanted, finite = tuple(weight.shape), f"{key} holds nan or an infinite number before any training"
        expect(shape == wanted, f"{key} must have the shape {wanted}; yours has {shape}")
        expect(bool(torch.isfinite(found).all()), finite)
    return made


def output_of(
    answer: Answer, made: Handle, weights: Weights, x: Tensor, wanted: Tensor, how: bool = False
) -> Tensor:
    """The module's output with these weights, of the shape and dtype of `wanted`."""
    result = answer.method(PROBE, "output", made, weights, x, how)
    if not isinstance(result, tuple) or len(result) != 2:
        raise NotYet("the module's forward gives nothing that can be read")
    what, shape = f"for an input of shape {tuple(x.shape)} the output of forward", tuple(wanted.shape)
    found = tensor_of(result[0], shape, wanted.dtype, what)
    expect(result[1] is True, "forward changes its argument in place; x = x + … makes a new tensor")
    return found


def expected(oracle: nn.Module, weights: Weights, x: Tensor) -> Tensor:
    """The output of the library's module."""
    with torch.no_grad():
        out, _ = Probe().output(oracle, weights, x)
    assert isinstance(out, Tensor)
    return out


def judge(
    answer: Answer,
    name: str,
    arguments: tuple[object, ...],
    oracle: nn.Module,
    weights: Weights,
    x: Tensor,
    sizes: str,
    mistakes: Mistakes,
    first: bool,
    called: str = "",
) -> None:
    """Raise NotYet unless the student's module computes what the oracle computes. Where it stops after the
    first case, NotYet says what a module must bear; for a TypeError it is `called`.
    """
    made = made_by(answer, name, arguments, weights)
    wanted = expected(oracle, weights, x)
    try:
        found = output_of(answer, made, weights, x, wanted)
    except AnswerRaised as raised:
        mixed = raised.kind == "RuntimeError" and "dtype" in raised.message
        theirs = called and raised.kind == "TypeError" and f"{name}." not in raised.message
        inside = called and "no attribute 'positions'" in raised.message  # it is asked for a cache's
        theirs = inside or (theirs and not (first and ".forward()" not in raised.message))
        if raised.stub or (first and not mixed and not theirs):
            raise
        advice = PRECISION if mixed else called if theirs else STOPS
        raise NotYet(f"for {sizes} your module stops. {advice}") from raised
    said = f"for {sizes} your module does not compute what the library's computes with the same weights"
    wrong = apart(found, wanted, ROOT) > 1.0
    if wrong and apart(output_of(answer, made, weights, x, wanted, True), wanted, ROOT) <= 1.0:
        agree(found, wanted, f"after eval(), {said}: {{entry}}. After train(), it does", ROOT)
    agree_or_name(found, wanted, said, mistakes, ROOT)


def holds_up(
    answer: Answer,
    name: str,
    arguments: tuple[object, ...],
    oracle: nn.Module,
    weights: Weights,
    x: Tensor,
    others: tuple[object, ...],
) -> None:
    """Raise NotYet unless a module that is right stays so: later positions, training, float32, gradients,
    weights that come back, a second module, one of other sizes (made from `others`), another device, and
    every time.
    """

    def after(said: str, x: Tensor, found: Tensor, wanted: Tensor) -> None:
        if apart(found, wanted, ROOT) > 1.0:
            alone = output_of(answer, made_by(answer, name, arguments, weights), weights, x, wanted)
            agree(found, wanted, said + FRESH * (apart(alone, wanted, ROOT) <= 1.0), ROOT)

    made = made_by(answer, name, arguments, weights)
    wanted = expected(oracle, weights, x)
    short = expected(oracle, weights, x[:, :1])
    first = output_of(answer, made, weights, x[:, :1], short)  # a short row before a longer one
    said = "for the first position of a row alone, the output is not that of the library: {entry}"
    agree(first, short, said, ROOT)
    found = output_of(answer, made, weights, x, wanted)
    after(KEPT.format(x.shape[1]), x, found, wanted)
    agree(output_of(answer, made, weights, x, wanted), found, TWICE, ROOT)
    later, t = x.clone(), x.shape[1] // 2
    later[:, t:] = 1 - x[:, t:].clamp(0, 1) if not x.is_floating_point() else x[:, t:] + 1.0
    moved = output_of(answer, made, weights, later, wanted)
    first_leak(found, moved, t)
    after(OTHER, later, moved, expected(oracle, weights, later))
    training = output_of(answer, made, weights, x, wanted, True)
    agree(training, found, "after train() the output is another one than after eval(): {entry}")
    single = {key: weight.float() for key, weight in weights.items()}
    given = x.float() if x.is_floating_point() else x
    rounded = output_of(answer, made, single, given, wanted.float())
    agree(rounded, wanted, "in float32 the output is not that of the library: {entry}", 1e-3)
    _gradients_agree(answer, made, oracle, weights, x)
    second = made_by(answer, name, arguments, weights)
    output_of(answer, made, weights, x, wanted)
    expect(_holds(answer, made, weights), "forward changes the weights of the module")
    output_of(answer, second, {key: 0.5 * weight for key, weight in weights.items()}, x, wanted)
    expect(
        _holds(answer, made, weights),
        "other weights that are loaded into a second module of your class change those of the first."
        f" {POSSIBLE}a layer is not made in __init__, for each module anew",
    )
    answer(*others)
    again = output_of(answer, made, weights, x, wanted)
    agree(
        again,
        found,
        "after a module of other sizes has been made, an earlier one gives another output: {entry}."
        f" {POSSIBLE}sizes are kept in the class or a global name, and not in self",
    )
    try:
        elsewhere_is = answer.method(PROBE, "kind_elsewhere", made, x)
    except AnswerFailed as failed:
        if failed.incident is not None:
            raise
        elsewhere_is = None  # code that needs numbers
    expect(elsewhere_is != "Mixed", f"{MIXED.rstrip('.')}, or is an attribute and no buffer.")
    steady(answer, *arguments)


def _holds(answer: Answer, made: Handle, weights: Weights) -> bool:
    """Whether the module still has these weights."""
    state = answer.method(PROBE, "state", made)
    return isinstance(state, dict) and all(torch.equal(state[key], weight) for key, weight in weights.items())


def _gradients_agree(answer: Answer, made: Handle, oracle: nn.Module, weights: Weights, x: Tensor) -> None:
    theirs = answer.method(PROBE, "gradients", made, weights, x)
    for key, gradient in Probe().gradients(oracle, weights, x).items():
        other = theirs.get(key) if isinstance(theirs, dict) else None
        if not isinstance(other, Tensor) or other.shape != gradient.shape:
            raise NotYet(
                f"No gradient reaches {key}. {POSSIBLE}it is no parameter of the module, or something cuts"
                " it off (detach, no_grad, .data)."
            )
        # the gradient of a bias of the keys is 0, up to rounding
        scale = max(1.0, float(gradient.abs().max()))
        said = f"the gradient with respect to {key} is wrong: {difference(other, gradient)}"
        off = float((other - gradient).abs().max()) / scale
        expect(off < 1e-5, f"For an input {tuple(x.shape)}, {said}")
