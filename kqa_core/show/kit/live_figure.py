"""`live_figure(draw, **controls)`: a picture that follows its sliders.

    def draw(figure, beta): ...; return "At β = 2 the weights are 0.88 and 0.12."

    live_figure(draw, beta=(0.0, 8.0, 0.1))

- One matplotlib figure is kept for the whole life of the widget and drawn again at each change. Its PNG is
  shown as `<img alt=…>` in a core `HTML` widget. It follows quick key presses better than `interact` with
  pyplot (`kqa bench explorer` counts them). The page has one image only, and its alt text is the sentence
  that `draw` returns.
- Each slider has a linked number box, because Notebook 7 intercepts the arrow keys of sliders and not those
  of boxes.
- Without a kernel (a saved notebook, a web page, paper) there is a still: the picture and its sentence.
- `to_html` draws a grid of settings in advance, into a page whose sliders select among these pictures without
  a kernel.
- Most of the drawing time goes into making axes and measuring their labels. For a fast response, `draw`
  returns a function that updates the drawing, instead of the sentence.
- If `draw` fails, the last picture stays, with the error message under it; the slider still works.
"""

from __future__ import annotations

import base64
import html
import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from kqa_core.errors import UserError
from kqa_core.show.kit.page import offered, page
from kqa_core.show.kit.palette import new_figure, png_of
from kqa_core.show.kit.theme import stylesheet
from kqa_core.show.kit.widget import KIT, module, write_page

Move = Callable[..., str | None]
Draw = Callable[..., str | Move]
SPELLED = {"alpha": "α", "beta": "β", "gamma": "γ", "sigma": "σ", "sigma2": "σ²", "theta": "θ"}


def live_figure(draw: Draw, *, width: float = 8.0, height: float = 3.2, **controls: Any) -> LiveFigure:
    """A widget that shows `draw(figure, **values)` and draws again whenever a control changes.

    `draw` gets an empty figure of width × height inches and the values of the controls; it draws, and returns
    a sentence that describes the picture. Or it returns `move`: `move(**values)`, called with these values
    and later ones, updates the drawing and returns the sentence, or None if all must be drawn again; it
    changes no limits and no labels.

    Each control is `(lowest, highest, step)` or `(lowest, highest, step, start)` for a number (all ints for
    whole numbers), or a list of choices. Raises UserError for any other control.
    """
    return LiveFigure(draw, width, height, controls)


