"""Notebook 00: the paths through the course, as a map: minutes of each notebook, and what each path adds.

`kqa course paths --map FILE.png` writes the picture that README and docs show. The file holds its sentence,
so that a test sees whether it is current.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

from kqa_core.show.kit.palette import BLUE, LIGHT_GREY, ORANGE, new_figure
from kqa_core.show.kit.sketch import label
from kqa_core.show.kit.still import Still

COLOURS = (ORANGE, BLUE, LIGHT_GREY)  # of the paths, the shortest first
NOTE = "stated minutes of the exercises, and reading at 150 words a minute; readers may need more"


def course_map(minutes: Mapping[str, Mapping[str, int]], about: Mapping[str, str]) -> Still:
    """One bar for each notebook, with a part for each path (`kqa_core.check.course_paths.Paths.minutes`)."""
    figure = new_figure(9.5, 5.2)
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    notebooks, total, sentences = list(minutes), 0, list[str]()
    left = [0] * len(notebooks)
    for (name, what), colour in zip(about.items(), COLOURS, strict=False):
        added = [minutes[notebook][name] for notebook in notebooks]
        total += sum(added)
        own = f"{name}: {hours(total)}"
        axes.barh(notebooks, added, left=left, color=colour, label=f"{own}, {what}", height=0.66)
        left = [before + more for before, more in zip(left, added, strict=True)]
        parts = [
            f"{notebook.partition('_')[0]} {more}"
            for notebook, more in zip(notebooks, added, strict=True)
            if more
        ]
        sentences.append(f"Path {own}, {what}; it adds minutes in notebooks {', '.join(parts)}.")
    for place, end in enumerate(left):
        label(axes, f"{end}", (end, place), (4, 0), va="center", fontsize=9)
    axes.set_yticks(range(len(notebooks)), [notebook.replace("_", " ") for notebook in notebooks])
    axes.invert_yaxis()
    axes.set(xlabel=f"minutes\n({NOTE})", xlim=(0, 1.08 * max(left)))
    axes.legend(loc="upper center", bbox_to_anchor=(0.3, 1.2), frameon=False, fontsize=10)
    return Still(figure, f"The paths through the course. {' '.join(sentences)} ({NOTE.capitalize()}.)")


def hours(minutes: int) -> str:
    """Such as "2 h 55 min"."""
    return f"{minutes // 60} h {minutes % 60:02} min"


def save_map(picture: Still, path: Path) -> None:
    """Write the picture as a PNG file that holds its sentence."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    facts = PngInfo()
    facts.add_itxt("Description", picture.sentence)
    Image.open(io.BytesIO(picture.png())).save(path, pnginfo=facts, optimize=True)
