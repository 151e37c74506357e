"""The attention explorer in JupyterLab, beside other viewers, and the β slider of notebook 01.
Run: kqa bench explorer

- One model of 6 layers × 8 heads reads 128 tokens. Ours shows the model, stages and channels included; the
  others get its weights. CircuitsVis shows one layer a call, so it gets one.
- A turn is a fresh page of JupyterLab on a notebook that nobody has opened, with a kernel of its own, that
  has imported the viewer and drawn a matplotlib figure. Timed in the page, from just before the key that runs
  the cell to the first frame in which its output holds a canvas with pixels or a shape of an SVG. The median
  of three turns, all viewers in each.
- Weight is what reaches the page meanwhile, through the kernel's socket and by requests.
- BertViz wants the network. On a machine without one, KQA_STAND_INS names a folder with the files it asks for
  (require.min.js, d3.min.js, jquery.min.js), which are served in their place, at once. Where it first has to
  load require.js its first run draws nothing; then its second is timed.
- A quick press of the slider is one every tenth of a second. Pictures that were in the page for a frame are
  counted.
- The other viewers are no dependencies: `pip install -c constraints.txt bertviz circuitsvis inspectus`. One
  that is missing is a row that says so.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "browser"))

from lab_server import CHROMIUM, KERNEL_READY, LOCAL, QUIET, notebooks_served, write_notebook

from benchmarks._common import report
from kqa_core.errors import UserError

TURNS, PRESSES, EVERY = 3, 30, 100  # EVERY: milliseconds
PATIENCE = 45_000  # milliseconds for a viewer to draw anything
SECONDS_BAR, NODES_BAR, SHOWN_BAR = 1.0, 50, 24
MODEL = """import torch
from kqa_core.model.gpt import GPT
from kqa_core.model.config import GPTConfig
from kqa_core.show.explorer.explorer import explore
from kqa_core.show.figures.nb01_lookup import lookup_slider
from kqa_core.text.vocabulary import Vocabulary
text = ("Ada Low was a weaver born in Aberwyn. " * 4)[:128]
vocabulary = Vocabulary.from_text(text)
torch.manual_seed(0)
model = GPT(GPTConfig(len(vocabulary), block_size=128, n_layer=6, n_head=8, d_model=256))
for parameter in model.parameters():
    torch.nn.init.normal_(parameter, std=0.3)
"""
TABLE = """weights = explore(model, text, vocabulary).seen[0].weights  # (6, 8, 128, 128)
attention, tokens = [torch.tensor(layer[None]) for layer in weights], list(text)
"""
WARM = "drawn = lookup_slider(beta=2.0).png"


@dataclass(frozen=True)
class Viewer:
    """One row of the table."""

    package: str
    before: str  # imports
    cell: str  # what is timed


VIEWERS = {
    "ours": Viewer("kqa_core", "", "explore(model, text, vocabulary)"),
    "BertViz, head view": Viewer("bertviz", "from bertviz import head_view", "head_view(attention, tokens)"),
    "BertViz, model view": Viewer(
        "bertviz", "from bertviz import model_view", "model_view(attention, tokens)"
    ),
    "CircuitsVis, one layer": Viewer(
        "circuitsvis",
        "from circuitsvis.attention import attention_heads",
        "attention_heads(weights[0], tokens)",
    ),
    "Inspectus": Viewer("inspectus", "import inspectus", "inspectus.attention(weights, tokens)"),
}
SLIDERS = {
    "live_figure": ("", "lookup_slider(beta=2.0)"),
    "interact and plt.show": (
        (
            "import matplotlib.pyplot as plt\n"
            "from ipywidgets import interact\n"
            "from kqa_core.show.figures.nb01_lookup import draw_lookup"
        ),
        """def show(beta=(0.0, 12.0, 0.1), n=(3, 10, 1)):
    draw_lookup(plt.figure(figsize=(9.5, 3.3), layout="constrained"), beta, n)(beta, n)
    plt.show()

