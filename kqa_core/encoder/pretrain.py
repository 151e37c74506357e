"""Pretraining of the shipped encoder: masked language modelling (BERT, Devlin et al. 2019, section 3.1).

- The model is a small RoBERTa with pre-LN layers (`RobertaPreLayerNorm`). AutoModel can load the files.
- 15 % of the tokens are prediction targets: 80 % of these are replaced by <mask>, 10 % by a random token, 10
  % are unchanged. The choice differs from epoch to epoch. The ratings ("two thumbs up") are always targets:
  salient-span masking (Guu et al. 2020).
- In the first part of the run only the ratings are targets, so that the encoder learns what determines them.
  With all words as targets from the start, it learns how words are used but not the sentiment: after as many
  steps it still guesses the ratings.
- Reviews come from `sentiment.reviews`. All are encoded before the first step, and the rows of a batch have
  similar lengths.
- A run is a function of its configuration: batches and masks depend on (seed, step). A killed run continues
  from OUT.resume, a single file of tensors, and ends with the same weights on the same machine with as many
  threads.
"""

from __future__ import annotations

import json
import platform
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.encoder.hugging_face import need, quiet
from kqa_core.encoder.sentiment import RATINGS, reviews
from kqa_core.encoder.tokenizer import BOS, EOS, MASK, PAD, make_tokenizer
from kqa_core.errors import UserError, differing
from kqa_core.files import check_folder, make_folder, write_whole
from kqa_core.progress import progress
from kqa_core.training.optimizer import Optimizer, OptimizerConfig
from kqa_core.training.schedule import warmup_linear
from kqa_core.training.step import diverged

IGNORED = -100  # the target of a token that is not predicted
SHARE = 0.15  # the fraction of words that are prediction targets
MEGABATCH = 16  # batches among which rows are sorted by length
SAVE_SECONDS = 30.0
RECORD = "pretraining.json"


