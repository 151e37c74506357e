"""The attention explorer, `explore(model, text)`: all heads, one large, and how a weight is computed.

- `explore(model, "Where was Ada Low born?⁇")`: a model from a checkpoint, or the checkpoint itself
- `explore(model, "Where was …", vocabulary)`: a new model
- `explore(vanilla, text, other=synthesizer)`: two models side by side
- `explore("minilm", "It was tired.")`: a real model by its name (`real_models.py`)
- `explore(model, text, tokenizer)`: any model whose attention is torch's own
- `explore(table, "abcd")`: any weights (layers, heads, tokens, tokens)

The view is `explorer.js` (its calculations: `explorer_numbers.js`) on canvas. Weights are sent as one byte
each (accurate to 1/255), queries and keys as float32. The page computes the stages from dot product to
softmax when they are needed. The selection (`at`, `pair`, `stage`) can be read and set from Python, and an
exported page opens with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import traitlets
from torch import Tensor, nn

from kqa_core.errors import UserError
from kqa_core.model.checkpoint import Checkpoint
from kqa_core.model.gpt import GPT
from kqa_core.show.explorer.capture import Seen, given, watch
from kqa_core.show.explorer.real_models import load_named, read_with, watch_real
from kqa_core.show.kit.palette import ORANGE, WEIGHTS, new_figure
from kqa_core.show.kit.sketch import MASKED, hatch
from kqa_core.show.kit.widget import Widget, module
from kqa_core.text.vocabulary import Vocabulary

HERE = Path(__file__).parent
MODULE = module(HERE / "explorer_numbers.js", HERE / "explorer.js")
STAGES = ("dot product", "scale", "mask", "softmax")
# the factors of the dot product, if they are not query and key
TERMS = {"synthesizer": ("ReLU(x A + b₁), 1", "column of B, b₂")}
SPELLED = {" ": "␣", "\n": "⏎", "\t": "⇥", "": "∅"}
SPOKEN = {" ": "space", "\n": "line feed", "\t": "tab", "": "nothing"}

Text = str | Sequence[str] | Sequence[int] | Tensor


def explore(
    what: Any,
    text: Text | None = None,
    vocabulary: Any = None,
    *,
    other: Any = None,
    names: Sequence[str] | None = None,
) -> Explorer:
    """A widget that shows the attention of `what` on `text`, beside that of `other` where one is given.

    `what` and `other` are each a GPT or a Checkpoint, the name of a real model ("minilm", "smollm2", a folder
    or a name on the Hugging Face hub), another model, or weights: an array (L, H, T, T) or a sequence of L
    tables (H, T, T), rows summing to 1. `text` is what a model reads, in the characters of `vocabulary` or of
    its own, or as a list of token numbers; for weights it is their T tokens (a string of T characters or T
    strings; numbers where none is given). For another model, `vocabulary` is its tokenizer. `names` are the
    headings. Raises UserError for what cannot be shown.
    """
    subjects = [what] if other is None else [what, other]
    if names is not None and (isinstance(names, str) or len(names) != len(subjects)):
        raise UserError(f"names {names!r}: a list of {len(subjects)} expected, one for each thing shown")
    tokens: list[str] | None = None
    seen, headings, terms = [], [], []
    for subject in subjects:
        one, own_tokens, heading, variant = _look_at(subject, text, vocabulary)
        if tokens is not None and len(own_tokens) != len(tokens):
            raise UserError(
                f"{len(tokens)} tokens beside {len(own_tokens)}: two things side by side must have read the"
                " same text"
            )
        tokens = tokens or own_tokens
        seen.append(one)
        headings.append(heading)
        terms.append(TERMS.get(variant, ("query", "key")))
    return Explorer(seen, tokens or [], list(names or headings), terms)


def _look_at(subject: Any, text: Text | None, vocabulary: Any) -> tuple[Seen, list[str], str, str]:
    """The captured attention, its tokens, its name, its variant ("" for all but a GPT)."""
    if isinstance(subject, Checkpoint):
        subject = subject.model
    if isinstance(subject, str) or (isinstance(subject, nn.Module) and not isinstance(subject, GPT)):
        name = subject if isinstance(subject, str) else type(subject).__name__
        model, tokenizer = load_named(subject) if isinstance(subject, str) else (subject, vocabulary)
        numbers, tokens = read_with(tokenizer, one_text(text))
        return watch_real(model, numbers), tokens, name, ""
    if not isinstance(subject, GPT):
        seen = given(subject)
        T = seen.weights.shape[-1]
        tokens = [str(n) for n in range(T)] if text is None else [str(token) for token in text]
        if len(tokens) != T:
            raise UserError(f"{len(tokens)} tokens for weights of {T} × {T}: give {T} of them, or none")
        return seen, tokens, "weights", ""
    numbers, tokens = read(subject, text, vocabulary)
    return watch(subject, numbers), tokens, subject.config.variant, subject.config.variant


def one_text(text: Text | None) -> str | list[int]:
    """The text for a tokenizer: as it is, or a list of token numbers."""
    if text is None or isinstance(text, str):
        return text or ""
    if any(isinstance(token, str) for token in text):
        raise UserError("a text for this model: one string, or a list of token numbers, was expected")
    return [int(token) for token in text]


def read(model: GPT, text: Text | None, vocabulary: Vocabulary | None = None) -> tuple[list[int], list[str]]:
    """The token numbers of `text` for this model, and each token as text (T of both).

    Characters are those of `vocabulary`, or of the model's own. Raises UserError for a text that the model
    cannot read.
    """
    vocabulary = vocabulary or model.vocabulary
    if text is None or len(text) == 0:
        raise UserError("a model needs something to read: give it a text of at least one character")
    if all(isinstance(token, str) for token in text):
        if vocabulary is None:
            raise UserError(
                "this model was given no vocabulary yet: add it after the text, or give a list of token"
                " numbers"
            )
        numbers = vocabulary.encode("".join(str(token) for token in text))
    else:
        numbers = [int(token) for token in text]
    beyond = [number for number in numbers if not 0 <= number < model.config.vocab_size]
    if beyond:
        raise UserError(
            f"token {beyond[0]}: this model's go from 0 to {model.config.vocab_size - 1}: use its own"
            " vocabulary"
        )
    return numbers, (
        [str(number) for number in numbers] if vocabulary is None else list(vocabulary.decode(numbers))
    )


class Explorer(Widget):
    """The widget of `explore`. `seen` has all numbers; `at`, `pair`, `stage` are the selection."""

    _esm = MODULE
    title = "Attention, head by head"
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    panes: Any = traitlets.List().tag(sync=True)  # one dict per model: sizes, names, and the numbers as bytes
    at: Any = traitlets.List().tag(sync=True)  # [layer, head] of each pane
    pair: Any = traitlets.List().tag(sync=True)  # [query, key], tokens
    stage = traitlets.Int(3).tag(sync=True)  # an index into STAGES

    def __init__(
        self, seen: Sequence[Seen], tokens: list[str], names: list[str], terms: Sequence[tuple[str, str]]
    ) -> None:
        last = len(tokens) - 1
        key = int(seen[0].weights[0, 0, last].argmax())
        panes = [_pane(one, name, term) for one, name, term in zip(seen, names, terms, strict=True)]
        self.seen, self.names = tuple(seen), tuple(names)
        super().__init__(tokens=tokens, panes=panes, at=[[0, 0] for _ in seen], pair=[last, key])

    def show(
        self,
        layer: int | None = None,
        head: int | None = None,
        query: int | None = None,
        key: int | None = None,
        *,
        stage: str | None = None,
        pane: int = 0,
    ) -> Explorer:
        """Select, as a click does: layer and head of a pane, query and key, a stage; counted from 0.

        Returns the explorer itself, so that a cell can end with it. Raises UserError for an index that does
        not exist.
        """
        if not 0 <= pane < len(self.seen):
            raise UserError(f"pane {pane}: there are {len(self.seen)}, counted from 0")
        layers, heads, T, _ = self.seen[pane].weights.shape
        for name, number, count in (
            ("layer", layer, layers),
            ("head", head, heads),
            ("query", query, T),
            ("key", key, T),
        ):
            if number is not None and not 0 <= number < count:
                raise UserError(f"{name} {number}: there are {count}, counted from 0")
        if stage is not None and stage not in STAGES:
            raise UserError(f"stage {stage!r}: one of {', '.join(STAGES)} was expected")
        place = [old if new is None else new for new, old in zip((layer, head), self.at[pane], strict=True)]
        self.at = [place if number == pane else old for number, old in enumerate(self.at)]
        self.pair = [old if new is None else new for new, old in zip((query, key), self.pair, strict=True)]
        self.stage = self.stage if stage is None else STAGES.index(stage)
        return self

    @property
    def sentence(self) -> str:
        """The selection, in words."""
        sentences = []
        for one, name, (layer, head) in zip(self.seen, self.names, self.at, strict=True):
            query, key = self.pair
            layers, heads, T, _ = one.weights.shape
            size, place = (
                f"{_count(layers, 'layer')} × {_count(heads, 'head')}",
                f". Layer {layer}, head {head}",
            )
            size, place = ("one head", "") if _is_alone(one) else (size, place)
            reads, read = self._spoken(query), self._spoken(key)
            attends = f"{reads} attends {one.weights[layer, head, query, key]:.2f} to {read}"
            if not one.allowed[layer, query, key]:
                attends = f"{reads} may not read {read}"
            sentences.append(f"Attention of {name} ({size}, {_count(T, 'token')}){place}: {attends}.")
        return " ".join(sentences)

    def _spoken(self, place: int) -> str:
        token = self.tokens[place]
        if token == str(place):  # nothing but its number
            return f"token {place}"
        return f"token {place} {SPOKEN.get(token, f'“{token}”')}"

    def _draw(self) -> Any:
        """A still of the selection: all heads small, one large; what is masked is hatched grey.

        The layout is given in inches, because computing it is slow.
        """
        wide, high = 8.4, 3.9  # of one model
        figure = new_figure(wide, high * len(self.seen))
        figure.set_layout_engine(None)
        parts = figure.subfigures(len(self.seen), 1, squeeze=False)[:, 0]
        for part, one, name, (layer, head) in zip(parts, self.seen, self.names, self.at, strict=True):
            T = len(self.tokens)
            places = range(0, T, 1 if T <= 40 else next(n for n in (5, 10, 20, 50, 100, T) if T / n <= 16))
            labels = [SPELLED.get(self.tokens[n], self.tokens[n]) if T <= 40 else str(n) for n in places]
            longest = max(map(len, labels))
            left, low = 4.0 + 0.06 * longest, 0.55 + (0.06 * longest if longest > 2 else 0)

            def at(x: float, y: float, width: float, height: float, part: Any = part) -> Any:
                return part.add_axes((x / wide, y / high, width / wide, height / high))

            alone = _is_alone(one)
            if not alone:
                _draw_all_heads(at(0.5, 0.45, 3.0, 3.1), one, name, layer, head)
            shift = 2.0 if alone else 0.0  # into the middle
            axes = at(left - shift, low, 7.6 - left, 3.55 - low)
            bar = at(7.7 - shift, low, 0.12, 3.55 - low)
            hatch(axes, -0.5, -0.5, T, T)
            image = axes.imshow(_drawn(one, layer, head), zorder=2, **WEIGHTS)
            look = {"fontsize": 7, "family": "DejaVu Sans Mono"}
            axes.set_xticks(places, labels, rotation=90 if longest > 2 else 0, **look)
            axes.set_yticks(places, labels, **look)
            axes.set(xlabel="key", ylabel="query", title=name if alone else f"layer {layer}, head {head}")
            square = {"fillstyle": "none", "color": ORANGE, "markeredgewidth": 2, "clip_on": False}
            axes.plot(self.pair[1], self.pair[0], "s", markersize=9, zorder=3, **square)
            part.colorbar(image, cax=bar, label="weight")
        return figure


def _is_alone(seen: Seen) -> bool:
    """Whether this is one table of weights from elsewhere, which has no place in a model."""
    return seen.query is None and seen.weights.shape[:2] == (1, 1)


def _draw_all_heads(small: Any, seen: Seen, name: str, layer: int, head: int) -> None:
    """All heads small, the selected one framed."""
    from matplotlib.patches import Rectangle

    layers, heads, _, _ = seen.weights.shape
    table, side, step = _all_heads(seen)
    for number in range(layers):
        bars = [(step * n, side) for n in range(heads)]
        small.broken_barh(bars, (step * number, side), zorder=2, **MASKED)
    extent = (0, heads * step, layers * step, 0)
    small.imshow(table, extent=extent, interpolation="nearest", zorder=2, **WEIGHTS)
    frame: dict[str, Any] = {"fill": False, "edgecolor": ORANGE, "linewidth": 3, "zorder": 3}
    small.add_patch(Rectangle((head * step, layer * step), side, side, **frame))
    small.set(xlabel="head", ylabel="layer", title=name)
    small.set(xlim=(-1, heads * step), ylim=(layers * step, -1))
    small.set_xticks([side / 2 + step * number for number in range(heads)], range(heads))
    some = range(0, layers, 1 + layers // 16)  # labels that do not touch
    small.set_yticks([side / 2 + step * number for number in some], some)
    small.tick_params(length=0)
    small.spines[:].set_visible(False)


def _drawn(seen: Seen, layer: int, head: int) -> Any:
    """The weights of one head (T, T), without the masked ones."""
    return np.ma.masked_where(~seen.allowed[layer], seen.weights[layer, head])


def _thumbnail(seen: Seen, layer: int, head: int, side: int = 32) -> Any:
    """`_drawn` in side × side numbers, the maximum of each block, so that a large weight stays visible."""
    table = _drawn(seen, layer, head)
    edges = np.unique(np.linspace(0, len(table), min(side, len(table)), endpoint=False).astype(int))
    numbers = np.maximum.reduceat(np.maximum.reduceat(table.filled(-1), edges, axis=0), edges, axis=1)
    return np.ma.masked_less(numbers, 0)  # a block that is completely masked


def _all_heads(seen: Seen) -> tuple[Any, int, int]:
    """All thumbnails as one picture, a row per layer; a thumbnail's side and the step between two.

    One picture, because matplotlib is slow with many small ones.
    """
    layers, heads, _, _ = seen.weights.shape
    smallest = _thumbnail(seen, 0, 0)
    # with few tokens the squares are larger, so that the gaps between heads stay narrow
    larger = -(-32 // len(smallest))
    side = larger * len(smallest)
    step = side + 2
    table = np.ma.masked_array(np.zeros((layers * step, heads * step)), mask=True)
    for layer, head in np.ndindex(layers, heads):
        top, left = layer * step, head * step
        table[top : top + side, left : left + side] = (
            _thumbnail(seen, layer, head).repeat(larger, 0).repeat(larger, 1)
        )
    return table, side, step


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _pane(seen: Seen, name: str, terms: tuple[str, str]) -> dict[str, Any]:
    """The data of one model for the view: weights as bytes, accurate to 1/255; the rest as float32.

    `spread` is e to the entropy of a row: 1 if it attends to one token, n if it attends to n equally.
    """
    layers, heads, _, _ = seen.weights.shape
    shares = seen.weights / seen.weights.sum(axis=-1, keepdims=True)
    entropy = -(shares * np.log(np.where(shares > 0, shares, 1))).sum(axis=-1)  # (L, H, T), nats
    full = {"query": seen.query, "key": seen.key, "bias": seen.bias}
    full |= {
        "sums": seen.weights.sum(axis=-1),
        "received": seen.weights.sum(axis=-2),
        "spread": np.exp(entropy),
    }
    return {
        "name": name,
        "layers": layers,
        "heads": heads,
        "channels": 0 if seen.query is None else seen.query.shape[-1],
        "scale": list(seen.scale),
        "query_name": terms[0],
        "key_name": terms[1],
        "weights": np.rint(255 * seen.weights).astype(np.uint8).tobytes(),
        "allowed": seen.allowed.astype(np.uint8).tobytes(),
        **{
            part: None if numbers is None else numbers.astype("<f4").tobytes()
            for part, numbers in full.items()
        },
    }
