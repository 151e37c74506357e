"""A second relation: what models know that no train question was about. Run: kqa bench relations

- A row is a pretraining of the three questions (`kqa_core.experiments.ladder_tables`): (a) is told nothing,
  (b) has the cue of the train questions about birthplaces, (c) questions about most people's birthplaces.
  Some rows of (a) ask for one fact in many forms, made of the text alone (_cloze_forms.py).
- The models have rotary positions, but for two rows: attention and the Synthesizer, both with the
  assignment's learned positions. Compare these two with each other.
- Each pretrained model is finetuned on train people and asks dev people, once for each relation: *place*, the
  birthplace of the corpus's files; *year*, of birth; *job*, in invented worlds. The answers of the second and
  third are read off the text by a rule, for the people whose text states them. No pretraining sees them.
- All finetunings are the same: the assignment's, 10 epochs at 6e-4. `--finetuning best` is gentler. With
  `--finetuning none` a row of (a) is asked as its pretraining asks, by the text around the answer: what it
  has stored, whether a question reaches it or not.
- `--documents 0.25` is the data of a quarter of the people. With as many steps, each of their facts is
  masked four times as often. World *original-small* is the original data with the small world's recipe: an
  eighth of it has nearly as much text as the small world, and takes minutes.
- A finished pretraining stays in runs/relations; a broken one goes on where it was. A finished record in
  benchmarks/results/relations.json is kept, so only what is missing is trained.
- Dev questions were in view while these rows were chosen. `--test` asks the test people of an invented world
  in place of the dev people: for final rows, once.
- Two minutes of two cores a pretraining in the small world. For the original data (`kqa data import DIR`),
  all pretrainings together take hours there:
      python benchmarks/relations.py --world original --rows "a: salient spans;a: cloze questions" --seeds 0
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._cloze_forms import ClozeBatches, Forms
from benchmarks._common import RESULTS, machine
from benchmarks._levers import WORLDS as LADDER_WORLDS
from benchmarks._levers import World
from benchmarks._relations import (
    RELATIONS,
    asking,
    exposures,
    in_own_words,
    open_book,
    part_of,
    with_test_people,
)
from kqa_core.errors import UserError
from kqa_core.evaluation.evaluate import evaluate
from kqa_core.experiments.results import p_text, question_p
from kqa_core.files import write_whole
from kqa_core.model import checkpoint
from kqa_core.stats import mean_sd, paired
from kqa_core.text.corpus import Corpus, read_corpus
from kqa_core.text.packaged import runs, shipped
from kqa_core.training.loop import without_denormals
from kqa_core.training.recipes import ASSIGNMENT, RECIPES, SMALL, Phase, Recipe
from kqa_core.training.runs import Run, prepare_finetune, prepare_pretrain

RECORDS = RESULTS / "relations.json"
BAR = "none"
WORLDS = {**LADDER_WORLDS, "original-small": World("imported", SMALL, 0)}
KEY = ("world", "row", "relation", "finetuning", "steps", "documents", "seed", "test")
ADAMW = (5e-4, 1e-3, 2e-3, 4e-3, 8e-3)  # learning rates to search before Muon is compared with AdamW


@dataclass(frozen=True)
class Row:
    """A pretraining; its recipe's finetuning is not used."""

    name: str
    recipe: Recipe
    forms: Forms | None = None
    variant: str = "rope"


def rows_of(best: Recipe) -> list[Row]:
    """The rows of a world whose recipe is `best`. The first letter of a name is that of the question."""
    told, goal = replace(best.pretrain, cue_probability=0.0, question_share=0.0), best.pretrain
    any_word = replace(told, any_word=True)
    letter = replace(ASSIGNMENT.pretrain, optimizer=goal.optimizer, schedule="anneal", shuffle=True)
    asked = replace(goal, question_share=0.5, generated_questions=True)

    def row(name: str, phase: Any, forms: Forms | None = None, variant: str = "rope") -> Row:
        return Row(name, replace(best, pretrain=phase), forms, variant)

    return [
        row("a: salient spans", told),
        row("a: any word", any_word),
        row("a: cloze questions", told, Forms()),
        row("a: cloze questions, any word in half", told, Forms(any_word=0.5)),
        row("a: cloze questions, no noise", told, Forms(drop=0.0, moves=1.0)),
        row("a: cloze questions alone", told, Forms(share=1.0)),
        row("a: cloze questions, learned positions", told, Forms(), "vanilla"),
        row("a: cloze questions, Synthesizer", told, Forms(), "synthesizer"),
        row("a: span corruption", replace(letter, epochs=None, steps=goal.steps, batch_size=goal.batch_size)),
        row("b: the cue", goal),
        row("c: generated questions", asked),
        *(
            row(
                f"b: AdamW at {rate:g}",
                replace(goal, optimizer=replace(goal.optimizer, muon_rate=None, rate=rate)),
            )
            for rate in ADAMW
        ),
    ]


