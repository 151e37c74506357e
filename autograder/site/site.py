"""`kqa course site`: the notebooks as pages to read, in one folder that works without a network.

1. We make the students' version of each notebook, as for the release: no solutions, no hidden checks.
2. We copy the instructor's outputs that do not depend on an answer (`safe_outputs`), and run the cells of
   widgets again to get interactive pages (`live_widgets`).
3. We search everything for what only an instructor should have, as in the students' bundle. A finding stops
   the build.
4. nbconvert makes HTML of it (`body`), and `page` puts the frame around it.

The new folder is made beside the old one and then replaces it, so there is never half a site.
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
from autograder.site.page import Entry, index_page, notebook_page
from kqa_core.check.registry import of_notebook
from kqa_core.errors import UserError
from kqa_core.files import write_whole, writing

INDEX = "index.html"


def site(
    out: Path | None = None,
    course: Path | None = None,
    launch: Published | None = None,
    notebooks: list[str] | None = None,
    stills: bool = False,
    say: Callable[[str], object] = lambda line: None,
) -> Path:
    """Write the reading site of the course, or of the named notebooks. Returns the path of its index.

    `stills` runs no cell and shows every widget as a picture. `say` receives a sentence for each widget that
    stays a picture because its cell failed. Raises UserError if a notebook is not built, if `out` is a folder
    with other contents or cannot be written, and if anything would leak.
    """
    from autograder.site.body import body

    course, about = course or course_folder(), read_course()
    out = (out or about.out / "site").resolve()
    names = notebook_names(course) if notebooks is None else notebooks
    if not names:
        raise UserError(f"{course / 'source'}: holds no executed notebook; run `kqa course build` first")
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not _is_site(out, about.title))):
        raise UserError(f"{out}: exists and is no reading site; name another folder")
    with writing(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}") as work:
        fresh = Path(work) / "site"
        readable = [
            _readable(path, course, stills, say)
            for path in release(names, course, Path(work) / "release", launch)
        ]
        descriptions = _descriptions(about.out / "README.md")
        entries = [
            _entry(name, notebook, descriptions) for name, (notebook, _) in zip(names, readable, strict=True)
        ]
        neighbours = zip([None, *entries[:-1]], [*entries[1:], None], strict=True)
        for entry, (notebook, withheld), (before, after) in zip(entries, readable, neighbours, strict=True):
            cells, widgets = body(notebook, withheld, names)
            for file, text in {
                entry.file: notebook_page(entry.title, cells, before, after),
                **widgets,
            }.items():
                write_whole(fresh / file, text)
        write_whole(fresh / INDEX, index_page(about.title, about.about, entries))
        if out.exists():
            shutil.rmtree(out)
        fresh.replace(out)
    return out / INDEX


def _readable(path: Path, course: Path, stills: bool, say: Callable[[str], object]) -> tuple[Any, list[str]]:
    """The notebook with the outputs that readers may see, and the ids of the cells withheld.

    Raises UserError if anything leaks.
    """
    import nbformat

    from autograder.build.leak_scan import scan
    from autograder.site.live_widgets import add_live_pages
    from autograder.site.safe_outputs import add_safe_outputs

    released: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    stored: Any = nbformat.read(course / "source" / path.stem / path.name, as_version=4)  # type: ignore[no-untyped-call]
    notebook, withheld = add_safe_outputs(released, stored)
    for line in [] if stills else add_live_pages(notebook, course / "source" / path.stem):
        say(line)
    searched = copy.deepcopy(notebook)
    for output in (each for cell in searched.cells for each in cell.get("outputs", [])):
        for kind in [kind for kind in output.get("data", {}) if kind.startswith("image/")]:
            del output.data[kind]  # a picture contains no text
    nbformat.write(searched, path)  # type: ignore[no-untyped-call]
    if leaks := [finding for finding in scan([path]) if not finding.endswith("has outputs")]:
        raise UserError(f"the site would show what students must not see: {'; '.join(leaks)}")
    return notebook, withheld


def _entry(name: str, notebook: Any, descriptions: dict[str, str]) -> Entry:
    first = next((cell.source for cell in notebook.cells if cell.cell_type == "markdown"), "")
    title = first.partition("\n")[0]
    exercises = of_notebook(name)
    number = name.partition("_")[0]
    return Entry(
        name,
        f"{number} {title.lstrip('# ').removeprefix(f'{number} ').strip() or name}",
        descriptions.get(number, ""),
        sum(exercise.points for exercise in exercises if not exercise.extra),
        sum(exercise.points for exercise in exercises if exercise.extra),
        len(exercises),
    )


def _descriptions(readme: Path) -> dict[str, str]:
    """One sentence on each notebook, by its number, from the table in the README."""
    text = readme.read_text(encoding="utf-8") if readme.is_file() else ""
    return dict(re.findall(r"^\| (\d\d[a-z]?) [^|]* \| ([^|]+?) \| [^|]* \|$", text, re.MULTILINE))


def _is_site(folder: Path, title: str) -> bool:
    """Whether the folder holds a reading site of this course: it is recognised by the title of its index."""
    index = folder / INDEX
    return index.is_file() and f"<title>{html.escape(title)}</title>" in index.read_text(
        encoding="utf-8", errors="replace"
    )
