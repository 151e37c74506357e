"""Grid or random search: 18 fine-tuning runs, chosen on validation, then tested once.

- A run uses one thread, and its seed determines all random numbers. So one process and several
  give the same table.
- Finished runs are kept in FILE.resume, which is written after each run. After an interruption, only the
  missing runs are done.
- The test split is used once, at the end: the chosen run is repeated, which gives the same weights, and
  evaluated.
- The grid's learning rates are the published ones for roberta-base (1e-4, 5e-5, 1e-5), and 20 times those for
  the small encoder.
- A random search (Bergstra and Bengio 2012) draws every run from `RANGE`, `RANDOM_SIZES` and `RANDOM_EPOCHS`.
  These go beyond the grid to larger rates, more epochs and smaller batches (for the hub's model also to
  smaller rates). No run has more than 128 sentences per step.
"""

from __future__ import annotations

import hashlib
import json
import platform
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, Protocol

import torch

from kqa_core.encoder.finetune import FineTune, FineTuned, fine_tune
from kqa_core.encoder.hugging_face import need
from kqa_core.encoder.sentiment import Example, Sentiment
from kqa_core.encoder.sources import SHIPPED, corpus, encoder_source
from kqa_core.errors import UserError, differing
from kqa_core.files import check_writable, write_together
from kqa_core.hardware import cores
from kqa_core.progress import progress
from kqa_core.stats import Proportion

BATCH_SIZES, EPOCHS = (64, 128, 256), (2, 5)
LEARNING_RATES, REAL_LEARNING_RATES = (2e-3, 1e-3, 2e-4), (1e-4, 5e-5, 1e-5)
RANGE, REAL_RANGE = (2e-4, 2e-2), (5e-6, 5e-4)  # learning rates of a random search
RANDOM_SIZES, RANDOM_EPOCHS = (16, 32, 64, 128), range(2, 9)
# of an encoder's folder
FILES = ("config.json", "model.safetensors", "tokenizer*.json", "special_tokens_map.json")
# in a process: random numbers and the number of threads belong to all of it
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class GridRun:
    """One run of the grid, finished."""

    batch_size: int
    learning_rate: float
    epochs: int
    losses: list[float]  # of every step
    validation_loss: list[float]  # before training, then after every epoch
    validation_accuracy: list[float]  # likewise
    seconds: float

    @property
    def score(self) -> tuple[float, float]:
        """The criterion for the best run: final validation accuracy, then the negative loss."""
        return self.validation_accuracy[-1], -self.validation_loss[-1]


@dataclass(frozen=True)
class GridResult:
    """A finished grid."""

    description: dict[str, Any]  # everything its result depends on
    runs: list[GridRun]
    test: Proportion  # of the best run
    kinds: dict[str, Proportion]  # the same by kind of sentence; empty where kinds are not known
    seconds: float  # summed over interruptions
    machine: dict[str, Any]

    @property
    def best(self) -> GridRun:
        """The run with the highest validation accuracy, and of those the one with the lowest loss."""
        return max(self.runs, key=lambda run: run.score)


@dataclass(frozen=True)
class Task:
    """One run, with all data that another process needs for it."""

    config: FineTune
    data: Sentiment  # its test is empty
    source: str  # a folder of this machine, or a name on the hub
    files: dict[str, bytes]  # the files of that folder; empty for a name


