"""Answer key of MyBlock. The oracle is the library's `Block` with the same weights."""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from course_exercises._own_classes import PROBE
from course_exercises.MyBlock import arguments, case, lasting
from torch import nn

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other sizes and both layers, and the properties of a module for a layer that is not attention."""
    for B, T, sizes, kind in (
        (2, 5, (1, 9, 3, 3, 12), "attention"),
        (1, 1, (1, 1, 1, 1, 2), "attention"),
        (3, 6, (1, 8, 1, 1, 5), "mean"),
        (1, 40, (1, 40, 1, 2, 4), "attention"),
    ):
        case(answer, rng, B, T, sizes, kind)
    case(answer, rng, 2, 4, (1, 4, 1, 3, 6), "mean", small=True)
    lasting(answer, rng, 5, (1, 9, 1, 3, 6), "mean")
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Both layers."""
    return [arguments((1, 6, 1, 2, 6), "attention"), arguments((1, 5, 1, 2, 4), "mean")]


class MyBlock(nn.Module):
    """The reference."""

    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1 = nn.LayerNorm(d)
        self.attention = attention(config)
        self.norm_2 = nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.mlp(self.norm_2(x))


class InOneLine(nn.Module):
    """The second branch is a function of the first sum."""

    def __init__(self, config, attention):
        super(InOneLine, self).__init__()  # noqa: UP008
        self.norm_1, self.norm_2 = nn.LayerNorm(config.d_model), nn.LayerNorm(config.d_model)
        layers = nn.Linear(config.d_model, config.d_model * 4), nn.GELU(approximate="none")
        self.mlp = nn.Sequential(*layers, nn.Linear(config.d_model * 4, config.d_model))
        self.attention = attention(config)

    def forward(self, x):
        return (lambda y: self.mlp(self.norm_2(y)) + y)(self.attention(self.norm_1(x)) + x)


class OwnNorm(nn.Module):
    """LayerNorm from its formula, with the parameters of nn.LayerNorm."""

    def __init__(self, config, attention):
        super().__init__()
        self.attention = attention(config)
        self.norm_1, self.norm_2 = (nn.LayerNorm(config.d_model, eps=1e-5) for _ in range(2))
        d = config.d_model
        self.mlp = nn.ModuleDict({"0": nn.Linear(d, 4 * d), "2": nn.Linear(4 * d, d)})

    def forward(self, x):
        def norm(layer, y):
            centred = y - y.mean(-1, keepdim=True)
            return centred / (centred.pow(2).mean(-1, keepdim=True) + 1e-5).sqrt() * layer.weight + layer.bias

        x = x + self.attention(norm(self.norm_1, x))
        z = self.mlp["0"](norm(self.norm_2, x))
        return x + self.mlp["2"](0.5 * z * (1 + torch.erf(z / 2**0.5)))


class ByName(nn.Module):
    """An ordered dict names the layers of the MLP, functions compute them."""

    def __init__(self, config, attention):
        from collections import OrderedDict

        super().__init__()
        d = config.d_model
        layers = OrderedDict([("0", nn.Linear(d, 4 * d)), ("1", nn.Identity()), ("2", nn.Linear(4 * d, d))])
        self.mlp = nn.Sequential(layers)
        for name in ("norm_1", "norm_2"):
            self.register_module(name, nn.LayerNorm((d,)))
        self.register_module("attention", attention(config))

    def forward(self, x):
        after = torch.add(
            x,
            self.attention(F.layer_norm(x, x.shape[-1:], self.norm_1.weight, self.norm_1.bias)),  # type: ignore[arg-type, operator, union-attr]
        )
        first, _, last = self.mlp
        hidden = F.gelu(F.linear(self.norm_2(after), first.weight, first.bias))  # type: ignore[arg-type, operator]
        return torch.add(after, F.linear(hidden, last.weight, last.bias))  # type: ignore[arg-type]


class InALoop(nn.Module):
    """The same pattern twice: normalise, branch, add."""

    def __init__(self, config, attention):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(config.d_model), nn.LayerNorm(config.d_model)
        self.attention = attention(config)
        wide = 4 * config.d_model
        self.mlp = nn.Sequential(nn.Linear(config.d_model, wide), nn.GELU(), nn.Linear(wide, config.d_model))

    def forward(self, x):
        for norm, branch in ((self.norm_1, self.attention), (self.norm_2, self.mlp)):
            x = branch(norm(x)) + x
        return x


