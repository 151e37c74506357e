"""Exercise gpt_forward: from characters to logits."""

from __future__ import annotations

import random

import torch
from course_exercises._small_models import HERE, GPTParts, small_gpt

from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.transformer_parts import again, agree, tensor_of

Sizes = tuple[int, int, int, int, int]  # vocab_size, block_size, n_layer, d_model, seed


def joined(tokens: torch.Tensor, parts: GPTParts) -> torch.Tensor:
    """The logits of these parts, with torch's containers for the stack."""
    places = torch.arange(tokens.shape[1])
    start = parts.token_embedding(tokens) + torch.nn.functional.embedding(places, parts.position_embedding)  # (B, T, C)
    out: torch.Tensor = torch.nn.Sequential(*parts.blocks, parts.norm, parts.head)(start)
    return out


def expected(tokens: torch.Tensor, sizes: Sizes) -> torch.Tensor:
    """The logits (B, T, vocab_size) for parts of these sizes."""
    with torch.no_grad():
        return joined(tokens, small_gpt(*sizes))


def draw_tokens(rng: random.Random, B: int, T: int, vocab_size: int) -> torch.Tensor:
    """Random tokens (B, T), int64."""
    return torch.tensor([[rng.randrange(vocab_size) for _ in range(T)] for _ in range(B)])


def build(sizes: Sizes, name: str | None = None) -> Build:
    """The parts, as they are made in the answer's process."""
    return Build(f"{HERE}:small_gpt", (*sizes, name))


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Rows shorter than the block; then a single character."""
    for B, T, n_layer in ((2, 5, 3), (1, 1, 1)):
        sizes, tokens = (9, 8, n_layer, 6, rng.getrandbits(30)), draw_tokens(rng, B, T, 9)
        result = answer(tokens, build(sizes)) if n_layer == 3 else again(answer, tokens, build(sizes))
        agree(
            tensor_of(result, (B, T, 9), torch.float64, "the logits"),
            expected(tokens, sizes),
            f"for tokens {(B, T)} and {n_layer} blocks your logits are not those of a GPT with these parts",
        )
    return right()


EXERCISE = Exercise(
    id="gpt_forward",
    title="The forward pass of a GPT",
    order=12,
    points=3,
    difficulty=2,
    importance=5,
    minutes=12,
    source="CS224n A5 2(a): mingpt/model.py, GPT.forward",
    hints=(
        "Follow one character: what becomes of it first, what does it learn of its place, what does it pass through, and what "
        "comes last?",
        "Look the tokens up, add the first T rows of position_embedding, let dropout see the sum, then one block after the "
        "other, the last norm and the head.",
        "T = tokens.shape[1]; x = model.dropout(model.token_embedding(tokens) + model.position_embedding[:T]); a loop over "
        "model.blocks; then model.head of model.norm of x. Return it as it is, for every position.",
    ),
    check=check,
)
