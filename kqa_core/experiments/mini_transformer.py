"""The mini-Transformer lab of notebook 05: a small word model, trained with one thing changed at a time.

- The model: `kqa_core.model.gpt.GPT` with 3 layers, 3 heads, 48 channels and no dropout, over words. The
  text: 3,000 lines of an invented world, generated when needed, one line per person, so that 700 words are
  enough. A tenth of its people are dev: their lines are of the same kind, but are not in the training text.
- Training uses the text as language models usually do: all lines in one sequence, cut into rows of 32 words
  at any place. A row has the end of one line and the beginning of others.
- Sentences are evaluated one at a time, each with its own length. *normal* are dev lines, *scrambled* the
  same lines with their words in random order, *long* are 96 words of dev, three times as long as a training
  row. Each result is a mean over many sentences.
- *word by word* are the normal sentences, each word predicted from the words before it, without the rest of
  the sentence in the input: the loss that counts in generation. For a causal model it equals *normal*.
- `VARIANTS` are the experiments. `raw-norm` is not in the library: it multiplies each head by its norm and
  divides by nothing. The norm is over all rows of the batch, as `head.norm()` computes it.
- A run is a function of its row and its seed. Rows with one seed use the same batches in the same order, so
  that they can be compared in pairs. With a folder, a finished run is kept there and loaded by the next call.
"""

from __future__ import annotations

import hashlib
import io
import math
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from kqa_core.errors import UserError
from kqa_core.files import digest_of, write_whole
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.progress import limited
from kqa_core.text.world.generator import WorldSize, make_world
from kqa_core.training.runs import UNREADABLE, code_digest, shown

UNKNOWN, LINE = "<unk>", "⏎"  # 1 and 2; 0 is padding, as in every GPT here
ROW_LENGTH, LONG, BLOCK = 32, 96, 96  # words in a training row, in a long sentence, and in the model's block
BATCH, STEPS, RATE = 24, 400, 4e-3
SENTENCES, PASSAGES = 60, 24  # normal (and scrambled) sentences; long ones
WORLD = WorldSize(
    train=2700, dev=300, test=1, regions=2, places=12, capital=0.05, flatness=8, agreement=0.6,
    exposures=(1.0,), facts=(0.3, 0.4, 0.2, 0.1), unseen=0.0, unseen_test=0.0,
)  # fmt: skip
Watch = Callable[[int, float], None]
MEASURED = ("train", "dev", "normal", "scrambled", "long", "word by word")


@dataclass(frozen=True)
class Row:
    """One row of the lab's table: the change to the plain model."""

    positions: str = "learned"
    fusion: str = "concat"
    raw_norm: bool = False  # each head times its norm over the whole batch
    n_layer: int = 3
    n_head: int = 3


VARIANTS: dict[str, Row] = {
    "learned": Row(),
    "sinusoidal": Row(positions="sinusoidal"),
    "rotary": Row(positions="rotary"),
    "none": Row(positions="none"),
    "shuffle": Row(fusion="shuffle"),
    "shift": Row(fusion="shift"),
    "norm-reweight": Row(fusion="norm-reweight"),
    "norm-reweight-causal": Row(fusion="norm-reweight-causal"),
    "raw-norm": Row(raw_norm=True),
}


def words_of(line: str) -> list[str]:
    """Words and punctuation marks as a list: "Bo, 7." → ["Bo", ",", "7", "."]."""
    return re.findall(r"\w+|[^\w\s]", line)


@dataclass(frozen=True)
class LabText:
    """The lab's text as token indices."""

    vocabulary: tuple[str, ...]  # by index: padding, unknown, end of line, then words, the commonest first
    train: Tensor  # (number of words,): all lines in one sequence, each after an end-of-line
    dev: Tensor  # likewise
    normal: tuple[Tensor, ...]  # each (length,), starting with the end of the line before it
    scrambled: tuple[Tensor, ...]  # the same, words in random order
    long: tuple[Tensor, ...]  # each (LONG,)

    def read(self, numbers: Tensor) -> str:
        """The words of these indices, joined by spaces."""
        return " ".join(self.vocabulary[number] for number in numbers.tolist())