def pretraining(row: Row, corpus: Corpus, seed: int, steps: int | None) -> Run:
    """The run of a row, with all that it depends on in its description."""
    RECIPES["relations"] = row.recipe
    run = prepare_pretrain(row.variant, corpus, recipe="relations", seed=seed, steps=steps)
    if row.forms is not None:
        run.source = ClozeBatches(corpus, run.model.config.block_size, row.recipe.pretrain, row.forms, seed)
        run.description["forms"] = asdict(row.forms)
    return run


def pretrained(row: Row, corpus: Corpus, seed: int, steps: int | None, folder: Path) -> Path:
    """The finished model of a row: the one in `folder` if it is the same run, else trained now.

    The version of the code does not count: a change of `kqa_core` must not cost an hour of training.
    """
    run, path = pretraining(row, corpus, seed, steps), folder / "pretrain.params"
    wanted = json.loads(json.dumps(run.description)) | {"code": None}
    if not path.exists() or checkpoint.load(path).notes["run"] | {"code": None} != wanted:
        checkpoint.discard(path)
        run.train(path)
    return path


def asked_after(
    row: Row, path: Path, corpus: Corpus, relation: str, phase: Phase | None, seed: int
) -> tuple[str, list[str]]:
    """Finetune the model of `row` at `path` on a relation and ask: 1 or 0 for each dev question, and the
    answers. Without a phase, the model is not finetuned and asked as pretraining asks.
    """
    there = asking(corpus, relation)
    if phase is None:
        model = checkpoint.load(path).model
        there = replace(there, dev=in_own_words(there, row.recipe.pretrain.width, row.forms))
    else:
        RECIPES["relations"] = replace(RECIPES["assignment"], finetune=phase)
        run = prepare_finetune(row.variant, there, path, recipe="relations", seed=seed)
        model = run.train(show=False).model
    said = evaluate(model, corpus.vocabulary, there.dev).predictions
    right = "".join("01"[answer == pair.answer] for answer, pair in zip(said, there.dev, strict=True))
    return right, list(said)


def exposures_of(row: Row, asked: Corpus, steps: int | None) -> list[float] | None:
    """How often pretraining masks the answer of a dev question, on average: in salient rows, in cloze
    questions. None if its rows are others.
    """
    phase, forms = row.recipe.pretrain, row.forms
    if phase.rows != "salient" or phase.any_word or phase.reads_questions or (forms and forms.any_word):
        return None
    clozes = 0 if forms is None else round(phase.batch_size * forms.share)
    total = steps or phase.steps or 0
    return [round(exposures(asked, total * rows), 1) for rows in (phase.batch_size - clozes, clozes)]


def missing(
    rows: Sequence[Row], relations: Sequence[str], options: argparse.Namespace, records: list[Any]
) -> Iterator[tuple[Row, int, list[str]]]:
    """The rows and seeds that lack a record of some relation, with those relations; seed by seed."""
    have = {key_of(record) for record in records}
    for seed in options.seeds:
        for row in rows:
            left = [
                name for name in relations
                if key_of(vars(options) | {"row": row.name, "relation": name, "seed": seed}) not in have
            ]  # fmt: skip
            if left:
                yield row, seed, left


def key_of(record: dict[str, Any]) -> tuple[Any, ...]:
    """What a record is of."""
    return tuple(record[name] for name in KEY)


def read_records() -> list[dict[str, Any]]:
    """The recorded answers; none if there is no file."""
    if not RECORDS.is_file():
        return []
    return list(json.loads(RECORDS.read_text(encoding="utf-8"))["figures"]["rows"])


def add(record: dict[str, Any]) -> None:
    """Put a record to the others, in place of one of the same key."""
    others = [other for other in read_records() if key_of(other) != key_of(record)]
    rows = sorted([*others, record], key=lambda one: tuple(map(str, key_of(one))))
    written = {"figures": {"rows": rows}, "bar": BAR, "machine": machine()}
    write_whole(RECORDS, json.dumps(written, indent=1) + "\n")


def answers_of(records: Sequence[dict[str, Any]], row: str, relation: str) -> dict[int, str]:
    """The answers of a row to a relation by seed."""
    chosen = [one for one in records if (one["row"], one["relation"]) == (row, relation)]
    return {one["seed"]: one["answers"] for one in chosen}


