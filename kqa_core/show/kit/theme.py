"""The CSS theme of widgets, exported pages and other HTML: colours, fonts and spacing, light and dark.

- The colours are those of the figures (`kqa_core.show.kit.palette`): cividis for weights, Okabe and Ito's for
  categories. The contrast of text is at least 4.5 to 1, in both themes (a test computes it); that of the
  focus ring is at least 3 to 1.
- In a notebook, its theme counts, which JupyterLab and Notebook 7 write on the body; elsewhere the reader's
  system setting.
- All rules are limited to the class `kqa`, so that the notebook's own style does not change.
- A canvas reads its colours from the same custom properties, so there is one list of colours, in this file.
"""

from __future__ import annotations

from pathlib import Path

from kqa_core.show.kit.palette import BLUE, GREEN, ORANGE, SKY, VERMILION

FORM = {
    "font": "system-ui, sans-serif",
    "mono": "ui-monospace, 'DejaVu Sans Mono', monospace",
    "size": "14px",
    "small": "12.5px",
    "gap": "12px",
}
LIGHT = {
    "ink": "#1a1a1a",
    "paper": "#ffffff",
    "soft": "#f3f5f7",
    "line": "#c3c9d0",
    "quiet": "#595f66",
    "focus": BLUE,
    "minus": BLUE,  # below zero, and queries
    "plus": ORANGE,  # above zero, and keys
    "both": GREEN,  # their products
    "wrong": VERMILION,
    "mark": "#F6D58A",  # behind what is pointed out in a text
    "cell": "#E4EEF6",  # behind the rest of it
}
DARK = {
    "ink": "#e6e6e6",
    "paper": "#16181b",
    "soft": "#22262b",
    "line": "#4a5159",
    "quiet": "#a9afb6",
    "focus": SKY,
    "minus": SKY,
    "plus": ORANGE,
    "both": GREEN,
    "wrong": VERMILION,
    "mark": "#6B5312",
    "cell": "#2B3846",
}
DARK_NOTEBOOKS = 'body[data-jp-theme-light="false"] .kqa, body.vscode-dark .kqa, html[theme="dark"] .kqa'


def _properties(values: dict[str, str]) -> str:
    return " ".join(f"--kqa-{name}: {value};" for name, value in values.items())


def stylesheet() -> str:
    """The rules of theme.css with the colours, type and spacing of this module before them."""
    dark = _properties(DARK)
    # no notebook says light or dark
    elsewhere = ":root:not([theme]) body:not([data-jp-theme-light], [class*=vscode-]) .kqa"
    return (
        f".kqa {{ color-scheme: light; {_properties(FORM)} {_properties(LIGHT)} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ {elsewhere} {{ color-scheme: dark; {dark} }} }}\n"
        f"{DARK_NOTEBOOKS} {{ color-scheme: dark; {dark} }}\n"
        + (Path(__file__).parent / "theme.css").read_text(encoding="utf-8")
    )
