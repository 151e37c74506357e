"""Notebook 12: a GPU's memory as a strip of numbers with addresses, and the places in use."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import BLUE, GREEN, GREY, LIGHT_GREY, ORANGE, PINK, SKY
from kqa_core.show.kit.sketch import INK, new_diagram, tint, write
from kqa_core.show.kit.still import Still

CELL, LEFT, LINE = 0.5, 1.1, 0.92  # inches: the side of a box, the left edge, from one line to the next
# colour and hatch of each group
LOOKS = ((BLUE, ""), (ORANGE, "xxx"), (GREEN, "..."), (PINK, "|||"), (SKY, "---"))
MOST = 16  # boxes in a line


def show_memory(memory: Tensor, groups: Mapping[str, Sequence[int]], lines: Mapping[str, int]) -> Still:
    """The numbers of `memory` (n,) in boxes over their addresses, those of each group marked.

    `groups`: up to 5, name → addresses; the first name of an address counts. `lines`: name → the first
    address of a line of the picture, ascending from 0. The memory is one strip: the lines only make it fit on
    the page. Raises UserError for an address outside the memory, and for a line of more than 16 boxes.
    """
    from matplotlib.patches import Patch, Rectangle

    starts = [*lines.values(), len(memory)]
    if starts[0] != 0 or any(not 0 < end - start <= MOST for start, end in itertools.pairwise(starts)):
        raise UserError(
            f"lines that begin at {starts[:-1]} of {len(memory)}: from 0 on, with 1 to {MOST} boxes each,"
            " were expected"
        )
    outside = [
        address for addresses in groups.values() for address in addresses if not 0 <= address < len(memory)
    ]
    if outside or len(groups) > len(LOOKS):
        wrong = f"address {outside[0]}" if outside else f"{len(groups)} groups"
        raise UserError(
            f"{wrong}: up to {len(LOOKS)} groups of addresses from 0 to {len(memory) - 1} were expected"
        )
    look = {name: LOOKS[number] for number, name in enumerate(groups)}
    group = {address: name for name in reversed(list(groups)) for address in groups[name]}
    widest = max(end - start for start, end in itertools.pairwise(starts))
    figure, axes = new_diagram(LEFT + widest * CELL + 0.2, len(lines) * LINE + 0.55)
    for line, (name, start) in enumerate(lines.items()):
        low = (len(lines) - line - 1) * LINE + 0.75
        write(axes, (LEFT - 0.15, low + CELL / 2), name, 11, ha="right")
        for address in range(start, starts[line + 1]):
            colour, hatch = look.get(group.get(address, ""), (LIGHT_GREY, ""))
            left, marked = LEFT + (address - start) * CELL, address in group
            fill = tint(colour, 0.45) if marked else "white"
            axes.add_patch(
                Rectangle((left, low), CELL, CELL, facecolor=fill, edgecolor=LIGHT_GREY, linewidth=1)
            )
            axes.add_patch(
                Rectangle(
                    (left, low), CELL, CELL, fill=False, edgecolor=tint(colour, 0.8), hatch=hatch, linewidth=0
                )
            )
            text = f"{float(memory[address]):.3g}".replace("-", "−")
            plate = {"facecolor": fill, "edgecolor": "none", "pad": 1.0} if hatch else None
            weight = "bold" if marked else "normal"
            write(axes, (left + CELL / 2, low + CELL / 2), text, 10, INK, bbox=plate, fontweight=weight)
            write(axes, (left + CELL / 2, low - 0.12), str(address), 8.5, GREY)
    boxes = [Patch(hatch=hatch, label=name) for name, (_, hatch) in look.items()]
    for box, (colour, _) in zip(boxes, look.values(), strict=True):
        box.set(facecolor=tint(colour, 0.45), edgecolor=tint(colour, 0.8))
    place = {"loc": "lower left", "bbox_to_anchor": (0.0, 0.0)}
    axes.legend(handles=boxes, ncols=max(1, len(boxes)), frameon=False, fontsize=10, **place)
    told = "; ".join(
        f"{name}: {', '.join(map(str, addresses)) or 'none'}" for name, addresses in groups.items()
    )
    return Still(
        figure,
        f"A memory of {len(memory)} numbers with their addresses, 0 to {len(memory) - 1}. {told}.",
        density=2,
    )