def table(records: Sequence[dict[str, Any]], rows: Sequence[str], corpus: Corpus) -> str:
    """For each relation a line a row: accuracy over seeds, and the change against the first row."""
    lines = []
    for relation in dict.fromkeys(record["relation"] for record in records):
        asked = asking(corpus, relation)
        common = Counter(pair.answer for pair in asked.train).most_common(1)[0][0]
        always = sum(pair.answer == common for pair in asked.dev) / len(asked.dev)
        own = open_book(corpus, asked)
        reader = "cannot pick it" if own is None else f"{100 * own[0] / own[1]:.1f} %"
        lines.append(
            f"\n{relation}: {len(asked.dev)} questions such as {asked.dev[0].question!r}; always {common}:"
            f" {100 * always:.1f} %; a reader with the document open: {reader}"
        )
        first = answers_of(records, rows[0], relation)
        for name in rows:
            mine = answers_of(records, name, relation)
            if mine:
                shares = [100 * one.count("1") / len(one) for one in mine.values()]
                mean, sd = mean_sd(shares)
                said = "" if name == rows[0] else change(first, mine)
                spread = f" ± {sd:.1f}" if len(shares) > 1 else ""
                lines.append(f"{name:40} {mean:5.1f}{spread:7} %  {said}".rstrip())
    return "\n".join(lines)


def change(first: dict[int, str], mine: dict[int, str]) -> str:
    """The change of accuracy in points, with both p-values; nothing if no seed has both."""
    seeds = sorted(first.keys() & mine.keys())
    if not seeds:
        return ""
    before, after = ([answers[seed] for seed in seeds] for answers in (first, mine))
    shares = [[100 * one.count("1") / len(one) for one in part] for part in (after, before)]
    points = mean_sd(shares[0])[0] - mean_sd(shares[1])[0]
    over_seeds = f"p over {len(seeds)} seeds {p_text(paired(*shares))}, " if len(seeds) > 1 else ""
    return f"{points:+.1f} points, {over_seeds}over questions {p_text(question_p(before, after))}"


def main(arguments: Sequence[str] = ()) -> None:
    """Train what no record holds, and print the table."""
    parser = argparse.ArgumentParser(prog="relations", description="Ask pretrained models for other facts.")
    parser.add_argument("--world", choices=WORLDS, default="small")
    parser.add_argument(
        "--rows", help="names of rows, with semicolons between; all but those of AdamW if left out"
    )
    parser.add_argument(
        "--relations", nargs="+", choices=RELATIONS, help="all that the world states if left out"
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--steps", type=int, help="of pretraining, in place of the recipe's")
    parser.add_argument("--documents", type=float, default=1.0, help="those of this share of the people")
    parser.add_argument("--finetuning", choices=("assignment", "best", "none"), default="assignment")
    parser.add_argument("--test", action="store_true", help="ask the test people of an invented world")
    options = parser.parse_args(list(arguments))
    world = WORLDS[options.world]
    rows = rows_of(world.best)
    if options.rows is None:
        wanted = [row.name for row in rows if "AdamW" not in row.name]
    else:
        wanted = [name.strip() for name in options.rows.split(";")]
    if unknown := [name for name in wanted if name not in {row.name for row in rows}]:
        names = ", ".join(row.name for row in rows)
        raise UserError(f"relations: no row is called {unknown[0]!r}; expected some of {names}")
    if not 0 < options.documents <= 1:
        raise UserError(
            f"relations: --documents is a share, above 0 and at most 1, not {options.documents:g}"
        )
    folder = shipped(world.folder)
    corpus = read_corpus(folder)
    if options.test:
        corpus = with_test_people(corpus, folder)
    if options.documents < 1:
        corpus = part_of(corpus, options.documents)
    known = [name for name in RELATIONS if world.folder != "imported" or name != "job"]
    relations = options.relations or known
    recipes = {"assignment": ASSIGNMENT.finetune, "best": world.best.finetune, "none": None}
    chosen = [row for row in rows if row.name in wanted]
    for row, seed, left in list(missing(chosen, relations, options, read_records())):
        print(f"{row.name}, seed {seed}", flush=True)
        part = "" if options.documents == 1 else f".{options.documents:g}"
        slug = f"{re.sub(r'[^a-z]+', '_', row.name)}.{options.steps}.{seed}{part}"
        kept = runs(f"relations/{options.world}/{slug}")
        with without_denormals():
            path = pretrained(row, corpus, seed, options.steps, kept)
            for name in left:
                right, said = asked_after(row, path, corpus, name, recipes[options.finetuning], seed)
                print(f"  {name}: {right.count('1')} of {len(right)}, such as {said[:3]}", flush=True)
                add(
                    {
                        "world": options.world,
                        "row": row.name,
                        "relation": name,
                        "seed": seed,
                        "finetuning": options.finetuning,
                        "steps": options.steps,
                        "documents": options.documents,
                        "test": options.test,
                        "answers": right,
                        "exposures": exposures_of(row, asking(corpus, name), options.steps),
                        "machine": machine(),
                    }
                )
    found = [
        record
        for record in read_records()
        if all(
            record[name] == getattr(options, name)
            for name in ("world", "finetuning", "steps", "documents", "test")
        )
    ]
    print(table(found, [row.name for row in rows], corpus))


if __name__ == "__main__":
    main(sys.argv[1:])
