"""`kqa course site`: the notebooks as pages to read, in one folder that works from a file system without a network.

1. the students' version of each notebook is made, as for the release: no solutions, no hidden checks;
2. outputs that say nothing about an answer are taken over from the instructor's (`site_outputs`), and widgets among them are made
   anew, with pages that move (`site_live`);
3. all of it is searched for what only an instructor should have, as the students' bundle is; a finding stops everything;
4. nbconvert makes HTML of it (`site_body`), and the frame is put around (`site_page`).

The folder is made anew beside the old one and then takes its place: half a site is never there.
"""

from __future__ import annotations

import copy
import html
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.build.launch_links import Published
from autograder.build.release import notebook_names, release
from autograder.paths import course_folder, read_course
from autograder.site.page import Entry, index, page
from kqa_core.check.registry import of_notebook
from kqa_core.errors import UserError
from kqa_core.files import write_whole, writing

MARK = "index.html"


def site(
    out: Path | None = None,
    course: Path | None = None,
    launch: Published | None = None,
    notebooks: list[str] | None = None,
    stills: bool = False,
    say: Callable[[str], object] = lambda line: None,
) -> Path:
    """Write the reading site of the course, or of the named notebooks; the path of its index.

    `stills` runs nothing and shows every widget as a picture. `say` is told which widgets stay one anyway.
    Raises UserError where a notebook is not built, where `out` is a folder of something else or cannot be written, and for
    anything that would leak.
    """
    from autograder.site.body import body

    course, about = course or course_folder(), read_course()
    out = (out or about.out / "site").resolve()
    names = notebook_names(course) if notebooks is None else notebooks
    if not names:
        raise UserError(f"{course / 'source'}: holds no executed notebook; run `kqa course build` first")
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not _is_site(out, about.title))):
        raise UserError(f"{out}: is there already and is no reading site; name another folder")
    with writing(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}") as work:
        fresh = Path(work) / "site"
        made = [_notebook(path, course, stills, say) for path in release(names, course, Path(work) / "release", launch)]
        entries = [
            _entry(name, notebook, _lines(about.out / "README.md")) for name, (notebook, _) in zip(names, made, strict=True)
        ]
        for place, (name, (notebook, back)) in enumerate(zip(names, made, strict=True)):
            text, widgets = body(notebook, back)
            before, after = entries[place - 1] if place else None, entries[place + 1] if place + 1 < len(entries) else None
            write_whole(fresh / f"{name}.html", page(entries[place].title, text, before, after))
            for file, widget in widgets.items():
                write_whole(fresh / file, widget)
        write_whole(fresh / MARK, index(entries, about.title, about.about))
        if out.exists():
            shutil.rmtree(out)
        fresh.replace(out)
    return out / MARK


def _notebook(path: Path, course: Path, stills: bool, say: Callable[[str], object]) -> tuple[Any, list[str]]:
    """What may be read of one notebook, and the cells whose outputs are kept back. Raises UserError for anything that leaks."""
    import nbformat

    from autograder.build.leak_scan import scan
    from autograder.site.live_widgets import enliven
    from autograder.site.safe_outputs import shown_outputs

    released: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    stored: Any = nbformat.read(course / "source" / path.stem / path.name, as_version=4)  # type: ignore[no-untyped-call]
    notebook, back = shown_outputs(released, stored)
    for line in [] if stills else enliven(notebook, course / "source" / path.stem):
        say(line)
    searched = copy.deepcopy(notebook)
    for output in (each for cell in searched.cells for each in cell.get("outputs", [])):
        for kind in [kind for kind in output.get("data", {}) if kind.startswith("image/")]:
            del output.data[kind]  # a picture holds no text
    nbformat.write(searched, path)  # type: ignore[no-untyped-call]
    if leaks := [finding for finding in scan([path]) if not finding.endswith("has outputs")]:
        raise UserError(f"the site would show what students must not see: {'; '.join(leaks)}")
    return notebook, back


def _entry(name: str, notebook: Any, lines: dict[str, str]) -> Entry:
    first = next((cell.source for cell in notebook.cells if cell.cell_type == "markdown"), "")
    title = first.partition("\n")[0]
    exercises = of_notebook(name)
    number = name.partition("_")[0]
    return Entry(
        name,
        f"{number} {title.lstrip('# ').removeprefix(f'{number} ').strip() or name}",
        lines.get(name.partition("_")[0], ""),
        sum(each.points for each in exercises if not each.extra),
        sum(each.points for each in exercises if each.extra),
        len(exercises),
    )


def _lines(readme: Path) -> dict[str, str]:
    """What happens in each notebook, by its number: the table in the course's README says it, once."""
    text = readme.read_text(encoding="utf-8") if readme.is_file() else ""
    return dict(re.findall(r"^\| (\d\d) [^|]* \| ([^|]+?) \| [^|]* \|$", text, re.MULTILINE))


def _is_site(folder: Path, title: str) -> bool:
    mark = folder / MARK
    return mark.is_file() and f"<title>{html.escape(title)}</title>" in mark.read_text(encoding="utf-8", errors="replace")
