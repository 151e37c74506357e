"""Submissions aimed at who looks at the results: the instructor's browser and spreadsheet."""

from __future__ import annotations

from typing import Any

from hostile_course import code, prose

from autograder.judge.results import Status
from corpus.fixture import Fixture

SCRIPTS = (
    '<script>kqaHostile()</script><img src=x onerror="kqaHostile()"><svg onload=kqaHostile()>',
    '[a link](javascript:kqaHostile()) ![an image](x" onerror="kqaHostile())',
    "<iframe srcdoc='<script>kqaHostile()</script>'></iframe><a href='jav&#x09;ascript:kqaHostile()'>b</a>",
    (
        "</pre></code></div><style>*{display:none}</style><form action=//kqaHostile><button"
        " formaction='javascript:kqaHostile()'>"
    ),
)


def with_scripts(tree: dict[str, Any]) -> None:
    """Put markup for the instructor's browser into every place that is shown."""
    html = SCRIPTS[0]
    for cell in tree["cells"]:
        if cell["cell_type"] == "code":
            data = {
                "text/html": html,
                "application/javascript": "kqaHostile()",
                "image/svg+xml": html,
                "text/plain": html,
            }
            cell["outputs"] = [{"output_type": "display_data", "data": data, "metadata": {}}]
    tree["cells"] += [prose(text, f"script-{number}") for number, text in enumerate(SCRIPTS)]
    tree["cells"] += [code(f"# {html}\n'''{html}'''\n", "script-code")]
    tree["cells"][-1]["metadata"] = {"tags": [html], "name": html}
    tree["metadata"]["kernelspec"]["display_name"] = html
    next(cell for cell in tree["cells"] if cell["id"] == "why_select")["source"] = [html, "\n\n", *SCRIPTS]


FIXTURES = (
    Fixture(
        "scripts",
        "aims scripts at the instructor's browser, in prose, outputs, comments and metadata",
        edit=with_scripts,
    ),
    Fixture(
        "formula-name",
        "is called like a formula for the instructor's spreadsheet",
        student="=HYPERLINK('http:evil')",
    ),
    Fixture("formula-plus", "is called like a sum", student="+1+cmd|' !A0"),
    Fixture(
        "markup-name",
        "is called like a script",
        student="<img src=x onerror=kqaHostile()>",
        status=Status.REFUSED,
    ),
)
