"""The ladder from the published accuracy to the ceiling, lever by lever. Run: kqa bench ladder

- `LADDER` adds one lever a row to the assignment's recipe; the last row is `best`. `WITHOUT` takes one away
  from `best`. _levers.py has their recipes. All rows of a world read the same number of characters, padding
  not counted: what differs is what they make of them.
- `WHOLE` are recipes for as long as they say, trained only where they are named: the assignment takes hours,
  `best` under one.
- No row reads a dev or test label: dev answers score a model, and count after the fact how often each was
  hidden (`exposures`).
- A finished run is a record in benchmarks/results/ladder.json, with its machine: it is kept, and only what is
  missing is trained. A run that was broken off goes on where it was, and then has no seconds; nor has one
  that had to share its processors.
- Rows that differ in finetuning alone share one pretraining: the second of them starts from its model, and
  has no seconds.
- All records are drawn: docs/images/ladder_original.png, ladder_full.png, ladder_small.png and
  ladder_seconds.png, each as soon as there is something to draw.
- Without arguments the small world's rows are trained, about a minute each on two cores.
- The full world's rows take six to eleven minutes each on two cores. The original data's take six to fifteen,
  and need `kqa data import DIR` first:
      python benchmarks/ladder.py --world original --rows "best, all of it" --seeds 0
- On a GPU, which one small model does not fill, `--processes 12` trains so many rows at once; those have no
  seconds.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import RESULTS, machine
from benchmarks._levers import WORLDS, Lever, World, ladder, whole, without
from kqa_core.errors import UserError
from kqa_core.evaluation.evaluate import evaluate
from kqa_core.experiments.ladder_tables import ladder_table
from kqa_core.experiments.results import (
    LADDER,
    WHOLE,
    WITHOUT,
    LadderRow,
    of_row,
    read_ladder,
    rows_in,
)
from kqa_core.files import write_whole
from kqa_core.hardware import cores
from kqa_core.model import checkpoint
from kqa_core.model.config import PAD_INDEX
from kqa_core.show.figures.nb08b_ladder import LEVELS, accuracy_by_lever, accuracy_by_seconds
from kqa_core.text.birthplaces import Pair, person_of
from kqa_core.text.corpus import read_corpus
from kqa_core.text.packaged import runs, shipped
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.training.batches import Batches
from kqa_core.training.loop import without_denormals
from kqa_core.training.recipes import RECIPES
from kqa_core.training.runs import Run, prepare_finetune, prepare_pretrain

RECORDS = RESULTS / "ladder.json"
PICTURES = RESULTS.parents[1] / "docs" / "images"
POINTS = 10  # times that accuracy is taken on the way; the clock stands still meanwhile
COUNTED = 200  # batches over which exposures are counted
QUIET = 0.85  # the least share of its threads' time that a run must have had for its seconds to mean anything
BAR = "original data ≥ 80 % in ≤ 60 minutes of two cores"


def held_up(seconds: float, worked: float) -> bool:
    """Whether a process that worked so long, over all threads,
    in so many seconds had too little of its processors.
    """
    return worked < QUIET * seconds * torch.get_num_threads()


def steps_for(source: Batches, characters: int) -> int:
    """How many steps read about so many characters: padding counts nothing."""
    return max(1, round(characters / per_step(source, 0)))


def per_step(source: Batches, part: int) -> float:
    """How many characters a step reads (`part` 0),
    or has a loss on (`part` 1), on average over its first 64.
    """
    return sum(int((source.batch(step)[part] != PAD_INDEX).sum()) for step in range(64)) / 64


def exposures(run: Run, pairs: Sequence[Pair]) -> float:
    """How often training hides the whole place of a dev person, on average, counted over some of its batches.

    A row belongs to the person whose name it begins with, and hides a place if its targets hold it as they
    stand.
    """
    places = {person_of(pair.question): pair.answer or "" for pair in pairs}
    stride = max(1, run.steps // COUNTED)
    counted = range(0, run.steps, stride)
    hidden = 0
    for step in counted:
        for x, y in zip(*run.source.batch(step), strict=True):
            name, stop, _ = run.vocabulary.decode(x.tolist()).partition(". ")
            hidden += bool(stop) and name in places and places[name] in targets(run.vocabulary, y)
    return hidden * run.steps / len(counted) / len(pairs)


def targets(vocabulary: Vocabulary, y: torch.Tensor) -> str:
    """The characters that carry loss in a row of y, one after the other."""
    return vocabulary.decode([index for index in y.tolist() if index != PAD_INDEX])


def train_row(
    world: World, where: Path, lever: Lever, seed: int, kept: Path, alone: bool = True
) -> dict[str, Any]:
    """Train one row to its end and return its figures.
    `alone`: nothing else trains meanwhile, so its time can be taken.
    """
    corpus = read_corpus(where)
    RECIPES["ladder"] = lever.recipe  # a row is a recipe of this process
    pretrain = {"recipe": "ladder", "seed": seed}
    run = prepare_pretrain(lever.variant, corpus, **pretrain)  # type: ignore[arg-type]
    if not lever.whole:
        steps = steps_for(run.source, world.characters)
        run = prepare_pretrain(lever.variant, corpus, **pretrain, steps=steps)  # type: ignore[arg-type]
    steps = run.steps
    curve: list[tuple[int, float, int]] = []
    began, paused, seen = time.monotonic(), 0.0, 0
    had = time.process_time()

    def watch(done: int) -> None:
        nonlocal paused, seen
        if done * POINTS // steps > seen * POINTS // steps:
            arrived = time.monotonic()
            curve.append(
                (
                    done,
                    round(arrived - began - paused, 1),
                    evaluate(run.model, run.vocabulary, corpus.dev).accuracy.hits,
                )
            )
            paused += time.monotonic() - arrived
        seen = done

    pretrained = finished(run, kept)
    first = None
    if pretrained is None:
        pretrained = kept / "pretrain.params"
        first = run.train(pretrained, show=alone, watch=watch if alone else None)  # a curve needs a clock
    second = prepare_finetune(lever.variant, corpus, pretrained, recipe="ladder", seed=seed).train(show=alone)
    result = evaluate(second.model.to(run.device), second.vocabulary, corpus.dev)
    right = [answer == pair.answer for answer, pair in zip(result.predictions, corpus.dev, strict=True)]
    slowed = not alone or (
        run.device.type == "cpu" and held_up(time.monotonic() - began, time.process_time() - had)
    )
    # else a clock was lost, or is of no use
    clocked = None if first is None or first.resumed_at > 0 or slowed else first
    return {
        "accuracy": result.accuracy,
        "answers": "".join("01"[hit] for hit in right),
        "steps": steps,
        "characters": round(steps * per_step(run.source, 0)),
        "documents": len(corpus.documents),
        "parameters": run.model.count_parameters(),
        "targets": round(steps * per_step(run.source, 1)),
        "exposures": round(exposures(run, corpus.dev), 1),
        "seconds": None if clocked is None else round(clocked.seconds - paused + second.seconds),
        "curve": [
            {"step": done, "seconds": seconds, "correct": right}
            for done, seconds, right in curve
            if clocked is not None
        ],
        "machine": machine(),
    }


def finished(run: Run, kept: Path) -> Path | None:
    """The model of another row that has done the same pretraining, with the same seed;
    None if there is none.
    """
    mine = as_trained(json.loads(json.dumps(run.description)))
    others = (path for path in sorted(kept.parent.glob("*/pretrain.params")) if path.parent != kept)
    return next((path for path in others if as_trained(checkpoint.load(path).notes["run"]) == mine), None)


def as_trained(description: dict[str, Any]) -> dict[str, Any]:
    """A run without its recipe's length: its own number of steps says how long it was."""
    return description | {"phase": description["phase"] | {"epochs": None, "steps": None}}


