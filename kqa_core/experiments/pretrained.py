"""Pretrained models that come with the course: `shipped_model("small.vanilla.finetune")`.

- `SHIPPED` has the commands that make each of them; `kqa data checkpoints` runs them again.
  `data/checkpoints/manifest.json` has the same commands, and the scores of the files in that folder.
- Checkpoints after pretraining only are not kept.
- Weights are float32, as trained: on the same machine, a loaded model gives the same logits, bit for bit.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kqa_core.errors import UserError, suggest
from kqa_core.files import make_folder, write_together
from kqa_core.model import checkpoint
from kqa_core.model.checkpoint import Checkpoint
from kqa_core.text.corpus import DEV, DOCUMENTS, TRAIN, read_corpus
from kqa_core.text.packaged import shipped

FOLDER, MANIFEST = "checkpoints", "manifest.json"
WORLD, RECIPE, SEED = "world/small", "small", 0
ASKED = (TRAIN, DEV)  # the files whose scores the manifest states


@dataclass(frozen=True)
class Shipped:
    """One model: its variant, and whether it was pretrained on the documents before finetuning."""

    variant: str
    pretrained: bool
    about: str

    def commands(self, name: str) -> list[str]:
        """The commands that make the checkpoint `name`, for the top folder of a working copy."""
        world, folder = f"data/{WORLD}", f"data/{FOLDER}"
        options = f"--finetune_corpus_path {world}/{TRAIN} --recipe {RECIPE} --seed {SEED}"
        read = f"{folder}/{name}.pretrain"
        written = f"--writing_params_path {folder}/{name}"
        corpus = f"{self.variant} {world}/{DOCUMENTS} {options}"
        if not self.pretrained:
            return [f"kqa finetune {corpus} {written}"]
        return [
            f"kqa pretrain {corpus} --writing_params_path {read}",
            f"kqa finetune {corpus} --reading_params_path {read} {written}",
        ]


SHIPPED = {
    "small.vanilla.scratch": Shipped(
        "vanilla", False, "not pretrained: finetuned on the train questions only"
    ),
    "small.vanilla.finetune": Shipped(
        "vanilla", True, "pretrained on the small world, then finetuned on the train questions"
    ),
    "small.synthesizer.finetune": Shipped(
        "synthesizer", True, "the same with dense Synthesizer attention in every layer"
    ),
}


def shipped_model(name: str) -> Checkpoint:
    """The shipped model called `name`. Raises UserError if there is none, or if its file is damaged."""
    if name not in SHIPPED:
        raise UserError(f"no shipped model is called {name!r}: {suggest(name, SHIPPED)}")
    try:
        path = shipped(f"{FOLDER}/{name}")
    except UserError:
        advice = f"run from a working copy, or make it with `kqa data checkpoints {name}`"
        raise UserError(f"data/{FOLDER}/{name}: no such folder here or above: {advice}") from None
    return checkpoint.load(path)


def make(names: list[str], folder: str | Path, show: bool = True) -> None:
    """Train the named models again, write them into `folder`, and update its manifest.

    Raises UserError for an unknown name, and for a folder that cannot be written.
    """
    for name in names:
        if name not in SHIPPED:
            raise UserError(f"no shipped model is called {name!r}: {suggest(name, SHIPPED)}")
    folder = Path(folder)
    make_folder(folder)
    for name in names:
        _train(SHIPPED[name], folder / name, show)
    stated = {name: _stated(name, folder / name) for name in SHIPPED if (folder / name).is_dir()}
    write_together(folder, {MANIFEST: json.dumps(stated, indent=1) + "\n"})


def _train(what: Shipped, path: Path, show: bool) -> None:
    from kqa_core.training.config import TrainingConfig
    from kqa_core.training.runs import prepare_finetune, prepare_pretrain

    corpus, config = read_corpus(shipped(WORLD)), TrainingConfig(recipe=RECIPE, seed=SEED, device="cpu")
    with tempfile.TemporaryDirectory() as scratch:
        read = None
        if what.pretrained:
            read = Path(scratch) / "pretrain"
            prepare_pretrain(what.variant, corpus, config).train(read, show)
        prepare_finetune(what.variant, corpus, read, config).train(path, show)


def _stated(name: str, path: Path) -> dict[str, Any]:
    from kqa_core.evaluation.evaluate import evaluate
    from kqa_core.text.corpus import read_pairs

    model = checkpoint.load(path)
    scores = {}
    for file in ASKED:
        accuracy = evaluate(model.model, model.vocabulary, read_pairs(shipped(WORLD) / file)).accuracy
        scores[file] = {"correct": accuracy.hits, "total": accuracy.total}
    return {
        "about": SHIPPED[name].about,
        "commands": SHIPPED[name].commands(name),
        "world": f"data/{WORLD}",
        "recipe": RECIPE,
        "seed": SEED,
        "threads": 1,
        "parameters": model.model.count_parameters(),
        "versions": model.versions,
        "sha256": hashlib.sha256((path / checkpoint.MODEL).read_bytes()).hexdigest(),
        "scores": scores,
    }