shown = interact(show)""",
    ),
}
# Milliseconds since `began` once the output shows something; −1000 for a complaint; else false, asked again
# in the next frame.
DRAWN = """cell => {
  const output = cell.querySelector('.jp-Cell-outputArea');
  const filled = (canvas) => canvas.width && canvas.height
    && canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean);
  if (!output) return false;
  const outputs = [...output.querySelectorAll('.jp-OutputArea-output')];
  if (outputs.some((each) => /Error/.test(each.textContent))) return -1000;
  const canvases = [...output.querySelectorAll('canvas')];
  const drawn = output.querySelector('svg :is(rect, line, path, circle)') || canvases.some(filled);
  return drawn ? performance.now() - began : false;
}"""
WATCH = """cell => {
  window.pictures = new Set();
  const look = () => {
    const image = cell.querySelector('.jp-Cell-outputArea img');
    if (image?.complete) pictures.add(image.src);
    requestAnimationFrame(look);
  };
  look();
}"""


class Lab:
    """A page of JupyterLab on one notebook: what runs in it, and what reaches it."""

    def __init__(self, page: Any, address: str, key: str, name: str) -> None:
        self.page, self.address, self.key = page, address, key
        self.received: list[int] = []  # bytes, or characters of text, of each message of a kernel
        self.answers: list[Any] = []
        self.refused: list[str] = []  # addresses on other machines that gave nothing
        page.set_default_timeout(4 * PATIENCE)
        page.on(
            "websocket",
            lambda socket: socket.on("framereceived", lambda data: self.received.append(len(data))),
        )
        page.on("response", lambda answer: self.answers.append(answer))  # noqa: PLW0108 (playwright takes no method of a list)
        page.on("requestfailed", lambda request: self.refused.append(request.url))
        page.route(lambda url: not url.startswith(LOCAL), _stand_in)
        page.goto(f"{address}/doc/tree/{name}.ipynb?{key}")
        page.wait_for_selector(KERNEL_READY)
        self.cell = page.locator(".jp-CodeCell").nth(1)
        first = page.locator(".jp-CodeCell").first
        first.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        first.locator(".jp-InputPrompt").filter(has_text="[1]").wait_for()
        if "Error" in (said := first.locator(".jp-Cell-outputArea").inner_text()):
            raise UserError(f"{name}: {said.strip()[-500:]}")

    def run(self) -> float:
        """Run the cell to be timed; the seconds until it shows something,
        or a number below 0 where it complains.
        """
        self.cell.locator(".cm-content").click()
        self.page.wait_for_timeout(500)
        for noted in (self.received, self.answers, self.refused):
            noted.clear()
        self.page.evaluate("window.began = performance.now()")
        self.page.keyboard.press("Control+Enter")
        return (
            float(
                self.page.wait_for_function(
                    DRAWN, arg=self.cell.element_handle(), timeout=PATIENCE
                ).json_value()
            )
            / 1000
        )

    def megabytes(self) -> float:
        """All that was sent to the page since the cell was run."""
        bodies = 0
        for answer in self.answers:
            with contextlib.suppress(Exception):  # one without a body, or gone already
                bodies += len(answer.body())
        return (sum(self.received) + bodies) / 1e6

    def close(self) -> None:
        """End the page and its kernel."""
        sessions = self.page.request.get(f"{self.address}/api/sessions?{self.key}").json()
        for session in sessions:
            self.page.request.delete(f"{self.address}/api/sessions/{session['id']}?{self.key}")
        self.page.context.close()


def _stand_in(route: Any) -> None:
    """A file of the folder of stand-ins for one of another machine; else that machine's own."""
    file = Path(os.environ.get("KQA_STAND_INS", "")) / urlsplit(route.request.url).path.rpartition("/")[2]
    if "KQA_STAND_INS" in os.environ and file.is_file():
        route.fulfill(path=file, content_type="text/javascript")
    else:
        route.continue_()


def shown(lab: Lab) -> dict[str, Any]:
    """One turn of a viewer: seconds, nodes and megabytes, or a note that says why there are none."""
    from playwright.sync_api import TimeoutError

    runs = 0
    try:
        seconds = -1.0
        while seconds < 0 and runs < 2:
            seconds, runs = lab.run(), runs + 1
            lab.page.wait_for_timeout(1000)  # for what comes after the first paint
    except TimeoutError:
        seconds = -1.0
    if seconds < 0:
        away = any(not url.startswith(LOCAL) for url in lab.refused)
        return {
            "note": "nothing drawn: needs the network" if away else f"nothing drawn in {PATIENCE // 1000} s"
        }
    nodes = lab.cell.evaluate("cell => cell.querySelectorAll('.jp-Cell-outputArea *').length")
    return {"seconds": seconds, "nodes": nodes, "megabytes": lab.megabytes(), "run": runs}


