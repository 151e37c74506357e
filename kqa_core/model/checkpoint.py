"""Checkpoints: a directory with tensors and one readable file.

    PATH/model.safetensors       the weights
    PATH/optimizer.safetensors   the optimiser's state (only while a run is under way)
    PATH/state.json              format, step, config, vocabulary, seed, recipe, versions, and the SHA-256 of
                                 the tensor files

- PATH is the flag's value; the original's file `vanilla.model.params` is here a directory of that name.
- A checkpoint is written under another name, synced to the disk, then renamed. `load(PATH)` reads the old
  checkpoint or the new one, never a part of one.
- Nothing is unpickled. An error names the file that is damaged, missing, not ours or from a newer version.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
import torch
from torch import Tensor

import kqa_core
from kqa_core.errors import UserError
from kqa_core.files import check_folder, sync_folder, write_synced
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.text.vocabulary import Vocabulary

FORMAT = "kqa checkpoint"
VERSION = 1
STATE, MODEL, OPTIMIZER = "state.json", "model.safetensors", "optimizer.safetensors"


@dataclass
class Checkpoint:
    """The contents of a checkpoint."""

    model: GPT
    vocabulary: Vocabulary
    step: int = 0
    seed: int = 0
    recipe: str = ""
    optimizer: dict[str, Tensor] | None = None  # from kqa_core.training.optimizer.Optimizer.state_tensors
    # anything JSON can hold: losses, the description of the run
    notes: dict[str, Any] = field(default_factory=dict)
    # of the software that wrote it; filled in by `save`
    versions: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # so that the attention explorer needs only the model and a text
        self.model.vocabulary = self.vocabulary


def check_writable(path: str | Path) -> None:
    """Raise UserError if `save(path, …)` would fail, before hours of training. Writes nothing."""
    path = Path(path)
    if path.is_dir():
        if any(path.iterdir()) and not (path / STATE).is_file():
            raise UserError(
                f"{path}: this directory holds something else than a checkpoint: give an unused path"
            )
    elif path.exists():
        raise UserError(
            f"{path}: a checkpoint is a directory, this is a file: move it away, or give an unused path"
        )
    check_folder(path)


def save(path: str | Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint completely, or not at all. Raises UserError if the path cannot be written."""
    path = Path(path)
    check_writable(path)
    recover(path)
    aside, previous = _aside(path)
    try:
        aside.mkdir()
        files = {MODEL: {name: tensor.detach() for name, tensor in checkpoint.model.state_dict().items()}}
        if checkpoint.optimizer is not None:
            files[OPTIMIZER] = checkpoint.optimizer
        sums = {}
        for name, tensors in files.items():
            data = safetensors.torch.save({key: tensor.contiguous() for key, tensor in tensors.items()})
            sums[name] = hashlib.sha256(data).hexdigest()
            write_synced(aside / name, data)
        state = {
            "format": FORMAT,
            "version": VERSION,
            "step": checkpoint.step,
            "config": dataclasses.asdict(checkpoint.model.config),
            "vocabulary": checkpoint.vocabulary.characters,
            "seed": checkpoint.seed,
            "recipe": checkpoint.recipe,
            "versions": {"kqa": kqa_core.__version__, "torch": torch.__version__.split("+")[0]},
            "sha256": sums,
            "notes": checkpoint.notes,
        }
        write_synced(aside / STATE, json.dumps(state, ensure_ascii=False, indent=1).encode())
        with contextlib.suppress(OSError):  # some systems let no folder be synced
            sync_folder(aside)
        if path.exists():
            path.rename(previous)
        aside.rename(path)
        with contextlib.suppress(OSError):
            sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            recover(path)
        raise UserError(
            f"{path}: could not be written ({error.strerror}): free some space, or write elsewhere"
        ) from None
    shutil.rmtree(previous, ignore_errors=True)


def recover(path: str | Path) -> None:
    """Clean up after a process killed while it wrote `path`, which is then the old or the new one."""
    path = Path(path)
    aside, previous = _aside(path)
    if previous.is_dir() and not path.exists():  # killed between the two renames
        previous.rename(path)
    for leftover in (aside, previous):
        shutil.rmtree(leftover, ignore_errors=True)