def described(lever: Lever, world: World) -> dict[str, Any]:
    """All that a row is, as JSON has it: a record of other numbers is another row's."""
    numbers: dict[str, Any] = json.loads(json.dumps(asdict(lever.recipe)))
    return {
        "variant": lever.variant,
        "characters": None if lever.whole else world.characters,
        "recipe": numbers,
    }


def missing(
    world: str, levers: Sequence[Lever], seeds: Sequence[int], records: list[LadderRow]
) -> Iterator[tuple[Lever, int]]:
    """The rows that no record holds, seed by seed: a ladder broken off leaves whole tables."""
    for seed in seeds:
        for lever in levers:
            mine = described(lever, WORLDS[world])
            if not any((r.world, r.name, r.seed, r.run) == (world, lever.name, seed, mine) for r in records):
                yield lever, seed


def trained(
    world: str, where: Path, todo: Sequence[tuple[Lever, int]], processes: int
) -> Iterator[tuple[Lever, int, dict[str, Any]]]:
    """Train rows, so many at once. Yields each with its figures when it is done;
    one that diverges is named and left out.
    """
    calls = [
        (WORLDS[world], where, *row, runs(f"ladder/{world}/{row[0].name.replace(' ', '_')}.{row[1]}"))
        for row in todo
    ]
    threads = max(1, cores() // processes)
    with ProcessPoolExecutor(processes, get_context("spawn"), torch.set_num_threads, (threads,)) as pool:
        if processes > 1:
            rows = {
                pool.submit(in_this_process, *call, False): row for call, row in zip(calls, todo, strict=True)
            }
            done = ((rows[future], future.result) for future in as_completed(rows))
        else:
            done = (
                (row, partial(in_this_process, *call, True)) for call, row in zip(calls, todo, strict=True)
            )
        for (lever, seed), figures in done:
            try:
                yield lever, seed, figures()
            except UserError as error:
                print(f"{world}, {lever.name}, seed {seed}: {error}", file=sys.stderr)


def in_this_process(
    world: World, where: Path, lever: Lever, seed: int, kept: Path, alone: bool
) -> dict[str, Any]:
    """The figures of one row."""
    if alone:
        print(f"{lever.name}, seed {seed}", flush=True)
    with without_denormals():  # before torch starts its threads: they inherit it
        return train_row(world, where, lever, seed, kept, alone)


def record(row: LadderRow) -> None:
    """Put one row into the records, in place of one of the same name."""
    others = [
        other
        for other in read_ladder(RECORDS)
        if (other.world, other.name, other.seed) != (row.world, row.name, row.seed)
    ]
    rows = sorted([*others, row], key=lambda one: (one.world, one.name, one.seed))
    write_whole(RECORDS, json.dumps({"bar": BAR, "rows": [one.to_json() for one in rows]}, indent=1) + "\n")


def draw(records: Sequence[LadderRow]) -> None:
    """Draw the README's pictures of all that is recorded."""
    worlds = {
        "original": "Original data, 500 questions",
        "full": "Full world, 500 questions",
        "small": "Small world, 100 questions",
    }
    names = (*LADDER, *WITHOUT)
    pictures = {
        f"ladder_{world}": accuracy_by_lever(records, world, names, title)
        for world, title in worlds.items()
        if any(of_row(records, world, name) for name in names)
    }
    if whole_runs := {
        name: run for name in WHOLE for run in of_row(records, "original", name) if run.seconds
    }:
        pictures["ladder_seconds"] = accuracy_by_seconds(whole_runs, LEVELS, worlds["original"])
    for name, still in pictures.items():
        write_whole(PICTURES / f"{name}.png", still.png())


def main(arguments: Sequence[str] = ()) -> None:
    """Train what no record holds, and print the table."""
    parser = argparse.ArgumentParser(
        prog="ladder", description="Train the rows of the ladder that no record holds yet."
    )
    parser.add_argument("--world", choices=WORLDS, default="small")
    parser.add_argument(
        "--rows", help="names of rows, with semicolons between; LADDER and WITHOUT if left out"
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--processes", type=int, default=1, help="rows trained at once [default: 1]")
    options = parser.parse_args(list(arguments))
    if options.processes < 1:
        raise UserError(f"ladder: --processes must be at least 1, not {options.processes}")
    world = WORLDS[options.world]
    levers = [*ladder(world.best), *without(world.best), *whole(world.best)]
    names = rows_in(options.world, [*LADDER, *WITHOUT, *WHOLE])
    wanted = (
        rows_in(options.world, [*LADDER, *WITHOUT])
        if options.rows is None
        else [name.strip() for name in options.rows.split(";")]
    )
    unknown = [name for name in wanted if name not in names]
    if unknown:
        raise UserError(f"ladder: no row is called {unknown[0]!r}; expected some of {', '.join(names)}")
    where = shipped(world.folder)
    levers = [lever for lever in levers if lever.name in wanted]
    todo = list(missing(options.world, levers, options.seeds, read_ladder(RECORDS)))
    for lever, seed, figures in trained(options.world, where, todo, options.processes):
        print(f"{options.world}, {lever.name}, seed {seed}: {figures['accuracy']}", flush=True)
        record(
            LadderRow(world=options.world, name=lever.name, seed=seed, run=described(lever, world), **figures)
        )
    records = read_ladder(RECORDS)
    print(ladder_table(records, options.world, names))
    draw(records)


if __name__ == "__main__":
    main(sys.argv[1:])
