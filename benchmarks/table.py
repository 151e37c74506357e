"""Writes the tables of figures in benchmarks/README.md, and the figures of README.md:
`python benchmarks/table.py`.

- Every figure is computed from a file of benchmarks/results/ (or data/encoder/grid.json). A row whose figures
  are missing says "not measured", with its bar and its command.
- Benchmarks write their files themselves. Other commands (the proof, the hostile suite, the mutants,
  `make course`) do not. Their figures are recorded in results/recorded.json, with this machine and commit, by
      python benchmarks/table.py --record hostile submissions=139 as_expected=139 marks_unearned=0
      neighbours_changed=0
  A share is given as hits/total, as in `reference=92/92`.
- A table lies between `<!-- table: NAME -->` and `<!-- end -->`. The text around the tables is written by
  hand. A test compares.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._figure import Row, accuracy, ladder_rows, minutes, share
from benchmarks._rows_of_models import ACCURACY, NOTEBOOKS
from benchmarks._rows_of_software import GPU, GRADING, TRAINING
from benchmarks._rows_of_the_readme import HEADLINES
from benchmarks.relations import answers_of, change
from kqa_core.errors import UserError
from kqa_core.experiments.ladder_tables import THREE, cloze_runs, exposed_runs, exposures_lines
from kqa_core.experiments.results import (
    LADDER,
    WITHOUT,
    LadderRow,
    compared_with,
    ladder_step,
    rows_in,
    told,
)
from kqa_core.files import write_whole
from kqa_core.stats import mean_sd

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
RECORDED = RESULTS / "recorded.json"
ROWS = (*GRADING, *TRAINING, *ACCURACY, *NOTEBOOKS, *GPU)
ELSEWHERE = {"grid": ROOT / "data" / "encoder" / "grid.json"}
ABLATIONS = {  # a row of `kqa bench relations` → what it changes of the first
    "a: cloze questions": "half of each batch cloze questions, the others salient rows",
    "a: cloze questions, no noise": "no word dropped or moved",
    "a: cloze questions, any word in half": "half of the cloze questions ask for any word",
    "a: cloze questions alone": "all rows cloze questions",
    "a: salient spans": "no cloze questions, all rows salient",
}
PAGES = (ROOT / "benchmarks" / "README.md", ROOT / "README.md")
NOT_MEASURED = "not measured"
LADDER_HEAD = (
    "row", "told", "accuracy", "change, points", "p over seeds", "p over questions", "steps",
    "targets, characters", "times a birthplace is a target", "training", "commit: machine",
)  # fmt: skip
TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
Results = dict[str, Any]


def read_results() -> Results:
    """Every result by name: those of the benchmarks, one a file, and those recorded by hand."""
    paths = {path.stem: path for path in sorted(RESULTS.glob("*.json"))} | ELSEWHERE
    del paths[RECORDED.stem]
    files = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in paths.items()}
    return files | json.loads(RECORDED.read_text(encoding="utf-8"))


def measured(row: Row, results: Results) -> str:
    """A row's figures as text."""
    return written(row.measured, row.files, results)


def written(how: Callable[..., str], files: Sequence[str], results: Results) -> str:
    """The text that `how` makes of the figures of these files, or "not measured"."""
    if any(name not in results for name in files):
        return NOT_MEASURED
    try:
        text = how(*(figures_of(name, results[name]) for name in files))
    except LookupError:  # the file is there, and has no such run
        return NOT_MEASURED
    return NOT_MEASURED if text.startswith(NOT_MEASURED) else text


def figures_of(name: str, result: Any) -> Any:
    """The argument of a row's `measured`: the runs of the ladder,
    else the figures with the benchmark's last line.
    """
    if name == "ladder":
        return result["rows"]
    return result.get("figures", result) | {"headline": result.get("headline", NOT_MEASURED)}


def where(row: Row, results: Results) -> str:
    """The commits and the machine that a row was measured at."""
    if measured(row, results) == NOT_MEASURED:
        return "—"
    if row.files[0] == "ladder":
        command = row.command.partition("--world ")[2]
        names = command.partition('"')[2].partition('"')[0].split(";")
        return taken_on(
            [
                run["machine"]
                for name in names
                for run in ladder_rows(results["ladder"]["rows"], command.split()[0], name)
            ]
        )
    return taken_on([results[name]["machine"] for name in row.files])