def grid(
    out: str | Path,
    small: bool = False,
    workers: int | None = None,
    show: bool = True,
    configs: list[FineTune] | None = None,
    model: str = SHIPPED,
    sentences: str = SHIPPED,
) -> GridResult:
    """Do the missing runs, choose the best, evaluate it on the test split, and write `out`.

    `workers` processes, by default one for each core. `configs` replaces the grid's runs. `model` and
    `sentences` are names as in `sources`. Raises UserError for arguments that cannot be used.
    """
    out, began = Path(out), time.monotonic()
    check_writable(out)
    data, source = corpus(sentences, small), encoder_source(model)
    files = files_of(Path(source)) if Path(source).is_dir() else {}
    configs = configs or configurations(model)
    described = describe(configs, data, files, model, sentences)
    resume = out.with_name(f"{out.name}.resume")
    done, before = _resume(resume, described)
    train = Sentiment(data.train, data.validation, ())
    missing = [Task(config, train, source, files) for config in configs if key(config) not in done]
    with progress(len(configs), "grid", show, len(done)) as shown:
        shown.update(len(done))
        for config, run in _runs(missing, workers):
            done[key(config)] = run
            _write(
                resume,
                {
                    "description": described,
                    "runs": {name: asdict(finished) for name, finished in done.items()},
                    "seconds": before + time.monotonic() - began,
                },
            )
            shown.update(len(done))
    runs = [done[key(config)] for config in configs]
    chosen = max(zip(runs, configs, strict=True), key=lambda pair: pair[0].score)[1]
    tuned = _on_one_thread(lambda: fine_tune(chosen, train, source, show=False))
    test, kinds = score(tuned, data.test)
    seconds = before + time.monotonic() - began
    result = GridResult(described, runs, test, kinds, round(seconds, 1), _machine(workers))
    _write(out, asdict(result))
    resume.unlink(missing_ok=True)
    return result


def configurations(model: str = SHIPPED) -> list[FineTune]:
    """The configurations of the 18 runs."""
    rates = LEARNING_RATES if model == SHIPPED else REAL_LEARNING_RATES
    return [
        FineTune(batch_size=batch_size, learning_rate=rate, epochs=epochs)
        for batch_size, rate, epochs in product(BATCH_SIZES, rates, EPOCHS)
    ]


def random_configurations(count: int, seed: int = 0, model: str = SHIPPED) -> list[FineTune]:
    """`count` random configurations; the learning rate's logarithm, batch size and epochs are uniform.

    >>> [config.batch_size in BATCH_SIZES for config in random_configurations(2)]
    [True, True]
    """
    rng = Random(seed)
    low, high = RANGE if model == SHIPPED else REAL_RANGE
    drawn = []
    for _ in range(count):
        rate = float(f"{low * (high / low) ** rng.random():.2g}")
        size = RANDOM_SIZES[int(rng.random() * len(RANDOM_SIZES))]
        drawn.append(FineTune(size, rate, RANDOM_EPOCHS[int(rng.random() * len(RANDOM_EPOCHS))]))
    return drawn


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of the encoder and tokenizer in a folder. Raises UserError if there is no encoder."""
    paths = [path for pattern in FILES for path in sorted(folder.glob(pattern))]
    files = {path.name: path.read_bytes() for path in paths}
    if "config.json" not in files or "model.safetensors" not in files:
        raise UserError(
            f"{folder}: has no encoder (config.json, model.safetensors): make it with `kqa encoder pretrain`"
        )
    return files


def describe(
    configs: list[FineTune],
    data: Sentiment,
    files: dict[str, bytes],
    model: str = SHIPPED,
    sentences: str = SHIPPED,
) -> dict[str, Any]:
    """Everything the grid's result depends on, as JSON values."""
    text = json.dumps(asdict(data), sort_keys=True).encode()
    digests = {
        name: hashlib.sha256(content).hexdigest()
        for name, content in files.items()
        if name != "tokenizer_config.json"
    }
    return {
        "configs": [asdict(config) for config in configs],
        "encoder": "data/encoder" if model == SHIPPED else model,
        "files": digests,
        "corpus": "data/sentiment" if sentences == SHIPPED else sentences,
        "sentences": [len(data.train), len(data.validation), len(data.test)],
        "sha256": hashlib.sha256(text).hexdigest(),
    }


def key(config: FineTune) -> str:
    """The identity of a run: its configuration as JSON."""
    return json.dumps(asdict(config), sort_keys=True)


