"""The look of the instructor's pages: one frame, one style, and what they are drawn with.

- Self-contained: no script, no link to anything outside; the browser is told to load nothing.
- Every word that is not ours goes through `escape`.
"""

from __future__ import annotations

import hashlib
import html
import re
import unicodedata
from collections.abc import Sequence

from autograder.report.style import STYLE

PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")  # no capitals: some file systems do not tell them apart
DEVICES = re.compile(r"con|prn|aux|nul|com\d|lpt\d")  # no file of such a name on Windows
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def page(title: str, body: str, narrow: bool = False) -> str:
    """A whole page. `body` is HTML."""
    body_tag = '<body class="narrow">' if narrow else "<body>"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<style>{STYLE}</style></head>{body_tag}<main>{body}</main></body></html>\n"
    )


def escape(text: object) -> str:
    """Text as HTML. Half a surrogate pair, which no file can hold, is shown as a question mark."""
    return html.escape(str(text).encode("utf-8", "replace").decode(), quote=True)


def table(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "", numbers: Sequence[int] = ()) -> str:
    """A table of cells that are HTML already. `numbers`: the columns that are set flush right.

    Where it is wider than the window it scrolls by itself, from the keyboard too.
    """

    def line(tag: str, start: str, cells: Sequence[str]) -> str:
        column = [' class="n"' if i in numbers else "" for i in range(len(cells))]
        return f"<tr>{''.join(f'<{start}{flush}>{cell}</{tag}>' for flush, cell in zip(column, cells, strict=True))}</tr>"

    said = f"<caption>{caption}</caption>" if caption else ""
    top, body = line("th", 'th scope="col"', head), "".join(line("td", "td", row) for row in rows)
    return f'<div class="wide" tabindex="0"><table>{said}<thead>{top}</thead><tbody>{body}</tbody></table></div>'


def file_name(student: str) -> str:
    """A file name, without its ending, for a student's page: safe on any file system, and no two students share one.

    A plain name stays as it is. Any other is spelt as far as ASCII goes, and made one of a kind by a hash behind `~`, which no
    plain name has.
    """
    if PLAIN_NAME.fullmatch(student) and not DEVICES.fullmatch(student):
        return student
    ascii_only = unicodedata.normalize("NFKD", student).encode("ascii", "ignore").decode().lower()
    spelt = re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")[:40]
    return f"{spelt or 'student'}~{hashlib.sha256(student.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def answer_place(student: str, exercise: str) -> str:
    """The id of a student's answer in the index. It lies within the folded part, so that a link to it unfolds the way there."""
    return f"answer-{exercise}-{file_name(student)}"


def histogram(counts: Sequence[int]) -> str:
    """Ten bars, one for each tenth of the maximum. Its text alternative holds the same numbers."""
    top, height, step = max([*counts, 1]), 96, 42
    said = "; ".join(f"{10 * i} to {10 * i + 10} %: {count}" for i, count in enumerate(counts))
    parts = []
    for i, count in enumerate(counts):
        tall = height * count / top
        parts.append(
            f'<rect class="bar" x="{12 + i * step}" y="{18 + height - tall:.1f}" width="{step - 4}" height="{tall:.1f}"/>'
        )
        if count:
            middle = 12 + i * step + (step - 4) / 2
            parts.append(f'<text x="{middle}" y="{13 + height - tall:.1f}" text-anchor="middle">{count}</text>')
    ticks = "".join(f'<text class="quiet" x="{10 + i * step}" y="132" text-anchor="middle">{10 * i}</text>' for i in range(11))
    return (
        f'<svg role="img" aria-label="How many marks lie in each tenth of the maximum: {said}" width="446" height="150" '
        f'viewBox="0 0 446 150">{"".join(parts)}<line class="axis" x1="10" y1="114.5" x2="430" y2="114.5"/>{ticks}'
        '<text class="quiet" x="220" y="147" text-anchor="middle">% of the maximum</text></svg>'
    )


def mark_bars(marks: Sequence[tuple[float, int]], points: int) -> str:
    """How often each mark was given, from 0 at the left to all points at the right. The numbers stand beside it in words."""
    top, most = max((count for _, count in marks), default=1), max(points, *(mark for mark, _ in marks), 1)
    bars = "".join(
        f'<rect class="bar" x="{2 + 78 * mark / most:.1f}" y="{25 - tall:.1f}" width="8" height="{tall:.1f}"/>'
        for mark, tall in ((mark, 24 * count / top) for mark, count in marks)
    )
    base = '<line class="axis" x1="0" y1="25.5" x2="90" y2="25.5"/>'
    return f'<svg aria-hidden="true" width="90" height="27" viewBox="0 0 90 27">{bars}{base}</svg>'


def share_bar(share: float, low: float, high: float) -> str:
    """A share as a bar, its interval as a line over it. The numbers stand beside it in words."""
    left, end = 120 * low, 120 * high
    return (
        '<svg aria-hidden="true" width="120" height="14" viewBox="0 0 120 14"><rect class="rest" y="3" width="120" height="8"/>'
        f'<rect class="bar" y="3" width="{120 * share:.1f}" height="8"/>'
        f'<path class="whisker" fill="none" d="M{left:.1f} 1v12M{left:.1f} 7H{end:.1f}M{end:.1f} 1v12"/></svg>'
    )