def taken_on(machines: Sequence[dict[str, Any]]) -> str:
    """`b20ba31`, `20bd077+`: AMD EPYC, 2 cores."""
    commits = list(dict.fromkeys(f"`{each['commit']}`" for each in machines if "commit" in each))
    kinds = list(dict.fromkeys(kind_of(each) for each in machines if "processor" in each))
    busy = [each["load"] for each in machines if each.get("load") and each["load"] > 2 * each["cores"]]
    kinds += [f"busy, load {max(busy):.0f}"] if busy else []
    return f"{', '.join(commits) or 'commit not recorded'}: {', '.join(kinds) or 'machine not recorded'}"


def kind_of(machine: dict[str, Any]) -> str:
    """The GPU, or the processor and its cores."""
    return (
        machine["processor"] + f", {machine['cores']} cores"
        if machine["device"] == "cpu"
        else str(machine["device"])
    )


def table(name: str, results: Results) -> str:
    """One table in Markdown, with a line break at its end. Raises LookupError for a name that is none."""
    if name == "headlines":
        lines = [
            (
                row.what,
                *(written(how, row.files, results) for how in (row.number, row.compared)),
                f"`{row.command}`",
            )
            for row in HEADLINES
        ]
        return markdown(("figure", "measured", "compared with", "command"), lines)
    if name == "questions":
        return questions(results)
    if name == "exposures":
        return exposures(results["relations"]["figures"]["rows"])
    if name == "ablations":
        return ablations(results["relations"]["figures"]["rows"])
    if name.startswith("ladder_"):
        return ladder(name.removeprefix("ladder_"), results["ladder"]["rows"])
    rows = [row for row in ROWS if row.table == name]
    if not rows:
        raise LookupError(name)
    lines = [
        (row.what, measured(row, results), row.bar, where(row, results), f"`{row.command}`") for row in rows
    ]
    return markdown(("figure", "measured", "bar", "commit: machine", "command"), lines)


def questions(results: Results) -> str:
    """The three questions on the original data: a line for each of their rows."""
    head = ("pretraining is told", "row", "accuracy", "the reader's own", "it shows", "it does not show")

    def line(number: int, name: str) -> tuple[str, ...]:
        asked = THREE[number]
        model = written(lambda *files: original_accuracy(name, *files), ("ladder", "relations"), results)
        own = written(lambda figures: share(figures["original"]["dev"]), ("extractor",), results)
        reader = own if asked.helped else "none"
        if name != asked.rows[0]:
            return "", name, model, reader, "", ""
        return f"({asked.letter}) {asked.told}", name, model, reader, asked.shows, asked.shows_not

    return markdown(head, [line(number, name) for number in range(len(THREE)) for name in THREE[number].rows])


def exposures(records: list[dict[str, Any]]) -> str:
    """How often pretraining masks a fact, and how many are stored and answered: a line a run or its seeds."""
    (_, *heads), *lines = exposures_lines(exposed_runs(records))
    written: list[tuple[str, ...]] = []
    text = ""
    for name, *cells in lines:
        if cells:
            written.append((text, name, *cells))
        text = "" if cells else name
    return markdown(("text", "rows", *heads), written)


def ablations(records: list[dict[str, Any]]) -> str:
    """Cloze questions in the small world with one thing changed: a line for each row of `ABLATIONS`."""
    usual = {"world": "small", "finetuning": "assignment", "steps": None, "documents": 1.0, "test": False}
    chosen = [one for one in records if usual.items() <= one.items() and one["row"] in ABLATIONS]
    first, *_ = ABLATIONS
    lines = []
    for row, changes in ABLATIONS.items():
        rows = [one for one in chosen if (one["row"], one["relation"]) == (row, "place")]
        cells = [" + ".join(f"{times:.0f}" for times in rows[0]["exposures"] or ())]
        for relation in ("place", "year"):
            answers = answers_of(chosen, row, relation)
            shares = [100 * one.count("1") / len(one) for one in answers.values()]
            compared = "" if row == first else change(answers_of(chosen, first, relation), answers)
            compared = compared.replace("-", "−", 1)
            mean, sd = mean_sd(shares)
            cells += [f"{mean:.1f} ± {sd:.1f} %" if len(shares) > 1 else f"{mean:.1f} %", compared]
        lines.append((changes, *cells))
    head = ("birthplace masked, salient + cloze", "birthplace", "change", "year of birth", "change")
    return markdown(("pretraining", *head), lines)


