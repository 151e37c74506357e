"""`kqa doctor` checks this machine; `kqa bench` runs benchmarks on it.

- A finding is *ok*, *missing* (the notebooks need it: exit status 1) or *absent* (optional; the line says
  what does not work without it). For missing and absent findings, the command that installs them is printed.
- The sandbox is tested: a runner starts in the one that grading would use and imports the packages of the
  exercises. `--sandbox` tries to break out of it in all ways that the instructor's side knows.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import inspect
import json
import os
import platform
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from kqa_core.commands.benching import run_all
from kqa_core.errors import UserError
from kqa_core.hardware import cores
from kqa_core.lazy import DOCTOR, plugins

ROOT = Path(__file__).resolve().parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
# the packages of the library that an answer may import; the grader has them, too
LIBRARY_OF_ANSWERS = ("torch", "sympy", "scipy", "einops", "matplotlib")


@dataclass(frozen=True)
class Finding:
    """One thing looked for: its state ("ok", "missing" or "absent"), what was found, how to change it."""

    name: str
    state: str
    found: str
    fix: str | None = None


def findings() -> list[Finding]:
    """All findings, the most important first."""
    library = importlib.util.find_spec("kqa_core.encoder") is not None  # a course without models has none
    return [
        Finding("python", "ok", f"{platform.python_version()} on {platform.system()} {platform.machine()}"),
        *([_package("torch")] if library else []),
        _package("jupyterlab"),
        _package("nbgrader"),
        _for_answers(library),
        _processor(),
        *(_of_the_library() if library else []),
        _sandbox(),
        _browser(),
    ]


def _of_the_library() -> list[Finding]:
    from kqa_core.encoder.hugging_face import HUB

    return [
        _gpu(),
        _extra("triton", "the kernels run as plain torch", "'triton>=3.6'"),
        _extra("transformers", "notebook 10 has no encoder", HUB),
        *_downloads(),
    ]


def doctor() -> None:
    """Print the findings as a table: for a notebook."""
    print(_table(findings()))


def _table(rows: list[Finding]) -> str:
    wide = max(len(row.name) for row in rows)
    lines = [f"{row.name:{wide}}  {row.state:7}  {row.found}" for row in rows]
    fixes = [f"{row.name}: {row.fix}" for row in rows if row.fix]
    return "\n".join([*lines, *(["", "to change that:"] if fixes else []), *(f"  {fix}" for fix in fixes)])


def _pip(packages: str) -> str:
    python, here = Path(sys.executable), Path.cwd()
    # in a saved notebook, no path of this machine
    shown = python.relative_to(here) if python.is_relative_to(here) else "python"
    return f"{shown} -m pip install {packages}"


def _package(name: str) -> Finding:
    try:
        return Finding(name, "ok", importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, "missing", "not installed", _pip(f"'{name}'"))


def _extra(name: str, without: str, packages: str) -> Finding:
    """An optional package; `without` says what does not work without it."""
    finding = _package(name)
    return (
        finding
        if finding.state == "ok"
        else Finding(name, "absent", f"{finding.found}; {without}", _pip(packages))
    )


def _for_answers(library: bool) -> Finding:
    """The packages that an answer may import, here and in the grader."""
    missing = [name for name in importable(library) if importlib.util.find_spec(name) is None]
    if missing:
        what = f"{', '.join(missing)} not installed; an answer may use them, and the grader has them"
        return Finding("for answers", "absent", what, _pip(" ".join(missing)))
    return Finding("for answers", "ok", f"{', '.join(importable(library))} and Python's own modules")


def importable(library: bool) -> tuple[str, ...]:
    """The packages that an answer may import; `library`: in a course that uses the library of models."""
    return ("numpy", *LIBRARY_OF_ANSWERS) if library else ("numpy",)


def _downloads() -> list[Finding]:
    """The real models and sentences in the cache, checked (1 s for all)."""
    from kqa_core.downloads.cache import MB, problem_of
    from kqa_core.downloads.catalogue import DOWNLOADS

    rows = []
    for download in DOWNLOADS.values():
        problem = problem_of(download)
        size = f"{download.size / MB:.1f} MB"
        rows.append(
            Finding(
                download.name, "absent", f"{problem}; {download.without}", f"kqa data fetch {download.name}"
            )
            if problem
            else Finding(download.name, "ok", size)
        )
    return rows


def _processor() -> Finding:
    try:
        memory = f", {os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB of memory"
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        memory = ""
    return Finding("processor", "ok", f"{cores()} core{'' if cores() == 1 else 's'}{memory}")


def _gpu() -> Finding:
    if importlib.util.find_spec("torch") is None:
        return Finding("gpu", "absent", "unknown without torch")
    import torch

    if torch.cuda.is_available():
        return Finding("gpu", "ok", torch.cuda.get_device_name(0))
    if torch.backends.mps.is_available():
        return Finding("gpu", "ok", "Apple (mps)")
    driver = shutil.which("nvidia-smi") is not None
    fix = (
        "this torch cannot use the NVIDIA card: see https://pytorch.org/get-started/locally"
        if driver
        else None
    )
    return Finding("gpu", "absent", "none that torch can use; every notebook runs without one", fix)


def _sandbox() -> Finding:
    """Only grading needs a sandbox: the instructor's side starts a runner in it and returns the result."""
    test = plugins(DOCTOR).get("sandbox")
    return Finding(
        "sandbox", *(test() if test else ("absent", "only grading needs one, and this is a student's copy"))
    )


