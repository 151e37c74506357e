"""Greedy decoding: questions in, answers out.

- The prompt is the question and a ⁇; the answer is what the model then writes up to its next ⁇, or 32 characters if none comes.
- `answer_one_by_one` is the original's way, word for word: every prompt by itself, every step a whole forward pass, always 32
  steps. It is the reference.
- `answer_questions` gives the same answers, token for token in float32: many prompts at once, with a KV cache; finished rows are
  dropped. A model without a KV cache (`model.supports_kv_cache` is False: the output at position t changes as the row grows)
  answers the slow way.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from kqa_core.model.gpt import GPT
from kqa_core.model.kv_cache import KVCache
from kqa_core.text.vocabulary import Vocabulary

LONGEST_ANSWER = 32  # characters, as in the original
BATCH = 128  # prompts side by side; more would only spill the remembered keys out of the processor's cache


@torch.no_grad()
def answer_one_by_one(model: GPT, vocabulary: Vocabulary, questions: Sequence[str]) -> list[str]:
    """The answer to each question, the slow way. Raises UserError for a character the model does not know."""
    device = next(model.parameters()).device
    training = model.training
    model.eval()
    answers = []
    for question in questions:
        row = vocabulary.encode(question + vocabulary.MASK)
        for _ in range(LONGEST_ANSWER):
            seen = torch.tensor([row[-model.config.block_size :]], device=device)  # (1, T): only the end of a long row fits
            logits, _ = model(seen)  # (1, T, vocab_size)
            row.append(int(logits[0, -1].argmax()))
        answers.append(vocabulary.decode(row).split(vocabulary.MASK)[1])
    model.train(training)
    return answers


@torch.no_grad()
def answer_questions(model: GPT, vocabulary: Vocabulary, questions: Sequence[str], batch_size: int = BATCH) -> list[str]:
    """The answer to each question. Raises UserError for a character the model does not know."""
    training = model.training
    model.eval()
    prompts = [[*vocabulary.encode(question), vocabulary.mask_index] for question in questions]
    answers = [""] * len(prompts)
    fits = [model.supports_kv_cache and len(prompt) + LONGEST_ANSWER <= model.config.block_size for prompt in prompts]
    by_length = sorted((i for i in range(len(prompts)) if fits[i]), key=lambda i: len(prompts[i]))
    for first in range(0, len(by_length), batch_size):
        numbers = by_length[first : first + batch_size]
        for i, answer in zip(numbers, _answer_batch(model, [prompts[i] for i in numbers]), strict=True):
            answers[i] = vocabulary.decode(answer)
    for i, question in enumerate(questions):
        if not fits[i]:  # its positions shift as the block slides over it, or the model forgets: nothing can be remembered
            answers[i] = answer_one_by_one(model, vocabulary, [question])[0]
    model.train(training)
    return answers


def _answer_batch(model: GPT, prompts: list[list[int]]) -> list[list[int]]:
    """The tokens of each answer, without the closing ⁇."""
    device = next(model.parameters()).device
    lengths = torch.tensor([len(prompt) for prompt in prompts], device=device)  # (B,)
    longest = int(lengths.max())
    tokens = torch.zeros(len(prompts), longest, dtype=torch.int64, device=device)  # (B, T), padded on the right
    for row, prompt in enumerate(prompts):
        tokens[row, : len(prompt)] = torch.tensor(prompt, device=device)
    cache = KVCache(model.config.n_layer, capacity=longest + LONGEST_ANSWER)
    cache.set_positions(torch.arange(longest, device=device).expand(len(prompts), longest))
    logits, _ = model(tokens, cache=cache)  # (B, T, vocab_size)
    newest = logits[torch.arange(len(prompts), device=device), lengths - 1].argmax(dim=-1)  # (B,)
    answers: list[list[int]] = [[] for _ in prompts]
    alive = list(range(len(prompts)))  # the prompts that still have rows
    positions = lengths  # (B,) where each row's newest token stands
    for step in range(LONGEST_ANSWER):
        keep = [row for row, token in enumerate(newest.tolist()) if token != Vocabulary.mask_index]
        for row in keep:
            answers[alive[row]].append(int(newest[row]))
        if not keep or step == LONGEST_ANSWER - 1:
            break
        if len(keep) < len(alive):
            rows = torch.tensor(keep, device=device)
            cache.keep_rows(rows)
            newest, positions, alive = newest[rows], positions[rows], [alive[row] for row in keep]
        cache.set_positions(positions[:, None])
        logits, _ = model(newest[:, None], cache=cache)  # (B, 1, vocab_size)
        newest, positions = logits[:, 0].argmax(dim=-1), positions + 1
    return answers
