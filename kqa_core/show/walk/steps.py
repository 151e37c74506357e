"""The steps of the walk: what each is called, how it is explained,
what is said of it, and the lines of code that compute it. Their texts are in `steps.toml`.

- The lines are read from the source of `kqa_core.model` when the widget is made, so they cannot differ from
  what runs. A step names a function and a part of the line; if the function no longer has such a line, making
  the widget fails (and a test).
- `says` is a template. Its facts are computed in Python for the still (`facts.py`) and in the page for every
  selection.
- `formula` may name the sizes T, C, H, hs, F and V; the model's own numbers are filled in.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kqa_core.model.attention import attention, attention_weights, softmax
from kqa_core.model.block import mlp_of
from kqa_core.model.config import LEARNED, NONE, ROTARY, SINUSOIDAL
from kqa_core.model.gpt import GPT
from kqa_core.model.positions import positions_of
from kqa_core.show.walk.numbers import probabilities
from kqa_core.show.walk.source import method_with, source_line
from kqa_core.text.vocabulary import Vocabulary

Lines = tuple[tuple[Callable[[GPT], Any], str], ...]  # a function (of this model), and a part of the line


@dataclass(frozen=True)
class Step:
    """One step of the forward pass."""

    name: str
    title: str
    about: str
    formula: str
    says: str
    code: Lines
    in_layer: bool = False  # every layer has one
    by_head: bool = False  # every head has one


def _gpt(model: GPT) -> Any:
    return method_with("self.head(", model)


def _embed(model: GPT) -> Any:
    return method_with("token_embedding", model, "embed")


def _block(model: GPT) -> Any:
    return method_with("norm_1", model.get_submodule("blocks.0"))


def _attention(model: GPT) -> Any:
    return method_with("self.query(", model.get_submodule("blocks.0.attention"), "project")


def _merge(model: GPT) -> Any:
    return method_with("merge_heads(", model.get_submodule("blocks.0.attention"), "merge")


def _always(function: Any) -> Callable[[GPT], Any]:
    """The same function for every model."""
    return lambda model: function


SOURCES: dict[str, Callable[[GPT], Any]] = {
    "vocabulary": _always(Vocabulary.encode),
    "gpt": _gpt,
    "embed": _embed,
    "block": _block,
    "attention": _attention,
    "merge": _merge,
    "weights": _always(attention_weights),
    "heads": _always(attention),
    "softmax": _always(softmax),
    "mlp": _always(mlp_of),
    "probabilities": _always(probabilities),
}


def _read(path: Path) -> tuple[Step, ...]:
    """The steps of the file."""
    file = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(
        Step(
            **step
            | {
                "about": step["about"].replace("{norm}", file["norm"]),
                "code": tuple((SOURCES[where], part) for where, part in step["code"]),
            }
        )
        for step in file["steps"]
    )


STEPS = _read(Path(__file__).with_suffix(".toml"))
BY_NAME = {step.name: step for step in STEPS}
ORDER = "Attention alone does not know the order of the tokens. So "
NOTHING = "This model adds no vector for the position. "
POSITIONS = {
    LEARNED: (
        f"{ORDER}a trained vector for each position is added to the token's vector.",
        "self.position_embedding)",
    ),
    SINUSOIDAL: (
        f"{ORDER}the token's vector is multiplied by √{{C}}, and a vector of sines and cosines of the"
        " position is added.",
        "self.sinusoidal_embedding)",
    ),
    ROTARY: (
        f"{NOTHING}It has rotary positions: in every layer, queries and keys are rotated by angles that grow"
        " with the position (see the step Query, key and value).",
        "self.dropout(x)",
    ),
    NONE: (
        f"{NOTHING}Its tokens differ in place only because of the mask: the first may attend to one token,"
        " the next to two.",
        "self.dropout(x)",
    ),
}
ADDED = "Position {i} adds a vector of norm {a} to that of {token}; the residual stream starts with norm {b}."
NOT_ADDED = "Nothing is added for position {i}; the residual stream of {token} starts with norm {b}."


def described(model: GPT, T: int) -> list[dict[str, Any]]:
    """The steps for this model and T tokens, as the page gets them: names, texts, lines of code."""
    config = model.config
    C, H = config.d_model, config.n_head
    sizes = {"T": T, "C": C, "H": H, "hs": C // H, "F": 4 * C, "V": config.vocab_size}

    def filled(text: str) -> str:
        for name, size in sizes.items():
            text = text.replace("{" + name + "}", str(size))
        return text

    return [
        vars(step)
        | {name: filled(getattr(step, name)) for name in ("about", "formula", "says")}
        | {"code": [source_line(function(model), part) for function, part in step.code]}
        for step in (_position(model) if step.name == "position" else _rotated(model, step) for step in STEPS)
    ]


def _position(model: GPT) -> Step:
    kind = positions_of(model.config)
    about, part = POSITIONS[kind]
    step = replace(BY_NAME["position"], about=about, says=ADDED, code=((_embed, part),))
    if kind in (LEARNED, SINUSOIDAL):
        return step
    return replace(step, says=NOT_ADDED, formula="nothing is added: ({T}, {C}) → ({T}, {C})")


def _rotated(model: GPT, step: Step) -> Step:
    """The step of queries and keys, with the rotation where the model has rotary positions."""
    if step.name != "qkv" or positions_of(model.config) != ROTARY:
        return step
    about = (
        f"{step.about} Then each pair of channels of query and key is rotated by an angle that grows with the"
        " position."
    )
    turned = (lambda model: type(model.blocks[0].attention).apply_rotary, "return rotate(")
    return replace(step, about=about, code=(*step.code, turned))
