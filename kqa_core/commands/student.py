"""`kqa check`, `kqa progress`, `kqa reset` and `kqa lab`: the student's commands.

- `kqa check NOTEBOOK.ipynb` runs the checks of a saved notebook; without a notebook it shows the progress.
- `kqa progress` is the cockpit of notebook 00 as text; `kqa reset EXERCISE` restores the original cell of an
  exercise.
- `kqa lab` opens the course. In a clone of the repository it first makes `lab/`, the student's own working
  copy: new notebooks are added, unchanged ones are updated, and notebooks with the student's work are never
  overwritten.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

import kqa_core
from kqa_core.errors import UserError
from kqa_core.files import write_whole

ROOT = Path(__file__).resolve().parents[2]  # of a clone; an installed wheel has no notebooks there
HANDED_OUT = "handed_out.json"  # in .kqa: a digest of each notebook as it was given


def working_copy(root: Path = ROOT) -> tuple[Path, list[str]]:
    """The student's working folder, made or updated, and a line for each new or updated notebook."""
    here = Path.cwd()
    if (root / "notebooks" / "source").is_dir() and (root / "autograder").is_dir():
        lab = root / "lab"
        return lab, _bring_up_to_date(lab)
    if first_notebook(here) is not None:
        return here, []
    raise UserError(
        f"lab: {here} holds no notebooks; run it in the folder you unpacked (the one with START_HERE.txt)"
    )


def first_notebook(folder: Path) -> str | None:
    """The name of the first notebook NAME/NAME.ipynb in a folder; None where it holds none."""
    return min(
        (path.stem for path in folder.glob("*/*.ipynb") if path.stem == path.parent.name), default=None
    )


def _bring_up_to_date(lab: Path) -> list[str]:
    store = lab / ".kqa"
    store.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=store) as folder:
        _released(Path(folder))
        for rules in sorted(Path(folder).glob("*/*.md")):  # for assistants, the same for every notebook
            write_whole(lab / rules.name, rules.read_bytes())
        return merge(Path(folder), lab)


