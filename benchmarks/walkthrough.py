"""The walk through one forward pass in JupyterLab: how soon it is seen. Run: kqa bench walkthrough

- The shipped model (2 layers, 4 heads, 128 channels) reads a question, and then as many characters as it can,
  128.
- A turn is as in the benchmark of the explorer: a fresh page of JupyterLab, a kernel of its own that has
  imported the widget and drawn a matplotlib figure. Timed in the page, from just before the key that runs the
  cell to the first frame with a canvas that holds pixels. The median of three turns. The cell runs the model,
  too.
- A key press is the time from an arrow key on the map to the next step's sentence, the median of ten, in the
  same page.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report
from benchmarks.explorer import NODES_BAR, SECONDS_BAR, TURNS, WARM, Lab, opened, shown
from kqa_core.errors import UserError

PRESSES = 10
MODEL = Path(__file__).resolve().parents[1] / "data" / "checkpoints" / "small.vanilla.finetune"
BEFORE = f"""from kqa_core.model import checkpoint
from kqa_core.show import walkthrough
from kqa_core.show.figures.nb01_lookup import lookup_slider
model = checkpoint.load({str(MODEL)!r})
question = "Where was Draosh Sokak born?⁇"
{WARM}"""
CELLS = {
    "a question of 29 characters": "walkthrough(model, question)",
    "128 characters": "walkthrough(model, (5 * question)[:128])",
}
# Milliseconds from a key on the map to the sentence of the next step, of each press.
PRESSED = """async (cell, presses) => {
  const map = cell.querySelector('canvas[data-part=map]'), said = cell.querySelector('.kqa-said'), times = [];
  for (let n = 0; n < presses; n++) {
    const before = said.textContent, began = performance.now();
    map.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    while (said.textContent === before) await new Promise(requestAnimationFrame);
    times.push(performance.now() - began);
  }
  return times;
}"""


def turn_of(lab: Lab) -> dict[str, Any]:
    """One turn: first paint, nodes, megabytes, and the median of the key presses in milliseconds."""
    seen = shown(lab)
    if "seconds" not in seen:
        raise UserError(f"walkthrough: {seen['note']}")
    times = lab.page.evaluate(
        f"([cell, presses]) => ({PRESSED})(cell, presses)", [lab.cell.element_handle(), PRESSES]
    )
    return {**seen, "key_ms": statistics.median(times)}


def main() -> None:
    """Take the turns, print the table, write the figures."""
    turns: dict[str, list[dict[str, Any]]] = {name: [] for name in CELLS}
    with opened() as turn:
        for _ in range(TURNS):
            for name, cell in CELLS.items():
                turns[name].append(turn(BEFORE, cell, turn_of))
    rows = {}
    print(f"{'2 layers × 4 heads':<28} {'first paint, s':>14} {'nodes':>6} {'MB':>6} {'key, ms':>8}")
    for name, taken in turns.items():
        row = rows[name] = {
            part: statistics.median(one[part] for one in taken)
            for part in ("seconds", "nodes", "megabytes", "key_ms")
        }
        print(
            f"{name:<28} {row['seconds']:14.2f} {row['nodes']:6.0f} {row['megabytes']:6.1f}"
            f" {row['key_ms']:8.0f}"
        )
        rows[name] = {**row, "turns": [round(one["seconds"], 3) for one in taken]}
    slowest, nodes = (max(row[part] for row in rows.values()) for part in ("seconds", "nodes"))
    met = slowest <= SECONDS_BAR and nodes <= NODES_BAR
    head = f"{slowest:.2f} s to first paint, {nodes} nodes"
    report("walkthrough", {"rows": rows}, head, f"≤ {SECONDS_BAR:.0f} s, ≤ {NODES_BAR}", met)


if __name__ == "__main__":
    main()
