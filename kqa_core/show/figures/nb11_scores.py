"""The figure of notebook 11: two scores of every head of a model, layer by head."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import VERMILION, WEIGHTS, new_figure
from kqa_core.show.kit.still import Still

Head = tuple[int, int]  # layer, head


def show_head_scores(scores: Mapping[str, Tensor], marked: Mapping[str, Collection[Head]]) -> Still:
    """Each score as a map: `scores` has a tensor (layers, heads) in [0, 1] for each title. The heads in
    `marked`, by title, get a frame.

    Raises UserError if no score is given, or if it is not such a tensor.
    """
    if not scores or any(score.ndim != 2 for score in scores.values()):
        raise UserError(
            f"shapes {[tuple(score.shape) for score in scores.values()]}: (layers, heads) was expected"
        )
    figure = new_figure(4.6 * len(scores), 6.0)
    sentences = []
    places = figure.subplots(1, len(scores), squeeze=False)[0]
    for axes, (title, score) in zip(places, scores.items(), strict=True):
        image = axes.imshow(score.numpy(), aspect="auto", **WEIGHTS)
        axes.set(title=title, xlabel="head", ylabel="layer")
        figure.colorbar(image, ax=axes)
        for layer, head in marked.get(title, ()):
            axes.plot(
                *zip(*_corners(layer, head), strict=True), color=VERMILION, linewidth=2, solid_capstyle="butt"
            )
        layer, head = divmod(int(score.argmax()), score.shape[1])
        sentences.append(f"{title}: the largest, {float(score.max()):.2f}, is head {head} of layer {layer}.")
    return Still(figure, " ".join(sentences))


def _corners(layer: int, head: int) -> list[tuple[float, float]]:
    """The frame around one cell, as points (x, y)."""
    around = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5))
    return [(head + x, layer + y) for x, y in around]