def _released(folder: Path) -> None:
    """Write the student's notebooks into `folder`; this package has no solutions, so autograder does it."""
    command = [sys.executable, "-m", "autograder.build.release", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reason = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise UserError(f"lab: the notebooks could not be made: {'; '.join(reason)}; try `kqa course build`")


def merge(edition: Path, lab: Path) -> list[str]:
    """Copy the notebooks of a new `edition` (NAME/NAME.ipynb) to `lab`. Returns a line for each change.

    A notebook in which the student has changed a cell is not changed; the new one is written to
    `lab/new_editions/`.
    """
    note = lab / ".kqa" / HANDED_OUT
    try:
        handed_out = dict(json.loads(note.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        handed_out = {}  # without this record, every notebook counts as changed
    lines = []
    for new in sorted(edition.glob("*/*.ipynb")):
        name = new.stem
        mine, latest = lab / name / new.name, _digest(new)
        if not mine.exists():
            lines.append(f"{name}: added")
        elif _digest(mine) == latest:
            handed_out[name] = latest
            continue
        elif _digest(mine) == handed_out.get(name):
            lines.append(f"{name}: brought up to date (you had not changed it)")
        elif handed_out.get(name) == latest:
            continue  # the student's work, on the latest edition
        else:
            beside = lab / "new_editions" / new.name
            if not beside.exists() or _digest(beside) != latest:
                write_whole(beside, new.read_bytes())
                lines.append(f"{name}: yours is kept as it is; the new edition is {beside.relative_to(lab)}")
            continue
        write_whole(mine, new.read_bytes())
        handed_out[name] = latest
    write_whole(note, json.dumps(handed_out, indent=1, sort_keys=True) + "\n")
    return lines


def _digest(path: Path) -> str:
    """A digest of a notebook's cells, so that changes by Jupyter (outputs, metadata) do not count."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        content = json.dumps([[cell["cell_type"], "".join(cell["source"])] for cell in cells])
    except (OSError, ValueError, KeyError, TypeError):
        content = f"unreadable {path.name}"  # different from every original
    return hashlib.sha256(content.encode()).hexdigest()


def lab_command(folder: Path, notebook: str) -> list[str]:
    """The command that opens NOTEBOOK/NOTEBOOK.ipynb of `folder` in JupyterLab, without network requests."""
    quiet = ["--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    where = [f"--ServerApp.root_dir={folder}", f"--LabApp.default_url=/lab/tree/{notebook}/{notebook}.ipynb"]
    # in a container, the user is often root
    root = ["--allow-root"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    return [sys.executable, "-m", "jupyterlab", *where, *quiet, *root]


def lab_environment() -> dict[str, str]:
    """The environment for JupyterLab, with the course's settings: no pop-up about Jupyter news."""
    settings = [
        str(Path(kqa_core.__file__).parent / "lab"),
        *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")]),
    ]
    return {**os.environ, "JUPYTER_CONFIG_PATH": os.pathsep.join(settings)}


def register(app: typer.Typer) -> None:
    """Add `check`, `progress`, `reset` and `lab` to the command line."""

    @app.command("check")
    def _check(
        notebook: Annotated[
            Path | None, typer.Argument(help="A notebook of the course (.ipynb), as you saved it.")
        ] = None,
        seconds: Annotated[float, typer.Option(min=1, help="Time limit for one cell or one check.")] = 60,
    ) -> None:
        """Run the checks of a saved notebook; without a notebook, show your progress.

        Ends with status 0 if every exercise is right, or passes what can be checked here, else with 1.

        Example: kqa check 01_attention_as_a_lookup/01_attention_as_a_lookup.ipynb
        """
        from kqa_core.check import progress

        if notebook is None:
            _use_lab()
            progress()
            return
        from kqa_core.check.display import result_text
        from kqa_core.check.exercise import Outcome
        from kqa_core.check.notebook_file import check_file

        outcomes, later = [], 0
        for exercise, verdict, detail in check_file(notebook, seconds):
            outcomes.append(verdict.outcome)
            later += bool(exercise.decided_later) and verdict.outcome is Outcome.RIGHT
            print(result_text(exercise, verdict, detail), flush=True)
        right = outcomes.count(Outcome.RIGHT)
        more = f", {later} more pass{'es' if later == 1 else ''} the first check" if later else ""
        print(f"{right - later} of {len(outcomes)} right{more}")
        raise typer.Exit(int(right < len(outcomes)))

    @app.command("progress")
    def _progress(
        notebook: Annotated[
            str | None,
            typer.Argument(
                help='A notebook to show in full, by name or number, or "all"; default: those begun.'
            ),
        ] = None,
    ) -> None:
        """Show your progress in all notebooks. Example: kqa progress 01"""
        from kqa_core.check import cockpit

        _use_lab()
        cockpit(notebook)

    @app.command("reset")
    def _reset(
        exercise: Annotated[str, typer.Argument(help="The exercise's name, such as average_two.")],
    ) -> None:
        """Restore the original cell of an exercise.
        Your answer is kept in another file. Example: kqa reset average_two
        """
        from kqa_core.check.reset_answer import reset_exercise

        _use_lab()
        print("\n".join(reset_exercise(exercise)))

    @app.command("lab", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
    def _lab(context: typer.Context) -> None:
        """Open the course in JupyterLab, with further arguments for it. Example: kqa lab --no-browser"""
        if importlib.util.find_spec("jupyterlab") is None:
            raise UserError(
                "lab: JupyterLab is not installed; get it with `python -m pip install jupyterlab`"
            )
        folder, news = working_copy()
        for line in news:
            print(line)
        print(f"your notebooks are in {folder}", flush=True)
        os.chdir(folder)
        os.execve(
            sys.executable,
            [*lab_command(folder, str(first_notebook(folder))), *context.args],
            lab_environment(),
        )


def _use_lab() -> None:
    """In a clone, use the progress of the working copy `lab/` by default."""
    from kqa_core.check.progress_store import folder

    if not folder().is_dir() and (ROOT / "lab" / ".kqa").is_dir():
        os.environ["KQA_FOLDER"] = str(ROOT / "lab" / ".kqa")