class LiveFigure(widgets.VBox):  # type: ignore[misc] # ipywidgets ships no types
    """The widget of `live_figure`, with its matplotlib `figure`, a `sentence`, and `controls` by name."""

    def __init__(self, draw: Draw, width: float, height: float, controls: dict[str, Any]) -> None:
        self.figure = new_figure(width, height)
        self._move: Move | None = None
        self.sentence = ""
        self._draw = draw
        self._image = widgets.HTML()
        self._said = widgets.HTML()
        self.controls: dict[str, Any] = {}
        rows = []
        for name, what in controls.items():
            self.controls[name], row = _control(name, what)
            rows.append(row)
        super().__init__(children=[*rows, self._image, self._said])
        for control in self.controls.values():
            control.observe(self._redraw, names="value")
        self._show()

    @property
    def png(self) -> bytes:
        """The current picture, as a PNG file."""
        return png_of(self.figure)

    def to_html(
        self, path: str | Path | None = None, title: str = "A figure with sliders", leaves: int = 48
    ) -> str:
        """A page with up to `leaves` settings, spread over all controls. It needs no kernel and no network.

        The current setting is among them and is shown first. Written to `path` if it is given. Raises
        UserError if the file cannot be written, or for fewer than 1 leaves.
        """
        if leaves < 1:
            raise UserError(f"{leaves} leaves: at least 1 was expected")
        chosen = _thinned([_settings(control) for control in self.controls.values()], leaves)
        values = [
            [control.value if i == _nearest(control, settings) else settings[i] for i in range(len(settings))]
            for control, settings in zip(self.controls.values(), chosen, strict=True)
        ]
        frames = []
        for setting in itertools.product(*values):
            figure = new_figure(*self.figure.get_size_inches())
            sentence, _ = _drawn(self._draw, figure, dict(zip(self.controls, setting, strict=True)))
            frames.append([base64.b64encode(png_of(figure)).decode(), sentence])
        at = [
            _nearest(control, settings)
            for control, settings in zip(self.controls.values(), chosen, strict=True)
        ]
        controls = [
            {"name": _label(n), "settings": [_text(v) for v in vs]}
            for n, vs in zip(self.controls, values, strict=True)
        ]
        state = {"controls": controls, "frames": frames, "at": at}
        return write_page(
            page(title, module(KIT / "flipbook.js"), stylesheet(), state, self.sentence, self.png), path
        )

    def _redraw(self, _: Any) -> None:
        try:
            self._show()
        except (
            Exception
            # a slider whose callback raises stops working silently: show the error under the picture instead
        ) as error:
            text = html.escape(f"{type(error).__name__}: {error}")
            self._said.value = f'<p role="alert">This value could not be drawn. {text}</p>'

    def _show(self) -> None:
        values = {name: control.value for name, control in self.controls.items()}
        moved = self._move(**values) if self._move else None
        if moved is not None:
            self.sentence = moved
            self.figure.set_layout_engine(None)  # keep the layout; "none" would draw everything twice
        else:
            self.figure.clear()
            self.figure.set_layout_engine("constrained")
            self.sentence, self._move = _drawn(self._draw, self.figure, values)
        data = base64.b64encode(self.png).decode()
        alt = html.escape(self.sentence, quote=True)
        self._image.value = (
            f'<img alt="{alt}" src="data:image/png;base64,{data}" style="max-width:100%;height:auto">'
        )
        self._said.value = f'<p aria-live="polite" style="margin:0">{html.escape(self.sentence)}</p>'

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The live widget, a still for notebooks without a kernel, and a page for the reading site."""
        bundle = super()._repr_mimebundle_(**kwargs) or {}
        still = {"image/png": base64.b64encode(self.png).decode(), "text/plain": self.sentence}
        return {**bundle, **still, **offered(self.to_html)}


def _drawn(draw: Draw, figure: Any, values: dict[str, Any]) -> tuple[str, Move | None]:
    """Draw into an empty figure. Returns the sentence, and the updating function if there is one."""
    drawn = draw(figure, **values)
    return (str(drawn(**values)), drawn) if callable(drawn) else (str(drawn), None)


def _control(name: str, what: Any) -> tuple[Any, Any]:
    """The widget that holds the value, and the row to show."""
    label = _label(name)
    if isinstance(what, list) and what:
        choice = widgets.ToggleButtons(options=what, value=what[0], description=label)
        return choice, choice
    numbers = (
        isinstance(what, tuple)
        and len(what) in (3, 4)
        and all(type(number) in (int, float) for number in what)
    )
    if (
        not numbers
        or not what[0] < what[1]
        or what[2] <= 0
        or not what[0] <= what[-1 if len(what) == 4 else 0] <= what[1]
    ):
        raise UserError(
            f"control {name!r}: expected (lowest, highest, step), (lowest, highest, step, start) or a list of"
            f" choices, got {what!r}"
        )
    whole = all(type(number) is int for number in what)
    slider_of, box_of = (
        (widgets.IntSlider, widgets.BoundedIntText)
        if whole
        else (widgets.FloatSlider, widgets.BoundedFloatText)
    )
    low, high, step = what[:3]
    start = what[3] if len(what) == 4 else low
    slider = slider_of(value=start, min=low, max=high, step=step, description=label, readout=False)
    box = box_of(value=start, min=low, max=high, step=step, layout=widgets.Layout(width="6em"))
    box.tooltip = f"{label}, as a number"
    widgets.jslink((slider, "value"), (box, "value"))
    return slider, widgets.HBox([slider, box])


def _label(name: str) -> str:
    return SPELLED.get(name, name.replace("_", " "))


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _settings(control: Any) -> list[Any]:
    """All values of a control, in order."""
    if isinstance(control, widgets.ToggleButtons):
        return list(control.options)
    count = math.floor((control.max - control.min) / control.step + 1e-9) + 1
    whole = isinstance(control, widgets.IntSlider)
    return [
        control.min + i * control.step if whole else round(control.min + i * control.step, 9)
        for i in range(count)
    ]


def _thinned(settings: list[list[Any]], leaves: int) -> list[list[Any]]:
    """Fewer values of each control, with both ends, so that there are at most `leaves` combinations."""
    counts = [len(values) for values in settings]
    while math.prod(counts) > leaves:
        counts[counts.index(max(counts))] -= 1
    return [
        [values[round(i * (len(values) - 1) / (count - 1))] if count > 1 else values[0] for i in range(count)]
        for values, count in zip(settings, counts, strict=True)
    ]


def _nearest(control: Any, settings: list[Any]) -> int:
    """The index of the setting nearest to the control's value."""
    if isinstance(control, widgets.ToggleButtons):
        return settings.index(control.value) if control.value in settings else 0
    return min(range(len(settings)), key=lambda i: abs(settings[i] - control.value))
