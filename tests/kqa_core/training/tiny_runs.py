"""Two tiny recipes, and engines that train them: what the tests of the GPU engine share."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import torch

from kqa_core.text.corpus import read_corpus
from kqa_core.training import runs as train
from kqa_core.training.gpu_engine import GpuEngine
from kqa_core.training.loop import CpuEngine, Run
from kqa_core.training.recipes import ASSIGNMENT, SMALL, Recipe

CPU = torch.device("cpu")
MODEL = {
    "n_layer": 2,
    "n_head": 2,
    "d_model": 16,
    "embedding_dropout": 0.0,
    "attention_dropout": 0.0,
    "residual_dropout": 0.0,
}
SPANS = dataclasses.replace(ASSIGNMENT.pretrain, batch_size=7, epochs=None, steps=20)
SALIENT = dataclasses.replace(SMALL.pretrain, batch_size=8, steps=20)
QUESTIONS = dataclasses.replace(SMALL.finetune, batch_size=7, epochs=2)
TINY = {  # rows drawn on the device with AdamW; rows drawn on the host with Muon
    "spans": Recipe(SPANS, QUESTIONS, QUESTIONS, MODEL),
    "salient": Recipe(SALIENT, QUESTIONS, QUESTIONS, MODEL),
}


def prepared(world: Path, recipe: str, variant: str = "rope", device: str = "cpu", **model: object) -> Run:
    return train.prepare_pretrain(variant, read_corpus(world), recipe=recipe, device=device, model=model)


def engine_of(run: Run, bfloat16: bool = False) -> GpuEngine:
    rates = [run.lr_factor(step) for step in range(run.steps)]
    model = run.model.to(run.device).train()
    phase = run.phase
    return GpuEngine(
        model, run.source, phase.optimizer, rates, phase.batch_size, run.seed, run.device, bfloat16
    )


def losses_of(engine: GpuEngine | CpuEngine, steps: int) -> list[float]:
    losses: list[float] = []
    begun = 0
    with torch.random.fork_rng(), engine.context():
        while begun < steps:
            begun += engine.submit(begun)
            losses += engine.collect(wait=begun == steps)
    return losses


def host_losses(run: Run) -> list[float]:
    run.model.train()
    return losses_of(CpuEngine(run, [run.lr_factor(step) for step in range(run.steps)]), run.steps)
