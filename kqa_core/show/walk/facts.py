"""The sentence of a step: the facts that fill its template, for one position, layer and head.

The page computes the same facts for every selection (`facts.js`); a browser test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kqa_core.show.explorer.explorer import SPOKEN
from kqa_core.show.walk.numbers import Floats


@dataclass(frozen=True)
class Place:
    """The selection."""

    step: str
    layer: int
    head: int
    position: int
    key: int
    temperature: float


@dataclass(frozen=True)
class Shown:
    """What the page gets: the arrays (`numbers.for_page`), the text and the names of the tokens."""

    arrays: dict[str, Floats]
    tokens: Sequence[str]  # of the text
    ids: Sequence[int]  # their numbers
    names: Mapping[int, str] | Sequence[str]  # of all tokens that are spoken of, by number

    def norm(self, name: str, *place: int) -> float:
        """The Euclidean norm of a vector, also of one that was cut."""
        if f"{name}_norm" in self.arrays:
            return float(self.arrays[f"{name}_norm"][place])
        return norm(self.arrays[name][place])

    def added(self, layer: int, i: int) -> list[float]:
        """The norms of what attention and MLP add to token i."""
        return [self.norm(name, layer, i) for name in ("attention", "mlp")]


def sentence(step: dict[str, Any], shown: Shown, place: Place) -> str:
    """The filled template of `step` (one of `steps.described`), with layer, head and title before it."""
    where = (
        f"Layer {place.layer}, head {place.head}. "
        if step["by_head"]
        else f"Layer {place.layer}. "
        if step["in_layer"]
        else ""
    )
    text: str = step["says"]
    for name, fact in facts(shown, place).items():
        text = text.replace("{" + name + "}", fact)
    return f"{where}{step['title']}. {text}"


def facts(shown: Shown, place: Place) -> dict[str, str]:
    """The facts of the selected step by name, as text."""
    step, layer, i, j = place.step, place.layer, place.position, place.key
    arrays, tokens, names = shown.arrays, shown.tokens, shown.names
    # both (T,)
    allowed, row = arrays["allowed"][layer, i], arrays["weights"][layer, place.head, i]
    logit, k = fixed(arrays["logits"][layer, place.head, i, j]), int(row.argmax())
    facts_of = {"i": str(i), "token": spoken(tokens[i]), "j": str(j), "other": spoken(tokens[j])}
    facts_of |= {"n": str(int(allowed.sum())), "kept": f"kept: {logit}" if allowed[j] else "replaced by −∞"}
    facts_of |= {
        "a": logit if step == "logits" else fixed(row[j]),
        "b": fixed(row[k]),
        "k": str(k),
        "largest": spoken(tokens[k]),
    }
    facts_of |= {
        name: fixed(size) for name, size in zip("abc", _norms(shown, place).get(step, ()), strict=False)
    }
    if step == "characters":
        facts_of["id"] = str(shown.ids[i])
    elif step == "mlp":
        facts_of["n"] = str(int(arrays["above"][layer, i]))
    elif step == "prediction":
        facts_of |= {
            "a": fixed(arrays["top_logits"][i, 0]),
            "best": spoken(names[int(arrays["top_ids"][i, 0])]),
        }
    elif step == "probabilities":
        facts_of |= _predicted(shown, place)
    elif step == "stream":
        added = [size for block in range(len(arrays["mlp"])) for size in shown.added(block, i)]
        facts_of |= {"c": fixed(max(added)), "what": point(1 + int(np.argmax(added)))}
    elif step == "lens":
        best = arrays["lens_ids"][:, i, 0]  # (P,)
        since = next(start for start in range(len(best)) if (best[start:] == best[-1]).all())
        every = (len(arrays["stream"]) - 1) // (len(best) - 1)
        facts_of |= {
            "first": spoken(names[int(best[0])]),
            "best": spoken(names[int(best[-1])]),
            "what": point(every * since),
        }
    return facts_of


def _norms(shown: Shown, place: Place) -> dict[str, tuple[float, ...]]:
    """The norms a, b and c that the sentence of each step speaks of."""
    layer, head, i, arrays = place.layer, place.head, place.position, shown.arrays
    post = "sum_1" in arrays
    shared = head * arrays["key"].shape[1] // arrays["query"].shape[1]  # the head of keys and values
    before, middle, after, end = (
        shown.norm("stream", n, i)
        for n in (2 * layer, 2 * layer + 1, 2 * layer + 2, len(arrays["stream"]) - 1)
    )
    start, position = shown.norm("stream", 0, i), shown.norm("position", i) if "position" in arrays else 0.0
    attention, mlp = shown.added(layer, i)
    norms = {
        "embedding": (shown.norm("embedding", i),),
        "position": (position, start),
        "norm_1": (before,),
        "qkv": (
            shown.norm("query", layer, head, i),
            *(shown.norm(n, layer, shared, i) for n in ("key", "value")),
        ),
        "heads": (shown.norm("heads", layer, head, i),),
        "merge": (attention,),
        "add_1": (attention, before, middle),
        "norm_2": (middle,),
        "mlp": (mlp,),
        "add_2": (mlp, middle, after),
        "stream": (start, end),
    }
    if post:
        sums = [shown.norm(f"sum_{n}", layer, i) for n in (1, 2)]
        return norms | {
            "position": (position, shown.norm("sum_0", i)),
            "norm_0": (shown.norm("sum_0", i), start),
            "add_1": (attention, before, sums[0]),
            "norm_1": (sums[0], middle),
            "add_2": (mlp, middle, sums[1]),
            "norm_2": (sums[1], after),
        }
    return norms | {
        "norm_1": (before, shown.norm("norm_1", layer, i)),
        "norm_2": (middle, shown.norm("norm_2", layer, i)),
        "norm": (end, shown.norm("norm", i)),
    }


def chance(arrays: dict[str, Floats], i: int, number: int, temperature: float) -> float:
    """The probability of entry `number` of the likeliest tokens after token i. The temperature is rounded to
    tenths.
    """
    tenths = int(temperature * 10 + 0.5)
    below = float(arrays["top_logits"][i, number]) - float(arrays["top_logits"][i, 0])
    return float(np.exp(below / (tenths / 10) - float(arrays["log_sums"][i, tenths - 1])))


def _predicted(shown: Shown, place: Place) -> dict[str, str]:
    arrays, names, i = shown.arrays, shown.names, place.position
    then = "The text ends here."
    if i + 1 < len(shown.tokens):
        after = spoken(shown.tokens[i + 1])
        then = (
            f"The text continues with {after}, which has probability"
            f" {fixed(chance(arrays, i, -1, place.temperature))}."
        )
    return {
        "t": f"{place.temperature:.1f}",
        "best": spoken(names[int(arrays["top_ids"][i, 0])]),
        "a": fixed(chance(arrays, i, 0, place.temperature)),
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


def order(steps: Sequence[Mapping[str, Any]], layers: int) -> list[tuple[str, int]]:
    """All steps in the order of the walk, with the layer of each (0 outside the layers)."""
    inside = [step["name"] for step in steps if step["in_layer"]]
    start = next(n for n, step in enumerate(steps) if step["in_layer"])
    outside = [(step["name"], 0) for step in steps if not step["in_layer"]]
    return [
        *outside[:start],
        *((name, layer) for layer in range(layers) for name in inside),
        *outside[start:],
    ]
