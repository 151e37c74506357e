"""The steps of the walk: what each is called, how it is explained,
what is said of it, and the lines of code that compute it. Their texts are in `steps.toml`.

- The lines are read from the source of what runs when the widget is made. A step names a function and a part
  of the line; if one of ours no longer has such a line, making the widget fails (and a test). Lines of
  `transformers` that have changed are left out. Scores, mask, weights and weights × V are the equation in
  `kqa_core.model.attention` for all models.
- `says` is a template. Its facts are computed in Python for the still (`facts.py`) and in the page for every
  selection.
- `formula` may name the sizes T, C, H, hs, F and V; the model's own numbers are filled in.
- `order_of` says which steps a form has: in BERT's, nothing is masked, and nothing is predicted.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from torch import nn

from kqa_core.model.attention import attention, attention_weights, softmax
from kqa_core.model.block import mlp_of
from kqa_core.model.config import LEARNED, NONE, ROTARY, SINUSOIDAL
from kqa_core.model.gpt import GPT
from kqa_core.show.walk.forms import Form
from kqa_core.show.walk.numbers import Floats, probabilities
from kqa_core.show.walk.source import method_with, source_line
from kqa_core.text.vocabulary import Vocabulary

Lines = tuple[tuple[Callable[[Any], Any], str], ...]  # a function (of this model), and a part of the line


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


def _always(function: Any) -> Callable[[Any], Any]:
    """The same function for every model."""
    return lambda model: function


SOURCES: dict[str, Callable[[Any], Any]] = {
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


def _step(step: dict[str, Any]) -> Step:
    return Step(**step | {"code": tuple((SOURCES[where], part) for where, part in step["code"])})


FILE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
STEPS = tuple(_step(step) for step in FILE["steps"])
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


EQUATION = ("logits", "mask", "weights", "heads", "probabilities")  # shown in our lines for every model
SPACES = "␣ is a space, which belongs to the token after it."
MARKS = {
    "llama": SPACES,
    "gpt2": SPACES,
    "bert": "One token is added before the text and one after it; ## continues a word.",
}
POST_NORM = (
    "characters", "embedding", "position", "norm_0", "qkv", "logits", "weights", "heads", "merge", "add_1",
    "norm_1", "mlp", "add_2", "norm_2", "stream",
)  # fmt: skip
OF_HEAD = ("prediction", "probabilities", "lens")


def order_of(form: Form) -> tuple[str, ...]:
    """The names of the steps that a model of this form has, in their order."""
    if form.norm_0:
        return POST_NORM
    names = (step.name for step in STEPS if step.name != "norm_0")
    return tuple(name for name in names if form.head is not None or name not in OF_HEAD)


def described(model: nn.Module, form: Form, arrays: Mapping[str, Floats]) -> list[dict[str, Any]]:
    """The steps for this model and the arrays of its pass, as the page gets them: names, texts, lines."""
    sizes = sizes_of(model, form, arrays)
    words = _words(model, form, sizes)

    def filled(text: str) -> str:
        for name, word in (words | sizes).items():
            text = text.replace("{" + name + "}", str(word))
        return text

    return [
        vars(step)
        | {name: filled(getattr(step, name)) for name in ("title", "about", "formula", "says")}
        | {"code": _lines(model, form, step)}
        for step in (_of_form(form, name) for name in order_of(form))
    ]


def sizes_of(model: nn.Module, form: Form, arrays: Mapping[str, Floats]) -> dict[str, int]:
    """The sizes by the letters that the texts use."""
    _, H, T, hs = arrays["query"].shape
    return {
        "T": T,
        "C": arrays["stream"].shape[-1],
        "H": H,
        "G": arrays["key"].shape[1],
        "hs": hs,
        "F": arrays["hidden"].shape[-1],
        "V": form.find(model, form.embedding).get_parameter("weight").shape[0],
    }


def _words(model: nn.Module, form: Form, sizes: Mapping[str, int]) -> dict[str, str]:
    """What the texts of a form are filled with. Sizes are filled in afterwards."""
    group = sizes["H"] // sizes["G"]
    embedding = form.find(model, form.embedding).get_parameter("weight")
    tied = form.head == "" or (
        bool(form.head)
        and model.get_submodule(str(form.head)).get_parameter("weight").data_ptr() == embedding.data_ptr()
    )
    biased = form.query is not None and form.find(model, form.query, 0)._parameters.get("bias") is not None
    return {
        **{f"{name}_bias": f" + b_{name.upper()}" if biased else "" for name in ("q", "k", "v")},
        "norm": FILE["norms"][form.norm_name],
        "norm_formula": FILE["norm_formulas"][form.norm_name],
        "norm_name": form.norm_name,
        "unit": form.unit,
        "marks": MARKS.get(form.kind, ""),
        "grouped": f" {group} heads next to each other share one key and one value." if group > 1 else "",
        "tied": " Its matrix is the table of the embeddings, once more." if tied else "",
    }


def _of_form(form: Form, name: str) -> Step:
    """The step of this name with the texts of this form."""
    step = BY_NAME[name]
    if name == "position" and form.kind != "bert":
        added = form.positions in (LEARNED, SINUSOIDAL)
        about, part = POSITIONS[form.positions]
        step = replace(step, about=about, says=ADDED if added else NOT_ADDED, code=((_embed, part),))
        if not added:
            step = replace(step, formula="nothing is added: ({T}, {C}) → ({T}, {C})")
    for text in FILE["texts"]:
        if text["step"] == name and form.kind in text["forms"]:
            step = replace(step, **{key: text[key] for key in text.keys() - {"step", "forms"}})
    if name == "qkv" and form.positions == ROTARY:
        about = (
            f"{step.about} Then each pair of channels of query and key is rotated by an angle that grows with"
            " the position."
        )
        turned = (lambda model: type(model.blocks[0].attention).apply_rotary, "return rotate(")
        step = replace(step, about=about, code=(*step.code, turned))
    return step


def _lines(model: nn.Module, form: Form, step: Step) -> list[dict[str, Any]]:
    """The lines of code of a step."""
    if form.kind == "gpt" or step.name in EQUATION:
        return [source_line(function(model), part) for function, part in step.code]
    lines = []
    for where, part in form.lines.get(step.name, ()):
        path = form.prefix + where.replace("@", form.layer.format(0))
        module = model if where == "^" else model.get_submodule(path.rstrip("."))
        try:
            lines.append(source_line(method_with(part, module, "hidden_states"), part))
        except LookupError:
            if type(module).__module__.startswith("kqa_core."):
                raise
    return lines
