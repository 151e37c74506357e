"""The base class of our widgets: one ES module, its state, and a still.

- The module consists of `kit.js` and the widget's own files: no import, no build step, nothing from the
  network. The page does all drawing. The selection is synchronised with the kernel in both directions.
- A saved notebook, a PDF and a repository's page show a still: a picture of the selection, and a sentence
  that describes it.
- `to_html` writes a page that is interactive without a kernel or a network (see `kqa_core.show.kit.page`).
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import anywidget

from kqa_core.errors import UserError
from kqa_core.show.kit.page import offered, page
from kqa_core.show.kit.palette import png_of
from kqa_core.show.kit.theme import stylesheet

KIT = Path(__file__).parent


def module(*files: Path) -> str:
    """A widget's module: kit.js, the given files, and the export. The last file defines `render`."""
    texts = [file.read_text(encoding="utf-8") for file in (KIT / "kit.js", *files)]
    return "\n".join([*texts, "const widget = { render };\nexport default widget;\n"])


class Widget(anywidget.AnyWidget):
    """The base class of our widgets. A subclass has `_esm`, a title, traits, `sentence` and `_draw`."""

    _css = stylesheet()
    title = ""  # of an exported page

    @property
    def sentence(self) -> str:
        """The current view, in words."""
        raise NotImplementedError

    def _draw(self) -> Any:
        """The current view, as a matplotlib figure."""
        raise NotImplementedError

    @property
    def png(self) -> bytes:
        """The current view, as a PNG file."""
        return png_of(self._draw())

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live widget, a still for notebooks without a kernel, and a page for the reading site."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        still = {"image/png": base64.b64encode(self.png).decode(), "text/plain": self.sentence}
        return {**data, **still, **offered(self.to_html)}, {**metadata, "image/png": {"alt": self.sentence}}

    def to_html(self, path: str | Path | None = None, title: str | None = None) -> str:
        """A page that is interactive without a kernel or a network; written to `path` if it is given.

        Raises UserError if the file cannot be written.
        """
        # of ipywidgets; what anywidget adds begins with an underscore
        theirs = set(Widget.class_trait_names())
        own = (
            name for name in self.trait_names(sync=True) if name not in theirs and not name.startswith("_")
        )
        state = {name: getattr(self, name) for name in own}
        text = page(title or self.title, str(self._esm), stylesheet(), state, self.sentence, self.png)
        return write_page(text, path)


def write_page(text: str, path: str | Path | None) -> str:
    """`text`, after writing it to `path` if that is given. Raises UserError if it cannot be written."""
    if path is not None:
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            raise UserError(f"{path}: cannot be written ({error.strerror}): give a path that can") from None
    return text
