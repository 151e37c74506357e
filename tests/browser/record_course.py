"""Records docs/images/course.gif, the README's moving picture: `python tests/browser/record_course.py`.

JupyterLab runs the practice exercise of notebook 00 (a wrong answer with its feedback, then the right one)
and the β slider of notebook 01. The frames are screenshots of Chromium; nothing is drawn by hand. The script
needs chromium, and no test runs it.
"""

from __future__ import annotations

import io
import os
import re
import sys
import tempfile
from pathlib import Path

from lab_server import CHROMIUM, KERNEL_READY, PATIENCE, QUIET, notebooks_served
from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from kqa_core.commands.student import lab_environment

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "images" / "course.gif"
SIZE = {"width": 880, "height": 600}
COLOURS = 64  # of the whole recording: a page of JupyterLab has few
BUDGET = 1_500_000  # bytes
READ, BLINK = 1800, 70  # milliseconds that a frame is shown: one to be read, one of a movement
HEAD = "from kqa_core.check import check\nfrom kqa_core.show import lookup_slider"
ANSWER = (
    'def weighted_average(values, weights):\n    """The average of the rows of values (n, d) with weights'
    ' (n,)."""\n    return '
)
WRONG, RIGHT = "values.mean(dim=0)", "weights @ values"
CELLS = (HEAD, ANSWER + WRONG, 'check("weighted_average", weighted_average)', "lookup_slider(beta=0.0)")


class Recording:
    """Frames of a page, each with the time that it is shown."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Image.Image] = []
        self.times: list[int] = []

    def frame(self, milliseconds: int) -> None:
        """Keep what the page shows now; a frame like the one before it lengthens that one."""
        seen = Image.open(io.BytesIO(self.page.screenshot(caret="hide"))).convert("RGB")
        if self.frames and seen.tobytes() == self.frames[-1].tobytes():
            self.times[-1] += milliseconds
            return
        self.frames.append(seen)
        self.times.append(milliseconds)

    def save(self, path: Path) -> int:
        """Write the GIF with one palette for all frames; its size in bytes."""
        tall = Image.new("RGB", (SIZE["width"], SIZE["height"] * len(self.frames)))
        for number, frame in enumerate(self.frames):
            tall.paste(frame, (0, number * SIZE["height"]))
        palette = tall.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        drawn = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in self.frames]
        drawn[0].save(
            path,
            save_all=True,
            append_images=drawn[1:],
            duration=self.times,
            loop=0,
            optimize=False,
            disposal=1,
        )
        return path.stat().st_size


def run_cell(page: Page, number: int) -> None:
    """Run a cell with Ctrl and Enter, and wait until the kernel has finished it."""
    cell = page.locator(".jp-CodeCell").nth(number)
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    page.wait_for_function(
        "cell => /\\d/.test(cell.querySelector('.jp-InputPrompt').textContent)",
        arg=cell.element_handle(),
        timeout=PATIENCE,
    )


def play(recording: Recording) -> None:
    """The course in some fifteen seconds."""
    page = recording.page
    cells = page.locator(".jp-CodeCell")
    run_cell(page, 0)
    recording.frame(READ)
    run_cell(page, 1)
    run_cell(page, 2)
    expect(cells.nth(2).locator(".jp-OutputArea-output").first).to_be_visible()
    recording.frame(2 * READ)
    cells.nth(1).locator(".cm-content").click()
    page.keyboard.press("Control+End")
    for _ in WRONG:
        page.keyboard.press("Backspace")
    recording.frame(READ // 4)
    for letter in RIGHT:
        page.keyboard.type(letter)
        recording.frame(2 * BLINK)
    recording.frame(READ // 2)
    page.keyboard.press("Control+Enter")
    before = cells.nth(2).locator(".jp-OutputArea").inner_text()
    run_cell(page, 2)
    expect(cells.nth(2).locator(".jp-OutputArea")).not_to_have_text(before)
    recording.frame(2 * READ)
    run_cell(page, 3)
    picture = cells.nth(3).locator(".widget-html img")
    expect(picture).to_be_visible()
    picture.scroll_into_view_if_needed()
    cells.nth(3).locator(".noUi-handle").first.focus()
    recording.frame(READ // 2)
    for step in range(1, 61):
        page.keyboard.press("ArrowRight")
        if step % 2 == 0:
            expect(picture).to_have_attribute("alt", re.compile(f"^At β = {step / 10:.1f},"))
            recording.frame(BLINK)
    recording.frame(2 * READ)


def main() -> int:
    """Record, and say how large the picture is; status 1 where it is too large for a README."""
    os.environ.update(lab_environment())  # JupyterLab as `kqa lab` opens it
    expect.set_options(timeout=PATIENCE)
    with (
        tempfile.TemporaryDirectory() as folder,
        notebooks_served(Path(folder), course=CELLS) as (address, key),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        page = browser.new_page(viewport=SIZE, reduced_motion="reduce")
        page.set_default_timeout(60_000)
        page.goto(f"{address}/doc/tree/course.ipynb?{key}")
        page.wait_for_selector(KERNEL_READY)
        for bar in ("Left", "Right"):  # more room for the notebook
            page.locator(".lm-MenuBar-itemLabel", has_text="View").click()
            page.locator(".lm-Menu-itemLabel", has_text="Appearance").click()
            page.locator(".lm-Menu-itemLabel", has_text=f"Show {bar} Activity Bar").click()
        recording = Recording(page)
        play(recording)
        size = recording.save(PICTURE)
        browser.close()
    print(
        f"{PICTURE.name}: {len(recording.frames)} frames, {sum(recording.times) / 1000:.0f} s,"
        f" {size / 1e6:.2f} MB"
    )
    return int(size > BUDGET)


if __name__ == "__main__":
    sys.exit(main())
