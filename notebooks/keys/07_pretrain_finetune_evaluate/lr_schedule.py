"""Answer key of lr_schedule."""

from __future__ import annotations

import math
import random

import torch

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.check.helpers.read_values import number, told


def calls(rng: random.Random) -> list[tuple[int, int, int]]:
    """Tokens all along five schedules and well beyond their ends; one without warm-up, one with a long one.
    A decay of one token. In random order.
    """
    drawn: list[tuple[int, int, int]] = []
    schedules = [(rng.randint(1_000, 9_000), 0), (512 * 20, 0), (0, 0), (60_000, 100_000)]
    schedules.append((3_000_000, 20_000_000))
    for warmup, final in schedules:
        final = final or warmup + rng.randint(50_000, 400_000)
        span = final - warmup
        drawn += [(round(warmup * part), warmup, final) for part in (0.0, 0.003, 0.02, 0.3, 0.77)]
        drawn += [
            (warmup + round(span * part), warmup, final)
            for part in (0.0, 0.1, 0.3, 0.6, 0.78, 0.85, 0.95, 1.0)
        ]
        drawn += [
            (warmup + round(span * part), warmup, final)
            for part in (1.05, 1.3, 1.75, 2.0, 2.25, 3.0, 3.25, 4.0, 6.2, 17.7, 100.3)
        ]
    drawn += [(warmup + step, warmup, warmup + 1) for step in (0, 1, 2)]  # the shortest decay
    drawn += [(step, 1, 4) for step in range(6)]  # the shortest warm-up
    return rng.sample(drawn, len(drawn))


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """The whole curve. The wanted value is written down part by part,
    so that no formula of the student's is repeated here.
    """
    drawn = calls(rng)
    for (tokens, warmup, final), value in zip(drawn, answer.map(drawn), strict=True):
        found = number(value, "the multiplier")
        if tokens < warmup:
            mine, yours = told(tokens / warmup, found)
            expect(
                abs(found - tokens / warmup) < 1e-6,
                f"at token {tokens} of a warm-up of {warmup} the multiplier is {mine}; yours is {yours}",
            )
            continue
        angle = math.pi * (tokens - warmup) / (final - warmup)
        wanted = 0.1 if tokens >= final else max(0.1, math.cos(angle / 2) ** 2)  # cos²(a/2) = ½(1 + cos a)
        where = "after the end" if tokens > final else "between the warm-up and the end"
        mine, yours = told(wanted, found)
        expect(
            abs(found - wanted) < 1e-6,
            f"at token {tokens}, {where} (warm-up until {warmup}, end at {final}), the multiplier should be"
            f" {mine}; yours is {yours}",
        )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The whole curve."""
    return list(calls(rng))


def lr_schedule(tokens, warmup_tokens, final_tokens):
    """The reference."""
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    progress = min(1.0, (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens))
    return max(0.1, 0.5 * (1.0 + math.cos(math.pi * progress)))


def stops_counting(tokens, warmup_tokens, final_tokens):
    """Counts no token past the end."""
    tokens = min(tokens, final_tokens)
    if tokens < warmup_tokens:
        return float(tokens) / float(warmup_tokens)
    progress = float(tokens - warmup_tokens) / float(final_tokens - warmup_tokens)
    return max(0.1, 0.5 * (1.0 + math.cos(math.pi * progress)))


def three_cases(tokens, warmup_tokens, final_tokens):
    """A case for each part."""
    if tokens >= final_tokens:
        return 0.1
    if tokens < warmup_tokens:
        return tokens / warmup_tokens
    return max(0.1, math.cos(math.pi / 2 * (tokens - warmup_tokens) / (final_tokens - warmup_tokens)) ** 2)


def at_the_floor_for_good(tokens, warmup_tokens, final_tokens):
    """Solves for the progress at which the floor is reached; beyond it there is nothing to compute."""
    if tokens < warmup_tokens:
        return tokens / warmup_tokens
    progress = (tokens - warmup_tokens) / (final_tokens - warmup_tokens)
    return 0.1 if progress >= math.acos(2 * 0.1 - 1) / math.pi else (1 + math.cos(progress * math.pi)) / 2


def in_torch(tokens, warmup_tokens, final_tokens):
    """Clamps in torch."""
    progress = torch.tensor(
        (tokens - warmup_tokens) / (final_tokens - warmup_tokens), dtype=torch.float64
    ).clamp(0, 1)
    cosine = (0.5 + 0.5 * torch.cos(torch.pi * progress)).clamp(min=0.1)
    return tokens / warmup_tokens if tokens < warmup_tokens else cosine.item()


def as_published(tokens, warmup_tokens, final_tokens):
    """Your rate still rises again after the end. The progress should stay at 1 there: limit it to 1, so that
    it neither goes on nor runs back.
    """
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    progress = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)
    return max(0.1, 0.5 * (1.0 + math.cos(math.pi * progress)))


def restarts(tokens, warmup_tokens, final_tokens):
    """Your rate jumps back to full at the end,
    because the progress modulo 1 starts the cosine again. Limit it to 1.
    """
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    progress = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens) % 1.0
    return max(0.1, 0.5 * (1.0 + math.cos(math.pi * progress)))


def nothing_after(tokens, warmup_tokens, final_tokens):
    """After the end your rate is 0, so nothing is learned any more. It should stay at 0.1."""
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    if tokens > final_tokens:
        return 0.0
    progress = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)
    return max(0.1, 0.5 * (1.0 + math.cos(math.pi * progress)))


def no_floor(tokens, warmup_tokens, final_tokens):
    """Your rate falls to 0. The published schedule never falls below 0.1 after the warm-up."""
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    progress = min(1.0, (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens))
    return 0.5 * (1.0 + math.cos(math.pi * progress))


def floor_everywhere(tokens, warmup_tokens, final_tokens):
    """You apply the floor of 0.1 during the warm-up, too. The warm-up should begin at 0."""
    if tokens < warmup_tokens:
        return max(0.1, tokens / max(1, warmup_tokens))
    progress = min(1.0, (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens))
    return max(0.1, 0.5 * (1.0 + math.cos(math.pi * progress)))


def stretched_to_the_floor(tokens, warmup_tokens, final_tokens):
    """You scale the cosine to go from 1 to 0.1.
    The published one goes to 0 and is cut off at 0.1; keep this.
    """
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    progress = min(1.0, (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens))
    return 0.1 + 0.9 * 0.5 * (1.0 + math.cos(math.pi * progress))


def straight_down(tokens, warmup_tokens, final_tokens):
    """Your rate falls in a straight line. Before the end it should be the published cosine."""
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    progress = min(1.0, (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens))
    return max(0.1, 1.0 - progress)


def no_warmup(tokens, warmup_tokens, final_tokens):
    """The warm-up is missing: up to warmup_tokens the multiplier rises from 0 to 1."""
    progress = min(1.0, max(0, tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens))
    return max(0.1, 0.5 * (1.0 + math.cos(math.pi * progress)))


def from_the_first_token(tokens, warmup_tokens, final_tokens):
    """You measure the progress from the first token. It begins at warmup_tokens."""
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    return max(0.1, 0.5 * (1.0 + math.cos(math.pi * min(1.0, tokens / final_tokens))))


def mirrored(tokens, warmup_tokens, final_tokens):
    """Your cosine is not ½(1 + cos(π·progress)) but |cos(π/2·progress)|, which rises again after the end."""
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    progress = (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens)
    return max(0.1, abs(math.cos(math.pi * progress / 2)))


def degrees(tokens, warmup_tokens, final_tokens):
    """You give degrees to math.cos. It takes radians: half a turn is π and not 180."""
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    progress = min(1.0, (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens))
    return max(0.1, 0.5 * (1.0 + math.cos(180 * progress)))


def the_other_way_up(tokens, warmup_tokens, final_tokens):
    """Your rate rises after the warm-up. It should be ½(1 + cos) and not ½(1 − cos)."""
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    progress = min(1.0, (tokens - warmup_tokens) / max(1, final_tokens - warmup_tokens))
    return max(0.1, 0.5 * (1.0 - math.cos(math.pi * progress)))


def two_tokens_at_least(tokens, warmup_tokens, final_tokens):
    """Your decay takes two tokens at least. If the end comes one token after the warm-up,
    the multiplier is 0.1 there already.
    """
    if tokens < warmup_tokens:
        return tokens / max(1, warmup_tokens)
    progress = min(1.0, (tokens - warmup_tokens) / max(2, final_tokens - warmup_tokens))
    return max(0.1, 0.5 * (1.0 + math.cos(math.pi * progress)))


KEY = AnswerKey(
    id="lr_schedule",
    hidden=hidden,
    reference=lr_schedule,
    accepted=(stops_counting, three_cases, at_the_floor_for_good, in_torch),
    rejected=(
        *(
            as_published,
            restarts,
            nothing_after,
            no_floor,
            floor_everywhere,
            stretched_to_the_floor,
            straight_down,
            no_warmup,
        ),
        *(from_the_first_token, mirrored, degrees, the_other_way_up, two_tokens_at_least),
    ),
    fingerprint=fingerprint,
    commentary="""
    The cosine has its minimum where the progress is 1. Beyond it, the formula goes up again, because a cosine
    is periodic. Limiting the progress to 1 keeps the value of the end, and everything before the end is
    unchanged. A case `tokens >= final_tokens` that returns 0.1 is as good. The most common mistake is to
    repair the end and to change the way there, for example by scaling the cosine between 1 and 0.1.
    """,
)
