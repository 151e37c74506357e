"""The steps of the walk: what each is called, how it is explained,
what is said of it, and the lines of code that compute it.

- The lines are read from the source of `kqa_core.model` when the widget is made, so they cannot differ from
  what runs. A step names a function and a part of the line; if the function no longer has such a line, making
  the widget fails (and a test).
- `says` is a template. Its facts are computed in Python for the still (`facts.py`) and in the page for every
  selection.
- `formula` may name the sizes T, C, H, hs, F and V; the model's own numbers are filled in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
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


WEIGHTS, HEADS, SOFTMAX, MLP = map(_always, (attention_weights, attention, softmax, mlp_of))
NORM = (
    "LayerNorm brings every vector to a common size: subtract the mean of its {C} numbers, divide by their"
    " standard deviation, then multiply by γ and add β, which are trained. {why}"
)

STEPS = (
    Step(
        "characters",
        "Characters become numbers",
        "In this model, a token is a character. The vocabulary lists all {V} characters it knows, and each"
        " character is replaced by its place in that list. The numbers are only names: 12 is not “more” than"
        " 11. Press “next step” to follow them through the model.",
        "text → {T} whole numbers",
        "Token {i} {token} is number {id} of the {V} characters in the vocabulary.",
        ((_always(Vocabulary.encode), "self._index[character]"),),
    ),
    Step(
        "embedding",
        "Token embedding",
        "Each number selects a row of a trained table, so each character becomes a vector of {C} numbers. The"
        " same character gets the same vector everywhere. These vectors are the start of the residual"
        " stream.",
        "{T} numbers → ({T}, {C})",
        "Token {i} {token} becomes a vector of {C} numbers, with norm {a}.",
        ((_embed, "self.token_embedding(tokens)"),),
    ),
    # depends on the model: see `_position`
    Step("position", "Position", "", "({T}, {C}) + ({T}, {C}) → ({T}, {C})", "", ()),
    Step(
        "norm_1",
        "LayerNorm before attention",
        NORM.replace("{why}", "Attention reads this copy; the residual stream itself stays as it is."),
        "x → (x − mean) / standard deviation · γ + β    ({T}, {C}) → ({T}, {C})",
        "LayerNorm takes the vector of token {i} {token} from norm {a} to norm {b}.",
        ((_block, "self.norm_1(x)"),),
        True,
    ),
    Step(
        "qkv",
        "Query, key and value",
        "Three trained linear maps make three vectors of each token: the query says what the token looks for,"
        " the key what it offers, the value what it passes on. Each of the {H} heads has its own slice of"
        " {hs} channels.",
        "q = x W_Q + b_Q, k = x W_K + b_K, v = x W_V + b_V    ({T}, {C}) → three times ({T}, {hs}) per head",
        "Query, key and value of token {i} {token} have norms {a}, {b} and {c}.",
        ((_attention, "self.query("), (_attention, "self.key("), (_attention, "self.value(")),
        True,
        True,
    ),
    Step(
        "logits",
        "Scores: query times key",
        "Each query is compared with every key: the dot product is large where both point the same way."
        " Dividing by √d_k keeps the numbers from growing with the width of the head. The results are called"
        " logits or scores. The model computes this step and the next three at once, in a faster kernel with"
        " the same result.",
        "s = Q Kᵀ / √{hs}    ({T}, {hs}) · ({hs}, {T}) → ({T}, {T})",
        "The query of token {i} {token} and the key of token {j} {other} have the logit {a}.",
        ((WEIGHTS, "query @ key"),),
        True,
        True,
    ),
    Step(
        "mask",
        "Mask: no reading ahead",
        "The model has to predict the next character, so no token may look at later ones. Their logits are"
        " replaced by −∞ (hatched), which the softmax turns into a weight of exactly 0.",
        "s[t, i] → −∞ where token t may not attend to token i    ({T}, {T}) → ({T}, {T})",
        "Token {i} {token} may attend to {n} of {T} tokens; its logit with token {j} {other} is {kept}.",
        ((WEIGHTS, "masked_fill"),),
        True,
        True,
    ),
    Step(
        "weights",
        "Attention weights: softmax",
        "The softmax turns each row of logits into weights that are positive and sum to 1. A row says from"
        " where its token collects information: a bright cell is a token from which it takes much.",
        "α[t, i] = exp(s[t, i]) / Σ_j exp(s[t, j])    each row of ({T}, {T}) sums to 1",
        "Token {i} {token} gives weight {a} to token {j} {other}. Its largest weight is {b}, to token {k}"
        " {largest}.",
        (
            (WEIGHTS, "return softmax(logits)"),
            (SOFTMAX, "torch.exp("),
            (SOFTMAX, "exponentials.sum("),
        ),
        True,
        True,
    ),
    Step(
        "heads",
        "Weighted sum of values",
        "The head's output for a token is the sum of all values, each times its weight. A weight near 1"
        " copies one value; equal weights average many.",
        "c[t] = Σ_i α[t, i] v[i]    ({T}, {T}) · ({T}, {hs}) → ({T}, {hs})",
        "The weighted sum of {n} values for token {i} {token} has norm {a}. The largest weight is {b}, of"
        " token {k} {largest}.",
        ((HEADS, "@ value"),),
        True,
        True,
    ),
    Step(
        "merge",
        "Heads merged and projected",
        "The outputs of all {H} heads are put side by side, which gives {C} numbers again. One more trained"
        " linear map, W_O, mixes them: this is the output of attention.",
        "[all {H} heads side by side] W_O + b_O    {H} × ({T}, {hs}) → ({T}, {C}) → ({T}, {C})",
        "{H} heads, side by side and projected: the output of attention for token {i} {token} has norm {a}.",
        ((_merge, "merge_heads("),),
        True,
    ),
    Step(
        "add_1",
        "Attention is added to the stream",
        "The output of attention is added to the residual stream. Nothing is replaced: what was in the stream"
        " stays there, and every block adds its part.",
        "x + attention(LayerNorm(x))    ({T}, {C}) + ({T}, {C}) → ({T}, {C})",
        "Attention adds a vector of norm {a} to the stream of token {i} {token}, whose norm goes from {b} to"
        " {c}.",
        ((_block, "self.attention("),),
        True,
    ),
    Step(
        "norm_2",
        "LayerNorm before the MLP",
        NORM.replace("{why}", "The MLP reads this copy."),
        "x → (x − mean) / standard deviation · γ + β    ({T}, {C}) → ({T}, {C})",
        "LayerNorm takes the vector of token {i} {token} from norm {a} to norm {b}.",
        ((_block, "self.norm_2(x)"),),
        True,
    ),
    Step(
        "mlp",
        "MLP",
        "The MLP treats each token on its own: a linear map to {F} hidden units, the function GELU, which"
        " lets positive numbers through and nearly blocks negative ones, and a linear map back to {C}.",
        "W₂ GELU(W₁ x + b₁) + b₂    ({T}, {C}) → ({T}, {F}) → ({T}, {C})",
        "For token {i} {token}, {n} of {F} hidden units are above 0; the output of the MLP has norm {a}.",
        (
            (_block, "self.mlp("),
            (MLP, "nn.Linear(config.d_model"),
            (MLP, "GELU"),
            (MLP, "nn.Linear(4"),
        ),
        True,
    ),
    Step(
        "add_2",
        "The MLP is added to the stream",
        "The output of the MLP is added as well, and the layer is done. The next layer starts from this"
        " stream.",
        "x + MLP(LayerNorm(x))    ({T}, {C}) + ({T}, {C}) → ({T}, {C})",
        "The MLP adds a vector of norm {a} to the stream of token {i} {token}, whose norm goes from {b} to"
        " {c}.",
        ((_block, "self.mlp("),),
        True,
    ),
    Step(
        "norm",
        "Final LayerNorm",
        NORM.replace("{why}", "The prediction is made from this copy."),
        "x → (x − mean) / standard deviation · γ + β    ({T}, {C}) → ({T}, {C})",
        "LayerNorm takes the vector of token {i} {token} from norm {a} to norm {b}.",
        ((_gpt, "self.norm(x)"),),
    ),
    Step(
        "prediction",
        "Logits of the next character",
        "A last linear map, called the head of the model, gives one number for each of the {V} characters:"
        " its logit as the next character.",
        "x W_head    ({T}, {C}) → ({T}, {V})",
        "Of {V} logits for the character after token {i} {token}, the largest is {a}, for {best}.",
        ((_gpt, "self.head("),),
    ),
    Step(
        "probabilities",
        "Probabilities and temperature",
        "A softmax makes probabilities of the logits. They are divided by the temperature first: below 1 the"
        " best character gets even more, above 1 the others get a chance, and 1 is how the model was trained."
        " Move the slider.",
        "p = softmax(logits / temperature)    ({T}, {V}) → ({T}, {V}), each row sums to 1",
        "At temperature {t}, the likeliest character after token {i} {token} is {best}, with probability {a}."
        " {then}",
        (
            (_always(probabilities), "return softmax("),
            (SOFTMAX, "torch.exp("),
            (SOFTMAX, "exponentials.sum("),
        ),
    ),
    Step(
        "stream",
        "Looking back: how the stream grew",
        "The residual stream of one token from the embedding to the end: its norm after each block, and the"
        " norm of what each block added. A block can take something out of the stream only by adding its"
        " opposite.",
        "x_final = embedding + position + Σ over layers (attention + MLP)",
        "The stream of token {i} {token} goes from norm {a} to norm {b}. The largest addition is that of"
        " {what}, with norm {c}.",
        ((_block, "self.attention("), (_block, "self.mlp(")),
    ),
    Step(
        "lens",
        "Looking back: the prediction after each block (logit lens)",
        "What if the model stopped early? The logit lens applies the final LayerNorm and the head to the"
        " stream after each block. So you see where in the model a prediction arises. The last row is the"
        " model's own prediction.",
        "head(LayerNorm(x)) for every x on the way    ({T}, {C}) → ({T}, {V})",
        "After token {i} {token}, the likeliest next character is {first} after the embedding and {best} at"
        " the end. It is in first place from {what} on.",
        ((_gpt, "self.head("),),
    ),
)
BY_NAME = {step.name: step for step in STEPS}
ORDER = "Attention alone does not know the order of the tokens. So "
NOTHING = "This model adds no vector for the position. "
POSITIONS = {
    LEARNED: (
        f"{ORDER}a trained vector for each position is added to the token's vector.",
        "self.position_embedding)",
    ),
    SINUSOIDAL: (
        f"{ORDER}the token's vector is multiplied by √{{C}}, and a vector of sines and cosines of the position"
        " is added.",
        "self.sinusoidal_embedding)",
    ),
    ROTARY: (
        f"{NOTHING}It has rotary positions: in every layer, queries and keys are rotated by angles that grow"
        " with the position (see the step Query, key and value).",
        "self.dropout(x)",
    ),
    NONE: (
        f"{NOTHING}Its tokens differ in place only because of the mask: the first may attend to one token, the"
        " next to two.",
        "self.dropout(x)",
    ),
}
ADDED = "Position {i} adds a vector of norm {a} to that of {token}; the residual stream starts with norm {b}."
NOT_ADDED = "Nothing is added for position {i}; the residual stream of {token} starts with norm {b}."


def described(model: GPT, T: int) -> list[dict[str, Any]]:
    """The steps for this model and a text of T tokens, as the page gets them:
    names, texts with its sizes, lines of code.
    """
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