def run_one(task: Task) -> GridRun:
    """Do one run."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in task.files.items():
            (Path(folder) / name).write_bytes(content)
        tuned = _on_one_thread(
            lambda: fine_tune(task.config, task.data, folder if task.files else task.source, show=False)
        )
    config, curves = task.config, tuned.curves
    return GridRun(
        batch_size=config.batch_size,
        learning_rate=config.learning_rate,
        epochs=config.epochs,
        losses=[round(loss, 4) for loss in curves.losses],
        validation_loss=[round(loss, 5) for loss in curves.validation_loss],
        validation_accuracy=[round(accuracy, 5) for accuracy in curves.validation_accuracy],
        seconds=round(curves.seconds, 2),
    )


def _on_one_thread(work: Callable[[], FineTuned]) -> FineTuned:
    with _one_at_a_time:
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            return work()
        finally:
            torch.set_num_threads(threads)


class Classifier(Protocol):
    """A classifier of sentences. `predict` gives the probability that each is positive, or 0 and 1."""

    def predict(self, sentences: Sequence[str]) -> torch.Tensor:
        """(N,)."""


def score(model: Classifier, examples: tuple[Example, ...]) -> tuple[Proportion, dict[str, Proportion]]:
    """The accuracy, and the accuracy for each kind of sentence."""
    right = (model.predict([example.sentence for example in examples]) > 0.5).long() == torch.tensor(
        [example.label for example in examples]
    )
    kinds = sorted({example.kind for example in examples} - {""})
    rows = {kind: [i for i, example in enumerate(examples) if example.kind == kind] for kind in kinds}
    return Proportion(int(right.sum()), len(examples)), {
        kind: Proportion(int(right[at].sum()), len(at)) for kind, at in rows.items()
    }


def _runs(tasks: list[Task], workers: int | None) -> Iterator[tuple[FineTune, GridRun]]:
    """Yield the runs when they finish."""
    workers = min(workers or cores(), max(1, len(tasks)))
    if workers == 1:
        yield from ((task.config, run_one(task)) for task in tasks)
        return
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        configs_of = {pool.submit(run_one, task): task.config for task in tasks}
        try:
            for future in as_completed(configs_of):
                yield configs_of[future], future.result()
        except BrokenProcessPool:
            raise UserError(
                "grid: a process was killed: run the same command again, or with fewer --workers"
            ) from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def read_grid(path: str | Path) -> GridResult:
    """Read a finished grid. Raises UserError for any other file."""
    try:
        result = json.loads(Path(path).read_text(encoding="utf-8"))
        kinds = {kind: Proportion(**share) for kind, share in result["kinds"].items()}
        runs = [GridRun(**run) for run in result["runs"]]
        return GridResult(
            result["description"],
            runs,
            Proportion(**result["test"]),
            kinds,
            result["seconds"],
            result["machine"],
        )
    except FileNotFoundError:
        raise UserError(f"{path}: no such file: `kqa encoder grid --out {path}` makes it") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise UserError(f"{path}: holds no grid: `kqa encoder grid --out FILE` writes one") from None


def _resume(resume: Path, described: dict[str, Any]) -> tuple[dict[str, GridRun], float]:
    """The finished runs of an interrupted grid, and its seconds. Raises UserError for another grid's."""
    if not resume.exists():
        return {}, 0.0
    try:
        state = json.loads(resume.read_text(encoding="utf-8"))
        theirs = dict(state["description"])
        done = {name: GridRun(**run) for name, run in state["runs"].items()}
        seconds = float(state["seconds"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise UserError(f"{resume}: not the state of a grid: remove it to start again") from None
    if theirs != described:
        differs = differing(described, theirs)
        raise UserError(
            f"{resume}: another grid's state (other {differs}): finish that one, or remove the file to start"
            " again"
        )
    return done, seconds


def _write(path: Path, content: dict[str, Any]) -> None:
    write_together(path.parent, {path.name: json.dumps(content) + "\n"})


def _machine(workers: int | None) -> dict[str, Any]:
    return {
        "workers": workers or cores(),
        "python": platform.python_version(),
        "torch": torch.__version__.split("+")[0],
        "transformers": need("transformers").__version__,
    }