def lab_text(size: WorldSize = WORLD, least: int = 5) -> LabText:
    """The text of a world. Words that occur fewer than `least` times in train become unknown."""
    world = make_world(size)
    dev = {person.name for person in world.people if person.split == "dev"}
    parts: dict[str, list[list[str]]] = {"train": [], "dev": []}
    for line in world.documents:
        parts["dev" if line.partition(".")[0] in dev else "train"].append(words_of(line))
    counts = Counter(word for line in parts["train"] for word in line)
    vocabulary = ("□", UNKNOWN, LINE, *(word for word, count in counts.most_common() if count >= least))
    index = {word: number for number, word in enumerate(vocabulary)}

    def numbers(words: Sequence[str]) -> Tensor:
        return torch.tensor([index.get(word, index[UNKNOWN]) for word in words])

    streams = {
        name: numbers([word for line in part for word in (LINE, *line)]) for name, part in parts.items()
    }
    rng = random.Random(5)
    chosen = rng.sample(parts["dev"], min(SENTENCES, len(parts["dev"])))
    mixed = [rng.sample(line, len(line)) for line in chosen]
    starts = range(0, len(streams["dev"]) - LONG, LONG)
    return LabText(
        vocabulary=vocabulary,
        train=streams["train"],
        dev=streams["dev"],
        normal=tuple(numbers([LINE, *line]) for line in chosen),
        scrambled=tuple(numbers([LINE, *line]) for line in mixed),
        long=tuple(streams["dev"][start : start + LONG] for start in starts[:PASSAGES]),
    )


def rows_of(stream: Tensor, length: int = ROW_LENGTH) -> Tensor:
    """A stream (n,) as rows of `length` inputs and a last target: (number of rows, length + 1)."""
    return stream.unfold(0, length + 1, length)


def lab_model(vocab_size: int, row: Row, seed: int) -> GPT:
    """The untrained model of one row. The global random generator is not changed.

    >>> lab_model(100, Row(n_layer=1), seed=0).config.n_layer
    1
    """
    config = GPTConfig(
        vocab_size=vocab_size,
        block_size=BLOCK,
        n_layer=row.n_layer,
        n_head=row.n_head,
        d_model=48,
        variant="rope" if row.positions == "rotary" else "vanilla",
        positions=row.positions,
        fusion=row.fusion,
        embedding_dropout=0.0,
        attention_dropout=0.0,
        residual_dropout=0.0,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = GPT(config)
    if row.raw_norm:
        for block in model.blocks:
            projection = block.attention.projection  # type: ignore[union-attr]  # a Block's
            assert isinstance(projection, nn.Linear)
            projection.register_forward_pre_hook(lambda _, given: (raw_norm(given[0], config.n_head),))
    return model


def raw_norm(merged: Tensor, n_head: int) -> Tensor:
    """Each head's channels times the head's norm over the whole batch: (B, T, C) → (B, T, C)."""
    heads = merged.view(*merged.shape[:2], n_head, -1)  # (B, T, nh, hs)
    scaled: Tensor = heads * torch.linalg.vector_norm(heads, dim=(0, 1, 3), keepdim=True)
    return scaled.flatten(2)


def train_lab(
    text: LabText,
    row: Row,
    seed: int,
    steps: int = STEPS,
    watch: Watch | None = None,
    folder: Path | None = None,
) -> GPT:
    """Train one row from one seed, for evaluation; `watch(step, loss)` after every step.

    A `folder` keeps the finished run: the next call loads it, and gives `watch` the same losses. The first
    time that a process loads what another one trained, it says so.
    """
    rows, model = rows_of(text.train), lab_model(len(text.vocabulary), row, seed)
    path = place_of(folder, text.train, row, seed, limited(steps))
    return fit(model, rows[:, :-1], rows[:, 1:], seed, steps, BATCH, RATE, watch, path)


def place_of(folder: Path | None, text: Tensor, row: Row, seed: int, steps: int) -> Path | None:
    """The file in `folder` for one run, named after all that the run depends on."""
    if folder is None:
        return None
    digest = hashlib.sha256(text.numpy().tobytes())
    ours = digest_of(Path(__file__).parent.glob("*.py"), Path(__file__).parent)
    digest.update(f"{row} {seed} {steps} {ours} {code_digest()}".encode())
    return folder / f"{digest.hexdigest()[:16]}.run"


_told: set[Path] = (
    set()
)  # runs of this process, and folders from which the student knows that they are loaded


def _earlier(path: Path, model: GPT, watch: Watch | None) -> bool:
    """Whether a finished run at `path` was loaded into `model`."""
    if not path.exists():
        return False
    try:
        saved = torch.load(path, weights_only=True)
        losses, at = saved["losses"], saved["at"]
        model.load_state_dict(saved["model"])
    except UNREADABLE:
        print(f"{shown(path)} cannot be read, so the training begins anew.")
        return False
    if not {path, path.parent} & _told:
        print(f"loaded from {shown(path)}, trained on {at}; delete the files there to train anew")
        _told.add(path.parent)
    for step, loss in enumerate(losses if watch else (), 1):
        assert watch is not None
        watch(step, loss)
    return True


def fit(
    model: GPT,
    rows: Tensor,
    targets: Tensor,
    seed: int,
    steps: int,
    batch: int,
    rate: float,
    watch: Watch | None = None,
    path: Path | None = None,
) -> GPT:
    """Train a model on rows and targets (n, T), `batch` at a time, each epoch in a new order.

    The order of the rows depends on the seed alone. The global random generator is not changed. KQA_STEPS in
    the environment can make it fewer `steps` (`limited`). What is at `path`, if anything, is loaded instead.
    """
    if steps < 1:
        raise UserError(f"a run needs at least one step, not {steps}")
    if path is not None and _earlier(path, model, watch):
        return model.eval()
    steps, losses = limited(steps), []
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.95), weight_decay=0.01)
    generator = torch.Generator().manual_seed(seed)
    order = torch.empty(0, dtype=torch.long)
    with torch.random.fork_rng(devices=[]):  # shuffled heads draw from the global generator
        torch.manual_seed(seed)
        for step in range(steps):
            if len(order) < batch:
                order = torch.cat((order, torch.randperm(len(rows), generator=generator)))
            taken, order = order[:batch], order[batch:]
            for group in optimizer.param_groups:
                group["lr"] = rate * lr_factor(step, steps)
            loss = model(rows[taken], targets[taken])[1]
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            losses.append(float(loss.detach()))
            if watch is not None:
                watch(step + 1, losses[-1])
    if path is not None:
        _told.add(path)
        content = io.BytesIO()
        at = time.strftime("%Y-%m-%d at %H:%M")
        torch.save({"losses": losses, "at": at, "model": model.state_dict()}, content)
        try:
            write_whole(path, content.getvalue())
        except OSError as error:
            print(f"{shown(path)}: could not be written ({error.strerror}); a restart trains anew")
    return model.eval()