def pressed(lab: Lab) -> int:
    """How many pictures a slider showed of those that quick presses asked for."""
    lab.cell.locator(".cm-content").click()
    lab.page.keyboard.press("Control+Enter")
    lab.cell.locator(".jp-Cell-outputArea img").wait_for()
    lab.page.wait_for_timeout(2000)
    lab.cell.evaluate(WATCH)
    lab.cell.locator(".noUi-handle").first.focus()
    for _ in range(PRESSES):
        lab.page.keyboard.press("ArrowRight")
        lab.page.wait_for_timeout(EVERY)
    count, before = 1, 0
    while count > before:  # until no more come
        lab.page.wait_for_timeout(3000)
        count, before = int(lab.page.evaluate("pictures.size")), count
    return count - 1  # the first was there before


def main() -> None:
    """Take the turns, print the table, write the figures."""
    load = os.getloadavg()[0]
    there = {name: viewer for name, viewer in VIEWERS.items() if util.find_spec(viewer.package)}
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in there}
    slid: dict[str, list[int]] = {name: [] for name in SLIDERS}
    with opened() as turn:
        for _ in range(TURNS):
            for name, viewer in there.items():
                if not any("note" in each for each in found[name]):
                    found[name].append(turn(f"{MODEL}{TABLE}{WARM}\n{viewer.before}", viewer.cell, shown))
                    print(f"{name}: {found[name][-1]}", file=sys.stderr, flush=True)
            for name, (before, cell) in SLIDERS.items():
                slid[name].append(turn(f"{MODEL}{WARM}\n{before}", cell, pressed))
                print(
                    f"slider, {name}: {slid[name][-1]} of {PRESSES} presses shown",
                    file=sys.stderr,
                    flush=True,
                )
    rows = {name: _row(name, found.get(name, [])) for name in VIEWERS}
    print(f"{'6 layers × 8 heads × 128 tokens':<34} {'first paint, s':>14} {'nodes':>8} {'MB':>7}")
    for name, row in rows.items():
        numbers = (
            f"{row['seconds']:14.2f} {row['nodes']:8,} {row['megabytes']:7.1f}"
            if "seconds" in row
            else f"  {row['note']}"
        )
        print(f"{name + ' ' + row.get('version', ''):<34} {numbers}")
    middle = {name: int(statistics.median(counts)) for name, counts in slid.items()}
    for name, count in middle.items():
        print(f"slider, {name}: {count} of {PRESSES} presses shown")
    ours, count = rows["ours"], middle["live_figure"]
    if "seconds" not in ours:
        raise UserError(f"explorer: {ours['note']}")
    sliders = {"presses": PRESSES, "milliseconds_apart": EVERY, "shown": middle, "turns": slid}
    figures = {"viewers": rows, "sliders": sliders, "load_before": round(load, 1)}
    head = f"{ours['seconds']:.2f} s to first paint, {ours['nodes']} nodes; slider {count} of {PRESSES}"
    met = ours["seconds"] <= SECONDS_BAR and ours["nodes"] <= NODES_BAR and count >= SHOWN_BAR
    report(
        "explorer", figures, head, f"≤ {SECONDS_BAR:.0f} s, ≤ {NODES_BAR}; ≥ {SHOWN_BAR} of {PRESSES}", met
    )


def _row(name: str, turns: list[dict[str, Any]]) -> dict[str, Any]:
    """The medians of a viewer's turns, or a note."""
    if not turns:
        return {"note": "not installed"}
    version = {} if name == "ours" else {"version": metadata.version(VIEWERS[name].package)}
    if notes := [turn for turn in turns if "note" in turn]:
        return {**version, **notes[0]}
    medians = {
        part: statistics.median(turn[part] for turn in turns)
        for part in ("seconds", "nodes", "megabytes", "run")
    }
    return {**version, **medians, "turns": [round(turn["seconds"], 3) for turn in turns]}


@contextlib.contextmanager
def opened() -> Iterator[Any]:
    """A function that takes one turn: notebook of two cells, fresh page, fresh kernel;
    what `look` makes of it.
    """
    if CHROMIUM is None or util.find_spec("playwright") is None:
        raise UserError(
            "explorer: needs a browser and playwright, to drive it: apt install chromium; pip install"
            " playwright"
        )
    from playwright.sync_api import sync_playwright

    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address, key = stack.enter_context(notebooks_served(folder))
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=CHROMIUM, args=QUIET)
        stack.callback(browser.close)

        def turn(before: str, cell: str, look: Any) -> Any:
            name = f"turn{len(list(folder.glob('turn*.ipynb')))}"
            write_notebook(folder, name, [before, cell])
            lab = Lab(
                browser.new_context(viewport={"width": 1500, "height": 1600}).new_page(), address, key, name
            )
            with contextlib.closing(lab):
                return look(lab)

        yield turn


if __name__ == "__main__":
    main()
