"""The sentence of a step: the facts that fill its template, for one position, layer and head.

The page computes the same facts for every selection (`facts.js`); a browser test compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kqa_core.show.explorer.explorer import SPOKEN
from kqa_core.show.walk.numbers import Floats, probabilities
from kqa_core.show.walk.steps import STEPS


@dataclass(frozen=True)
class Place:
    """The selection."""

    step: str
    layer: int
    head: int
    position: int
    key: int
    temperature: float


def sentence(
    step: dict[str, Any], arrays: dict[str, Floats], tokens: Sequence[str], names: Sequence[str], place: Place
) -> str:
    """The filled template of `step` (one of `steps.described`), with layer, head and title before it."""
    where = (
        f"Layer {place.layer}, head {place.head}. "
        if step["by_head"]
        else f"Layer {place.layer}. "
        if step["in_layer"]
        else ""
    )
    text: str = step["says"]
    for name, fact in facts(arrays, tokens, names, place).items():
        text = text.replace("{" + name + "}", fact)
    return f"{where}{step['title']}. {text}"


def facts(
    arrays: dict[str, Floats], tokens: Sequence[str], names: Sequence[str], place: Place
) -> dict[str, str]:
    """The facts of the selected step by name, as text."""
    step, layer, head, i, j = place.step, place.layer, place.head, place.position, place.key
    stream = arrays["stream"][:, i]  # (2 L + 1, C)
    before, middle, after = stream[2 * layer : 2 * layer + 3]
    attention, mlp = arrays["attention"][layer, i], arrays["mlp"][layer, i]
    vectors: dict[str, tuple[Floats, ...]] = {  # whose norms are a, b and c
        "embedding": (arrays["embedding"][i],),
        "position": (arrays.get("position", np.zeros_like(arrays["embedding"]))[i], stream[0]),
        "norm_1": (before, arrays["norm_1"][layer, i]),
        "qkv": tuple(arrays[name][layer, head, i] for name in ("query", "key", "value")),
        "heads": (arrays["heads"][layer, head, i],),
        "merge": (attention,),
        "add_1": (attention, before, middle),
        "norm_2": (middle, arrays["norm_2"][layer, i]),
        "mlp": (mlp,),
        "add_2": (mlp, middle, after),
        "norm": (stream[-1], arrays["norm"][i]),
        "stream": (stream[0], stream[-1]),
    }
    allowed, row = arrays["allowed"][layer, i], arrays["weights"][layer, head, i]  # both (T,)
    logit, k = fixed(arrays["logits"][layer, head, i, j]), int(row.argmax())
    facts_of = {"i": str(i), "token": spoken(tokens[i]), "j": str(j), "other": spoken(tokens[j])}
    facts_of |= {"n": str(int(allowed.sum())), "kept": f"kept: {logit}" if allowed[j] else "replaced by −∞"}
    facts_of |= {
        "a": logit if step == "logits" else fixed(row[j]),
        "b": fixed(row[k]),
        "k": str(k),
        "largest": spoken(tokens[k]),
    }
    facts_of |= {
        name: fixed(norm(vector)) for name, vector in zip("abc", vectors.get(step, ()), strict=False)
    }
    if step == "characters":
        facts_of["id"] = str(names.index(tokens[i]))
    elif step == "mlp":
        facts_of["n"] = str(int((arrays["hidden_before"][layer, i] > 0).sum()))
    elif step == "prediction":
        logits = arrays["prediction"][i]
        facts_of |= {"a": fixed(logits.max()), "best": spoken(names[int(logits.argmax())])}
    elif step == "probabilities":
        facts_of |= _predicted(
            probabilities(arrays["prediction"][i], place.temperature), tokens, names, place
        )
    elif step == "stream":
        added = [
            norm(arrays[name][block, i])
            for block in range(len(arrays["mlp"]))
            for name in ("attention", "mlp")
        ]
        facts_of |= {"c": fixed(max(added)), "what": point(1 + int(np.argmax(added)))}
    elif step == "lens":
        best = arrays["lens"][:, i].argmax(axis=-1)  # (2 L + 1,)
        since = next(start for start in range(len(best)) if (best[start:] == best[-1]).all())
        facts_of |= {"first": spoken(names[best[0]]), "best": spoken(names[best[-1]]), "what": point(since)}
    return facts_of


def _predicted(chances: Floats, tokens: Sequence[str], names: Sequence[str], place: Place) -> dict[str, str]:
    best, i = int(chances.argmax()), place.position
    then = "The text ends here."
    if i + 1 < len(tokens):
        after = tokens[i + 1]
        then = (
            f"The text continues with {spoken(after)}, which has probability"
            f" {fixed(chances[names.index(after)])}."
        )
    return {
        "t": f"{place.temperature:.1f}",
        "best": spoken(names[best]),
        "a": fixed(chances[best]),
        "then": then,
    }


def point(number: int) -> str:
    """A point of the residual stream: 0 is the embedding, then attention and MLP of each layer."""
    return (
        "the embedding"
        if number == 0
        else f"{'the attention' if number % 2 else 'the MLP'} of layer {(number - 1) // 2}"
    )


def norm(vector: Floats) -> float:
    """The Euclidean norm of a vector, computed in float64."""
    return float(np.sqrt(np.square(vector.astype(np.float64)).sum()))


def fixed(number: float) -> str:
    """A number with two digits after the point, and a real minus sign."""
    return f"{number:.2f}".replace("-", "−").replace("−0.00", "0.00")


def spoken(token: str) -> str:
    """A token in a sentence: in quotation marks, or the name of what cannot be seen."""
    return SPOKEN.get(token) or f"“{token}”"


def order(layers: int) -> list[tuple[str, int]]:
    """All steps in the order of the walk, with the layer of each (0 outside the layers)."""
    inside = [step.name for step in STEPS if step.in_layer]
    start = next(n for n, step in enumerate(STEPS) if step.in_layer)
    outside = [(step.name, 0) for step in STEPS if not step.in_layer]
    return [
        *outside[:start],
        *((name, layer) for layer in range(layers) for name in inside),
        *outside[start:],
    ]