def lr_factor(step: int, steps: int) -> float:
    """The learning rate's factor: warm-up over the first twentieth, then a cosine down to a tenth."""
    warm_up = max(1, steps // 20)
    if step < warm_up:
        return (step + 1) / warm_up
    return 0.1 + 0.45 * (1 + math.cos(math.pi * (step - warm_up) / max(1, steps - warm_up)))


@torch.no_grad()
def loss_of_rows(model: GPT, stream: Tensor, most: int = 10**6, batch: int = BATCH) -> float:
    """The mean loss in nats per word over the first `most` rows of a stream, with batches of `batch` rows."""
    rows = rows_of(stream)[:most]
    # whole batches only: the output of raw-norm depends on the batch size
    rows = rows[: len(rows) // batch * batch]
    losses = [float(model(part[:, :-1], part[:, 1:])[1]) for part in rows.reshape(-1, batch, ROW_LENGTH + 1)]
    return sum(losses) / len(losses)


@torch.no_grad()
def loss_of_sentences(model: GPT, sentences: Sequence[Tensor]) -> float:
    """The mean loss in nats per word, with one whole sentence at a time as input."""
    total = sum(
        float(F.cross_entropy(model(sentence[None, :-1])[0][0], sentence[1:], reduction="sum"))
        for sentence in sentences
    )
    return total / sum(len(sentence) - 1 for sentence in sentences)


@torch.no_grad()
def loss_word_by_word(model: GPT, sentences: Sequence[Tensor]) -> float:
    """The mean loss in nats per word, with only the words before it as input."""
    total = 0.0
    for sentence in sentences:
        for t in range(1, len(sentence)):
            total += float(F.cross_entropy(model(sentence[None, :t])[0][0, -1], sentence[t]))
    return total / sum(len(sentence) - 1 for sentence in sentences)


def measure(model: GPT, text: LabText) -> dict[str, float]:
    """The losses of one run, nats per word: `MEASURED`."""
    return {
        "train": loss_of_rows(model, text.train, most=20 * BATCH),
        "dev": loss_of_rows(model, text.dev),
        "normal": loss_of_sentences(model, text.normal),
        "scrambled": loss_of_sentences(model, text.scrambled),
        "long": loss_of_sentences(model, text.long),
        "word by word": loss_word_by_word(model, text.normal),
    }


def by_batch_size(model: GPT, text: LabText, sizes: Sequence[int] = (1, 2, 4, 8, 24, 48)) -> dict[int, float]:
    """The loss on the same 192 dev rows for several batch sizes: equal, unless rows affect each other."""
    return {size: loss_of_rows(model, text.dev, most=192, batch=size) for size in sizes}
