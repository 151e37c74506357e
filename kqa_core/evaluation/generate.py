"""Greedy decoding: questions in, answers out.

- The prompt is the question and a ⁇. The answer is the generated text up to the next ⁇, at most 32
  characters.
- `answer_one_by_one` is the original's algorithm: one prompt at a time, every step a whole forward pass,
  always 32 steps. It is the reference.
- `answer_questions` gives the same answers, token for token in float32: many prompts at once, with a KV
  cache; finished rows are dropped. A model without a KV cache (`model.supports_kv_cache` is False: the output
  at position t changes as the row grows) answers the slow way.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from kqa_core.model.gpt import GPT
from kqa_core.model.kv_cache import KVCache
from kqa_core.text.vocabulary import Vocabulary

LONGEST_ANSWER = 32  # characters, as in the original
BATCH = 128  # prompts side by side; with more, the KV cache no longer fits into the processor's cache


@torch.no_grad()
def answer_one_by_one(model: GPT, vocabulary: Vocabulary, questions: Sequence[str]) -> list[str]:
    """The answer to each question, without a KV cache. Raises UserError for an unknown character."""
    device = next(model.parameters()).device
    training = model.training
    model.eval()
    answers = []
    for question in questions:
        row = vocabulary.encode(question + vocabulary.MASK)
        for _ in range(LONGEST_ANSWER):
            # (1, T): only the end of a long row fits
            context = torch.tensor([row[-model.config.block_size :]], device=device)
            logits, _ = model(context)  # (1, T, vocab_size)
            row.append(int(logits[0, -1].argmax()))
        answers.append(vocabulary.decode(row).split(vocabulary.MASK)[1])
    model.train(training)
    return answers


@torch.no_grad()
def answer_questions(
    model: GPT, vocabulary: Vocabulary, questions: Sequence[str], batch_size: int = BATCH
) -> list[str]:
    """The answer to each question. Raises UserError for a character outside the vocabulary.

    >>> from kqa_core.model.config import GPTConfig
    >>> vocabulary = Vocabulary.from_text("Who?")
    >>> len(answer_questions(GPT(GPTConfig(len(vocabulary), d_model=16)), vocabulary, ["Who?", "Wo?"]))
    2
    """
    training = model.training
    model.eval()
    prompts = [[*vocabulary.encode(question), vocabulary.mask_index] for question in questions]
    answers = [""] * len(prompts)
    fits = [
        model.supports_kv_cache and len(prompt) + LONGEST_ANSWER <= model.config.block_size
        for prompt in prompts
    ]
    by_length = sorted((i for i in range(len(prompts)) if fits[i]), key=lambda i: len(prompts[i]))
    for first in range(0, len(by_length), batch_size):
        numbers = by_length[first : first + batch_size]
        for i, answer in zip(numbers, _answer_batch(model, [prompts[i] for i in numbers]), strict=True):
            answers[i] = vocabulary.decode(answer)
    for i, question in enumerate(questions):
        if not fits[i]:  # its positions shift as the block slides over it, or the model has no KV cache
            answers[i] = answer_one_by_one(model, vocabulary, [question])[0]
    model.train(training)
    return answers


def _answer_batch(model: GPT, prompts: list[list[int]]) -> list[list[int]]:
    """The tokens of each answer, without the closing ⁇."""
    device = next(model.parameters()).device
    lengths = torch.tensor([len(prompt) for prompt in prompts], device=device)  # (B,)
    longest = int(lengths.max())
    # (B, T), padded on the right
    tokens = torch.zeros(len(prompts), longest, dtype=torch.int64, device=device)
    for row, prompt in enumerate(prompts):
        tokens[row, : len(prompt)] = torch.tensor(prompt, device=device)
    cache = KVCache(model.config.n_layer, capacity=longest + LONGEST_ANSWER)
    cache.set_positions(torch.arange(longest, device=device).expand(len(prompts), longest))
    logits, _ = model(tokens, cache=cache)  # (B, T, vocab_size)
    newest = logits[torch.arange(len(prompts), device=device), lengths - 1].argmax(dim=-1)  # (B,)
    answers: list[list[int]] = [[] for _ in prompts]
    active = list(range(len(prompts)))  # the prompts that are not finished
    positions = lengths  # (B,): the position of each row's newest token
    for step in range(LONGEST_ANSWER):
        keep = [row for row, token in enumerate(newest.tolist()) if token != Vocabulary.mask_index]
        for row in keep:
            answers[active[row]].append(int(newest[row]))
        if not keep or step == LONGEST_ANSWER - 1:
            break
        if len(keep) < len(active):
            rows = torch.tensor(keep, device=device)
            cache.keep_rows(rows)
            newest, positions, active = newest[rows], positions[rows], [active[row] for row in keep]
        cache.set_positions(positions[:, None])
        logits, _ = model(newest[:, None], cache=cache)  # (B, 1, vocab_size)
        newest, positions = logits[:, 0].argmax(dim=-1), positions + 1
    return answers
