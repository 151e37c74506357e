"""Masked birthplaces: how many the trained models of the ladder fill in, in the form of pretraining.
Run: kqa bench cloze

- Rows of each model's own pretraining in which the whole birthplace of a dev person is masked, the first ROWS
  of them. The model sees the person's name and the text around the gap. A row is right if the most likely
  character is right in the whole answer.
- The models are those that `benchmarks/ladder.py` left in its runs: train the two rows named here on the
  original data first.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report
from benchmarks.ladder import WORLDS, targets, whole
from kqa_core.model.config import PAD_INDEX
from kqa_core.text.birthplaces import person_of
from kqa_core.text.corpus import read_corpus
from kqa_core.text.packaged import runs, shipped
from kqa_core.training.recipes import RECIPES
from kqa_core.training.runs import Run, load_for, prepare_pretrain

NAMES = {"best": "best, all of it", "plain": "best without cue and questions, all of it"}
ROWS, STRIDE = 400, 12  # every so many batches are looked at


@torch.no_grad()
def masked_places(run: Run, places: dict[str, str]) -> tuple[int, int]:
    """How many rows are right, of ROWS that mask the place of one of these people."""
    right = total = 0
    for step in range(0, run.steps, STRIDE):
        x, y = run.source.batch(step)
        chosen = []
        for number, (row, wanted) in enumerate(zip(x, y, strict=True)):
            name, found, _ = run.vocabulary.decode(row.tolist()).partition(". ")
            if found and name in places and places[name] in targets(run.vocabulary, wanted):
                chosen.append(number)
        chosen = chosen[: ROWS - total]
        if chosen:
            y = y[chosen]
            said = run.model(x[chosen])[0].argmax(-1)
            right += int(((said == y) | (y == PAD_INDEX)).all(1).sum())
            total += len(chosen)
        if total == ROWS:
            break
    return right, total


def main() -> None:
    """Print a line for each model, and write the figures."""
    world = WORLDS["original"]
    corpus = read_corpus(shipped(world.folder))
    places = {person_of(pair.question): pair.answer or "" for pair in corpus.dev}
    levers = {lever.name: lever for lever in whole(world.best)}
    figures = {}
    for key, name in NAMES.items():
        RECIPES["cloze"] = levers[name].recipe
        run = prepare_pretrain(levers[name].variant, corpus, recipe="cloze", seed=0)
        path = runs(f"ladder/original/{name.replace(' ', '_')}.0") / "pretrain.params"
        run.model = load_for(path, levers[name].variant, corpus.vocabulary, world.folder).model.eval()
        figures[key] = masked_places(run, places)
        print(f"{name}: {figures[key][0]} of {figures[key][1]} masked places")
    said = ", ".join(f"{right} of {total}" for right, total in figures.values())
    report("cloze", figures, said, "none")


if __name__ == "__main__":
    main()