@dataclass(frozen=True)
class PretrainConfig:
    """The configuration of a pretraining run."""

    reviews: int = 30_000
    epochs: int = 5
    batch_size: int = 128
    rate: float = 3e-3  # AdamW's highest; after a warm-up it decays linearly to 0
    muon_rate: float = 0.02  # Muon's, for the matrices of the layers
    warm_up: float = 0.05  # fraction of the steps
    ratings_alone: float = 0.3  # fraction of the steps in which only ratings are targets
    ratings_share: float = 1.0  # fraction of the ratings that are targets
    verdicts: bool = True  # False: the same reviews without their verdicts
    weight_decay: float = 0.01
    d_model: int = 64
    n_layer: int = 3
    n_head: int = 4
    d_hidden: int = 256  # hidden width of the MLP
    block_size: int = 64  # tokens at most, <s> and </s> included
    seed: int = 0

    @property
    def steps(self) -> int:
        """The number of steps of the run."""
        return self.epochs * (self.reviews // self.batch_size)

    def check(self) -> None:
        """Raise UserError for values that cannot be used."""
        for name, value in asdict(self).items():
            if name not in ("seed", "warm_up", "weight_decay", "ratings_alone", "verdicts") and not value > 0:
                raise UserError(f"{name}: must be above 0, not {value}")
        if self.d_model % self.n_head:
            raise UserError(f"d_model: must be a multiple of n_head, {self.d_model} is none of {self.n_head}")
        if self.reviews < self.batch_size:
            raise UserError(f"reviews: {self.reviews} fill no batch of {self.batch_size}: give more")


def mask_tokens(
    ids: Tensor,
    special: Tensor,
    vocab_size: int,
    mask_id: int,
    generator: torch.Generator,
    share: float | Tensor = SHARE,
) -> tuple[Tensor, Tensor]:
    """Inputs and targets, two int64 tensors (B, T); targets are -100 where nothing is predicted.

    `ids` (B, T) int64; `special` (B, T) bool marks <s>, </s> and padding, which are never targets. `share` is
    the probability for the others: one number, or (B, T).
    """
    chance = torch.rand(ids.shape, generator=generator)  # (B, T)
    fate = torch.rand(ids.shape, generator=generator)
    other = torch.randint(vocab_size, ids.shape, generator=generator)
    predicted = (chance < share) & ~special
    inputs = torch.where(predicted & (fate < 0.8), mask_id, ids)
    inputs = torch.where(predicted & (fate >= 0.9), other, inputs)
    return inputs, torch.where(predicted, ids, IGNORED)


class Reviews:
    """Encoded reviews, and the batch of every step."""

    def __init__(self, config: PretrainConfig, tokenizer: Any, texts: list[str]) -> None:
        self.config, self.tokenizer = config, tokenizer
        tokenizer.enable_truncation(config.block_size)
        rows = [torch.tensor(encoding.ids, dtype=torch.int16) for encoding in tokenizer.encode_batch(texts)]
        self.lengths = torch.tensor([len(row) for row in rows])
        self.pad = tokenizer.token_to_id(PAD)
        # (N, T) int16
        self.rows = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=self.pad)
        self.ratings = torch.tensor([tokenizer.token_to_id(word) for word in RATINGS])
        self.special = torch.tensor([tokenizer.token_to_id(token) for token in (PAD, BOS, EOS)])
        self._epoch, self._batches = -1, torch.empty(0)  # the epoch of the batches below

    def batch(self, step: int) -> tuple[Tensor, Tensor, Tensor]:
        """(inputs, targets, attention mask) of a step, each (B, T) int64; T is the longest row's length."""
        size = self.config.batch_size
        epoch, place = divmod(step, len(self.rows) // size)
        rows = self._order(epoch)[place]
        ids = self.rows[rows, : int(self.lengths[rows].max())].long()  # (B, T)
        generator = torch.Generator().manual_seed((self.config.seed * 1_000_003 + step) % 2**63)
        vocab_size, mask_id = self.tokenizer.get_vocab_size(), self.tokenizer.token_to_id(MASK)
        of_words = 0.0 if step < self.config.ratings_alone * self.config.steps else SHARE
        share = torch.where(torch.isin(ids, self.ratings), self.config.ratings_share, of_words)  # (B, T)
        inputs, targets = mask_tokens(
            ids, torch.isin(ids, self.special), vocab_size, mask_id, generator, share
        )
        return inputs, targets, (ids != self.pad).long()

    def _order(self, epoch: int) -> Tensor:
        """(steps, B): the rows of each batch of an epoch."""
        if self._epoch != epoch:
            size = self.config.batch_size
            generator = torch.Generator().manual_seed(self.config.seed * 1_000_003 + epoch)
            shuffled = torch.randperm(len(self.rows), generator=generator)[: len(self.rows) // size * size]
            parts = [
                part[self.lengths[part].argsort(stable=True)]
                for part in torch.split(shuffled, MEGABATCH * size)
            ]
            batches = torch.cat(parts).view(-1, size)
            self._epoch, self._batches = epoch, batches[torch.randperm(len(batches), generator=generator)]
        return self._batches


def new_model(config: PretrainConfig, vocab_size: int) -> Any:
    """A `RobertaPreLayerNormForMaskedLM` with fresh weights, drawn from the seed."""
    transformers = need("transformers")
    shape = transformers.RobertaPreLayerNormConfig(
        vocab_size=vocab_size,
        hidden_size=config.d_model,
        num_hidden_layers=config.n_layer,
        num_attention_heads=config.n_head,
        intermediate_size=config.d_hidden,
        max_position_embeddings=config.block_size + 2,  # RoBERTa counts positions from 2 on
        type_vocab_size=1,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        # in fine-tuning; pretraining needs no dropout, as the reviews are too many to be memorised
        hidden_dropout_prob=0.1,
        attention_probs_dropout_prob=0.1,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        return transformers.RobertaPreLayerNormForMaskedLM(shape)


def make_optimizer(model: Any, config: PretrainConfig) -> Optimizer:
    """Muon for the layers' matrices, named "blocks." as `Optimizer` expects; AdamW for the rest."""
    named = torch.nn.ModuleDict({"blocks": model.base_model.encoder.layer, "model": model})
    return Optimizer(
        named, OptimizerConfig(rate=config.rate, muon_rate=config.muon_rate, weight_decay=config.weight_decay)
    )


def masked_loss(model: Any, batch: tuple[Tensor, Tensor, Tensor]) -> Tensor:
    """The mean loss of the target tokens, 0-dim; 0 if there are none. Only their logits are computed."""
    inputs, targets, attention_mask = batch
    # (B, T, d_model)
    hidden = model.base_model(input_ids=inputs, attention_mask=attention_mask).last_hidden_state
    predicted = targets != IGNORED
    summed = F.cross_entropy(model.lm_head(hidden[predicted]), targets[predicted], reduction="sum")
    return summed / max(1, int(predicted.sum()))


def pretrain(
    out: str | Path,
    config: PretrainConfig | None = None,
    show: bool = True,
    save_seconds: float = SAVE_SECONDS,
) -> Path:
    """Train an encoder and write it, with its tokenizer and a record of the run, into the folder `out`.

    Raises UserError before the first step for a configuration or folder that cannot be used, and if a
    gradient is not finite.
    """
    out, config = Path(out), config or PretrainConfig()
    config.check()
    make_folder(out)
    check_folder(out / RECORD)
    began = time.monotonic()
    texts = reviews(config.seed + 1, config.reviews)
    tokenizer = make_tokenizer(texts, config.block_size)
    if not config.verdicts:  # the tokenizer is still that of all reviews
        texts = reviews(config.seed + 1, config.reviews, verdicts=False)
    source = Reviews(config, tokenizer.backend_tokenizer, texts)
    model = new_model(config, len(tokenizer))
    model.eval()  # no dropout
    optimizer = make_optimizer(model, config)
    resume = out.with_name(f"{out.name}.resume")
    losses, before = resume_from(resume, config, model, optimizer)
    saved = time.monotonic()
    with progress(config.steps, "pretrain encoder", show, len(losses)) as shown:
        for step in range(len(losses), config.steps):
            optimizer.set_factor(warmup_linear(step, config.steps, config.warm_up))
            loss = masked_loss(model, source.batch(step))
            loss.backward()  # type: ignore[no-untyped-call]
            try:
                optimizer.step()
            except FloatingPointError as error:
                raise diverged(step, error) from None
            losses.append(float(loss.detach()))
            shown.update(len(losses), losses[-1])
            if time.monotonic() - saved >= save_seconds:
                save_state(resume, config, model, optimizer, losses, before + time.monotonic() - began)
                saved = time.monotonic()
    write_encoder(out, model, tokenizer, config, losses, before + time.monotonic() - began)
    resume.unlink(missing_ok=True)
    return out


def save_state(
    path: Path, config: PretrainConfig, model: Any, optimizer: Optimizer, losses: list[float], seconds: float
) -> None:
    """Write the state of an unfinished run, completely or not at all."""
    tensors = {f"model/{name}": value.detach().clone() for name, value in model.named_parameters()}
    tensors |= {f"optimizer/{name}": value for name, value in optimizer.state_tensors().items()}
    notes = {"run": json.dumps(asdict(config)), "losses": json.dumps(losses), "seconds": str(seconds)}
    write_whole(path, safetensors.torch.save(tensors, notes))


def resume_from(
    path: Path, config: PretrainConfig, model: Any, optimizer: Optimizer
) -> tuple[list[float], float]:
    """Load the state at `path`, if any: its losses and seconds. Raises UserError for another run's."""
    if not path.exists():
        return [], 0.0
    try:
        with safetensors.safe_open(path, "pt") as file:
            notes = file.metadata()
            tensors = {name: file.get_tensor(name) for name in list(file.keys())}
        theirs, losses = json.loads(notes["run"]), json.loads(notes["losses"])
        seconds = float(notes["seconds"])
    except (OSError, safetensors.SafetensorError, KeyError, TypeError, ValueError):
        raise UserError(
            f"{path}: not the state of a run of `kqa encoder pretrain`: remove it to start again"
        ) from None
    if theirs != asdict(config):
        differs = differing(asdict(config), theirs)
        raise UserError(
            f"{path}: another run's state (other {differs}): repeat that command to finish it, or remove the"
            " file"
        )
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(tensors.pop(f"model/{name}"))
    optimizer.load_state_tensors({name.removeprefix("optimizer/"): value for name, value in tensors.items()})
    return losses, seconds


def write_encoder(
    out: Path, model: Any, tokenizer: Any, config: PretrainConfig, losses: list[float], seconds: float
) -> None:
    """Write the model, its tokenizer and the record of the run into `out`; other files there are kept."""
    size = max(1, config.steps // 100)
    record = {
        "config": asdict(config),
        "steps": config.steps,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "losses": [
            round(sum(part) / len(part), 4)
            for part in (losses[i : i + size] for i in range(0, len(losses), size))
        ],
        "seconds": round(seconds, 1),
        "threads": torch.get_num_threads(),
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "transformers": need("transformers").__version__,
        },
    }
    with quiet(), tempfile.TemporaryDirectory(dir=out, prefix=".part-") as aside:
        model.save_pretrained(aside)
        tokenizer.save_pretrained(aside)
        (Path(aside) / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        for file in sorted(Path(aside).iterdir()):
            file.chmod(0o644)
            file.replace(out / file.name)