def _browser() -> Finding:
    for name in BROWSERS:
        if path := shutil.which(name):
            return Finding("browser", "ok", Path(path).name)
    fix = "apt-get install chromium (or your system's package manager)"
    return Finding("browser", "absent", "no chromium; only the browser tests want it", fix)


def benchmark_names(folder: Path) -> list[str]:
    """The benchmarks of a clone: files of `folder` that define main()."""
    return sorted(
        path.stem
        for path in folder.glob("*.py")
        if re.search(r"^def main\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    )


def run_benchmark(name: str, folder: Path, options: Sequence[str] = ()) -> None:
    """Run main() of one benchmark file, with `options` if it takes any. Raises UserError if it takes none."""
    spec = importlib.util.spec_from_file_location(f"benchmarks.{name}", folder / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and child processes look their module up
    spec.loader.exec_module(module)
    if options and "arguments" not in inspect.signature(module.main).parameters:
        raise UserError(f"bench {name}: takes no options, and was given {' '.join(options)}")
    module.main(*[options] if options else [])


def register(app: typer.Typer) -> None:
    """Add `doctor` and `bench` to the command line."""

    @app.command("doctor")
    def _doctor(
        as_json: Annotated[
            bool, typer.Option("--json", help="Print one JSON list instead of the table.")
        ] = False,
        sandbox: Annotated[
            bool,
            typer.Option("--sandbox", help="Try to break out of the judge's sandbox; 1 if a way is found."),
        ] = False,
    ) -> None:
        """Say what this machine has, and how to get what is missing. Example: kqa doctor --json"""
        if sandbox:
            escape = plugins(DOCTOR).get("escape")
            if escape is None:
                raise UserError(
                    "doctor: only a clone of the repository has a sandbox to try; run `make set-up` there"
                )
            raise typer.Exit(int(escape(as_json)))
        rows = findings()
        print(json.dumps([asdict(row) for row in rows], indent=1) if as_json else _table(rows))
        raise typer.Exit(int(any(row.state == "missing" for row in rows)))

    @app.command("bench", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
    def _bench(
        context: typer.Context,
        name: Annotated[str, typer.Argument(help='A benchmark\'s name, or "all".')],
        again: Annotated[
            bool, typer.Option("--again", help="With all: keep nothing that was measured at this commit.")
        ] = False,
    ) -> None:
        """Run a benchmark, print its table, write its results; or all of them, and one table.
        Example: kqa bench decoding

        A benchmark may have options of its own: kqa bench scale --students 250 500
        """
        folder = ROOT / "benchmarks"
        names = benchmark_names(folder) if folder.is_dir() else []
        if not names:
            raise UserError(
                f"bench: benchmarks live in a clone of the repository, and {ROOT} has none; run it there"
            )
        if name not in (*names, "all"):
            raise UserError(
                f"bench: there is no benchmark {name!r}; expected all or one of {', '.join(names)}"
            )
        if name == "all":
            if context.args:
                raise UserError(
                    f"bench all: takes no options but --again, and was given {' '.join(context.args)}"
                )
            raise typer.Exit(run_all(names, folder, again))
        run_benchmark(name, folder, context.args)