class KeepsItsConfig(nn.Module):
    """The config is kept, and the stream is added up in a copy."""

    def __init__(self, config, attention):
        super().__init__()
        self.config = config
        d = self.config.d_model
        self.attention = attention(self.config)
        self.mlp = nn.Sequential(*(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d)))
        self.norm_2, self.norm_1 = nn.LayerNorm(d), nn.LayerNorm(d)

    def forward(self, x):
        stream = x.clone()
        stream = stream + self.attention(self.norm_1(stream))
        change = self.mlp(self.norm_2(stream))
        return torch.stack((stream, change)).sum(dim=0)


class WithClasses(nn.Module):
    """The MLP is a class of its own, inside."""

    def __init__(self, config, attention):
        super().__init__()

        class Mlp(nn.Sequential):
            def __init__(self, d):
                super().__init__(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d), nn.Dropout(0.0))

        self.norm_1, self.norm_2 = nn.LayerNorm(config.d_model), nn.LayerNorm(config.d_model)
        self.attention, self.mlp = attention(config), Mlp(config.d_model)

    def forward(self, x):
        after = self.attention(self.norm_1(x)).add(x)
        return self.mlp(self.norm_2(after)).add(after)


class PostNorm(nn.Module):
    """You normalise the stream after each addition, as in 2017. In a pre-LN block the norms are at the
    beginning of the branches.
    """

    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attention = attention(config)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = self.norm_1(x + self.attention(x))
        return self.norm_2(x + self.mlp(x))


class WithoutResiduals(nn.Module):
    """The additions are missing: each branch adds its result to the stream, x + branch(norm(x))."""

    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attention = attention(config)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        return self.mlp(self.norm_2(self.attention(self.norm_1(x))))


class NormalisedStream(nn.Module):
    """You add the result of a branch to the normalised vectors. The stream itself is not normalised."""

    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attention = attention(config)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = self.norm_1(x)
        x = x + self.attention(x)
        x = self.norm_2(x)
        return x + self.mlp(x)


class NormsExchanged(nn.Module):
    """You exchange the two norms. norm_1 should come before attention and norm_2 before the MLP."""

    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attention = attention(config)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.attention(self.norm_2(x))
        return x + self.mlp(self.norm_1(x))


class Relu(nn.Module):
    """Your MLP uses ReLU, and that of the course uses GELU."""

    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attention = attention(config)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.ReLU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.mlp(self.norm_2(x))


class TanhGelu(nn.Module):
    """Your GELU is the approximation with tanh. A checkpoint of the course needs the exact one,
    nn.GELU().
    """

    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attention = attention(config)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(approximate="tanh"), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.mlp(self.norm_2(x))


class OtherMlpNames(nn.Module):
    """The linear maps of your MLP have other names than those of a checkpoint: put them and GELU into
    one nn.Sequential called mlp.
    """

    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attention = attention(config)
        self.up, self.down, self.gelu = nn.Linear(d, 4 * d), nn.Linear(4 * d, d), nn.GELU()

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.down(self.gelu(self.up(self.norm_2(x))))


class AlwaysAttention(nn.Module):
    """The second argument is not used, and the block makes attention itself: the layer must come from
    attention(config).
    """

    def __init__(self, config, attention):
        from kqa_core.model.attention import CausalSelfAttention

        super().__init__()
        d = config.d_model
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attention = CausalSelfAttention(config)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.mlp(self.norm_2(x))


class WithDropout(nn.Module):
    """Your block drops numbers out in training. This class must have no dropout."""

    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attention = attention(config)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        x = x + self.attention(self.norm_1(x))
        return x + self.dropout(self.mlp(self.norm_2(x)))


class InPlace(nn.Module):
    """The argument of forward is changed in place, as x += … does; x = x + … makes a new tensor."""

    def __init__(self, config, attention):
        super().__init__()
        d = config.d_model
        self.norm_1, self.norm_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attention = attention(config)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x += self.attention(self.norm_1(x))
        x += self.mlp(self.norm_2(x))
        return x


KEY = AnswerKey(
    id="MyBlock",
    hidden=hidden,
    reference=MyBlock,
    accepted=(InOneLine, OwnNorm, ByName, InALoop, KeepsItsConfig, WithClasses),
    rejected=(
        *(PostNorm, WithoutResiduals, NormalisedStream, NormsExchanged, Relu, TanhGelu, OtherMlpNames),
        *(AlwaysAttention, WithDropout, InPlace),
    ),
    fingerprint=fingerprint,
    values=lambda answer, made: answer.method(PROBE, "measured", made),
    commentary="""
    The two lines of `forward` are the two formulas of the block. The names of the weights come from the
    names in `__init__`: `nn.Sequential` numbers its layers, so the linear maps of the MLP are `mlp.0` and
    `mlp.2`. The block does not know which layer mixes the tokens. It calls `attention(config)` once and
    keeps what it gets, so the same class serves for attention, for a Synthesizer, and for anything else
    that maps (B, T, d) to (B, T, d).
    """,
)