def original_accuracy(name: str, ladder: list[dict[str, Any]], relations: dict[str, Any]) -> str:
    """The accuracy on the original data of a row of the ladder or of `CLOZES`."""
    clozes = [
        {"world": run.world, "name": run.name, "seed": run.seed}
        | {"correct": run.accuracy.hits, "total": run.accuracy.total}
        for run in cloze_runs(relations["rows"])
    ]
    return accuracy([*ladder, *clozes], "original", name)


def ladder(world: str, runs: list[dict[str, Any]]) -> str:
    """The ladder of one world: a line for each row that was run,
    with its change against the row that it is compared with.
    """
    rows = [LadderRow.from_json(run) for run in runs]
    lines = []
    for name in rows_in(world, (*LADDER, *WITHOUT)):
        found = [row for row in rows if (row.world, row.name) == (world, name)]
        if not found:
            continue
        other = compared_with(world, name)
        step = ladder_step(rows, world, other, name) if other else None
        lines.append(
            (
                name,
                told(found[0]),
                accuracy(runs, world, name),
                "" if step is None else f"{step.points:+.1f}".replace("-", "−"),
                "" if step is None else step.p_over_seeds,
                "" if step is None else step.p_over_questions,
                f"{found[0].steps:,}",
                f"{mean([row.targets for row in found]):,.0f}",
                f"{mean([row.exposures for row in found]):.1f}",
                minutes(runs, world, name),
                taken_on([row.machine for row in found]),
            )
        )
    return markdown(LADDER_HEAD, lines)


def markdown(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table of Markdown."""
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (head, ["---"] * len(head), *lines))


def filled(page: str, results: Results) -> str:
    """A page with each of its tables made anew."""
    return TABLE.sub(lambda found: f"{found[1]}\n{table(found[2], results)}\n{found[3]}", page)


def record(name: str, pairs: Sequence[str]) -> None:
    """Put figures NAME=VALUE, this machine and this commit into results/recorded.json."""
    from benchmarks._common import machine  # takes torch, which the tables do not

    known = {
        file for row in ROWS for file in row.files if not (ROOT / "benchmarks" / f"{file}.py").exists()
    } - {*ELSEWHERE}
    if name not in known:
        raise UserError(
            f"table: no row is recorded by hand as {name!r}; expected one of {', '.join(sorted(known))}"
        )
    figures: dict[str, object] = {}
    for pair in pairs:
        key, _, value = pair.partition("=")
        try:
            figures[key] = [int(each) for each in value.split("/")] if "/" in value else json.loads(value)
        except ValueError:
            raise UserError(f"table: {pair!r} is not NAME=NUMBER or NAME=HITS/TOTAL") from None
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    before = recorded[name]["figures"] if name in recorded else figures
    if before.keys() != figures.keys():
        raise UserError(f"table: {name} has the figures {', '.join(before)}; give each of them once")
    recorded[name] = {"figures": figures, "machine": machine()}
    write_whole(RECORDED, json.dumps(recorded, indent=1) + "\n")


def run(arguments: Sequence[str]) -> int:
    """Record figures if asked to, then make every table anew; the exit status."""
    try:
        if arguments:
            option, *rest = arguments
            if option != "--record" or len(rest) < 2:
                raise UserError(
                    f"table: expected no argument, or --record NAME FIGURE=VALUE …, got {' '.join(arguments)}"
                )
            record(rest[0], rest[1:])
        results = read_results()
        for path in PAGES:
            write_whole(path, filled(path.read_text(encoding="utf-8"), results))
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
