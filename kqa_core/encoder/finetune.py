"""One fine-tuning run: from a configuration to a classifier and its learning curves.

On one machine with as many threads, a run is a function of its configuration, its data and its encoder: the
seed determines the head's initial weights, the order of sentences and dropout.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from kqa_core.encoder.classifier import (
    OPTIMIZERS,
    POOLINGS,
    Pooling,
    SentimentClassifier,
    evaluate,
    load_encoder,
    make_loader,
    make_optimizer,
    predict,
    train_epoch,
)
from kqa_core.encoder.sentiment import Example, Sentiment
from kqa_core.errors import UserError
from kqa_core.progress import progress
from kqa_core.stats import Proportion
from kqa_core.training.schedule import warmup_linear

EVALUATION_BATCH = 256


@dataclass(frozen=True)
class FineTune:
    """The configuration of a run.

    >>> FineTune(epochs=2).batch_size
    64
    """

    batch_size: int = 64
    learning_rate: float = 2e-3  # the highest, for the small encoder; for roberta-base, use 2e-5
    epochs: int = 5
    optimizer: str = "adamw"
    weight_decay: float = 0.01
    warm_up: float = 0.1  # fraction of the steps in which the rate rises; then it decays linearly to 0
    pooling: Pooling = "mean"
    dropout: float = 0.1  # before the head; inside the encoder, its own configuration counts
    seed: int = 0
    group_by_length: bool = False  # a batch has sentences of about the same length: less padding

    def check(self) -> None:
        """Raise UserError for values that cannot be used."""
        for name in ("batch_size", "learning_rate", "epochs"):
            if not getattr(self, name) > 0:
                raise UserError(f"{name}: must be above 0, not {getattr(self, name)}")
        for name, most in (("weight_decay", math.inf), ("warm_up", 1.0), ("dropout", 1.0)):
            if not 0 <= getattr(self, name) <= most:
                raise UserError(f"{name}: must lie in 0..{most:g}, not {getattr(self, name)}")
        for name, known in (("optimizer", OPTIMIZERS), ("pooling", POOLINGS)):
            if getattr(self, name) not in known:
                raise UserError(f"{name}: {', '.join(known)} are known, not {getattr(self, name)!r}")


# some 200 steps each
FEW_LABELS = {100: FineTune(batch_size=32, epochs=50), 400: FineTune(batch_size=32, epochs=16)}


@dataclass
class Curves:
    """The learning curves of a run."""

    losses: list[float] = field(default_factory=list)  # of every step
    validation_loss: list[float] = field(default_factory=list)  # before training, then after every epoch
    validation_accuracy: list[float] = field(default_factory=list)  # likewise
    seconds: float = 0.0


@dataclass
class FineTuned:
    """A finished run."""

    model: SentimentClassifier
    tokenizer: Any
    curves: Curves
    config: FineTune

    def score(self, examples: Sequence[Example]) -> Proportion:
        """The accuracy."""
        return evaluate(self.model, make_loader(examples, self.tokenizer, EVALUATION_BATCH))[1]

    def predict(self, sentences: Sequence[str]) -> torch.Tensor:
        """(N,) the probability that each sentence is positive."""
        return predict(self.model, self.tokenizer, sentences)


def fine_tune(
    config: FineTune,
    data: Sentiment,
    source: str | Path,
    show: bool = True,
    prepare: Callable[[SentimentClassifier], None] | None = None,
) -> FineTuned:
    """Fine-tune the encoder at `source` on `data.train`, and evaluate each epoch on `data.validation`.

    `prepare`, if given, may change the new classifier before training: freeze its encoder, for example, or
    reinitialise it. Raises UserError for a configuration or data that cannot be used.
    """
    config.check()
    if not data.train or not data.validation:
        raise UserError(
            "fine-tuning: sentences for training and for validation were expected, there are none"
        )
    began = time.monotonic()
    encoder, tokenizer = load_encoder(source)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        model = SentimentClassifier(encoder, config.pooling, config.dropout)
        if prepare is not None:
            prepare(model)
        loader = make_loader(
            data.train, tokenizer, config.batch_size, True, config.seed, config.group_by_length
        )
        held_out = make_loader(data.validation, tokenizer, EVALUATION_BATCH)
        trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
        optimizer = make_optimizer(config.optimizer, trained, config.learning_rate, config.weight_decay)
        total = config.epochs * len(loader)
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer, lambda step: warmup_linear(min(step, total - 1), total, config.warm_up)
        )
        curves = Curves()
        _evaluate(curves, model, held_out)
        with progress(total, f"fine-tune {config.optimizer}", show) as shown:

            def watch(loss: float) -> None:
                curves.losses.append(loss)
                shown.update(len(curves.losses), loss)

            for _ in range(config.epochs):
                train_epoch(model, loader, optimizer, schedule, watch)
                _evaluate(curves, model, held_out)
    model.eval()
    curves.seconds = time.monotonic() - began
    return FineTuned(model, tokenizer, curves, config)


def reinitialise(model: SentimentClassifier) -> None:
    """For `prepare`: give the classifier a randomly initialised encoder of the same shape."""
    encoder: Any = model.encoder
    model.encoder = type(encoder)(encoder.config, add_pooling_layer=False)


def _evaluate(curves: Curves, model: SentimentClassifier, held_out: Any) -> None:
    loss, right = evaluate(model, held_out)
    curves.validation_loss.append(loss)
    curves.validation_accuracy.append(right.value)