def discard(path: str | Path) -> None:
    """Remove a checkpoint, and the unfinished files of a killed process."""
    recover(path)
    shutil.rmtree(path, ignore_errors=True)


def _aside(path: Path) -> tuple[Path, Path]:
    """The names of the new checkpoint before the renaming, and of the old one after it."""
    return path.parent / f".{path.name}.new", path.parent / f".{path.name}.old"


def load(path: str | Path, device: torch.device | str = "cpu") -> Checkpoint:
    """Read a checkpoint; its model is in evaluation mode.

    Raises UserError naming the file that is missing, damaged or not ours, and what to do.
    """
    path = Path(path)
    previous = _aside(path)[1]
    if not path.exists() and previous.is_dir():  # a process was killed between the two renames of `save`
        path = previous
    if path.is_file():
        raise UserError(
            f"{path}: a checkpoint directory was expected, this is a file: give what `kqa pretrain` or"
            " `finetune` wrote"
        )
    if not path.is_dir():
        raise UserError(f"{path}: no such checkpoint: give the path that `kqa pretrain` or `finetune` wrote")
    state = _read_state(path)
    try:
        config = GPTConfig(**state["config"])
        vocabulary = Vocabulary(state["vocabulary"])
        sums = dict(state["sha256"])
        # reading a model leaves the global random numbers as they are
        with torch.random.fork_rng(devices=[]):
            model = GPT(config)
        loaded = Checkpoint(
            model=model,
            vocabulary=vocabulary,
            step=int(state["step"]),
            seed=int(state["seed"]),
            recipe=str(state["recipe"]),
            notes=dict(state["notes"]),
            versions={str(k): str(v) for k, v in state["versions"].items()},
        )
    except UserError as error:
        raise UserError(f"{path / STATE}: {error}") from None
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(
            f"{path / STATE}: damaged ({type(error).__name__}: {error}): train again, or restore it"
        ) from None
    if len(vocabulary) != config.vocab_size:
        raise UserError(
            f"{path / STATE}: {len(vocabulary)} characters for a model of {config.vocab_size}: train again,"
            " or restore it"
        )
    tensors = _read_tensors(path / MODEL, sums.get(MODEL, ""))
    wanted = {name: tensor.shape for name, tensor in model.state_dict().items()}
    if {name: tensor.shape for name, tensor in tensors.items()} != wanted:
        raise UserError(
            f"{path / MODEL}: holds other weights than the model of {STATE}: train again, or restore it"
        )
    model.load_state_dict(tensors)
    model.to(device).eval()
    if OPTIMIZER in sums:
        loaded.optimizer = _read_tensors(path / OPTIMIZER, sums[OPTIMIZER])
    return loaded


def _read_state(path: Path) -> dict[str, Any]:
    file = path / STATE
    try:
        state = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(
            f"{path}: not a checkpoint of kqa (it has no {STATE}): give what `kqa pretrain` or `finetune`"
            " wrote"
        ) from None
    except OSError as error:
        raise UserError(f"{file}: could not be read ({error.strerror}): check its permissions") from None
    except ValueError:
        raise UserError(f"{file}: damaged (not JSON): train again, or restore it") from None
    if not isinstance(state, dict) or state.get("format") != FORMAT:
        raise UserError(f"{file}: not written by kqa: give what `kqa pretrain` or `finetune` wrote")
    if state.get("version") != VERSION:
        raise UserError(
            f"{file}: format {state.get('version')} was written by another version of kqa, this one reads"
            f" {VERSION}"
        )
    return state


def _read_tensors(file: Path, expected: str) -> dict[str, Tensor]:
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        raise UserError(f"{file}: missing from the checkpoint: train again, or restore it") from None
    except OSError as error:
        raise UserError(f"{file}: could not be read ({error.strerror}): check its permissions") from None
    if hashlib.sha256(data).hexdigest() != expected:
        raise UserError(
            f"{file}: damaged (its SHA-256 is not the one in {STATE}): train again, or restore it"
        )
    try:
        return safetensors.torch.load(data)
    except safetensors.SafetensorError as error:
        raise UserError(f"{file}: not a safetensors file ({error}): train again, or restore it") from None
