"""Learning-rate schedules. Each gives the factor on every learning rate at one step; 1 is the full rate.

- `warmup_cosine` is the assignment's: linear warm-up, then a cosine. It counts tokens. The cosine does not
  stop at its minimum.
- `linear_decay` is ours: the full rate for the first half of a run, then linear decay to 0.
- `warmup_linear` is the usual one for encoders (Devlin et al. 2019, appendix A.2): linear warm-up, then
  linear decay to 0.
"""

from __future__ import annotations

import math

WARMUP_TOKENS = 512 * 20  # of `warmup_cosine`
FINAL_EPOCHS = 200  # of the pretraining corpus: where the assignment's cosine has its minimum
DECAY_FROM = 0.5  # fraction of a run after which `linear_decay` begins


def warmup_cosine(tokens: int, final_tokens: int) -> float:
    """The assignment's factor after `tokens` training tokens, in [0, 1].

    It rises linearly over `WARMUP_TOKENS`, then follows a cosine that has its minimum at `final_tokens` and
    rises again after it. It never falls below 0.1 once the warm-up is over.
    """
    if tokens < WARMUP_TOKENS:
        return tokens / WARMUP_TOKENS
    done = (tokens - WARMUP_TOKENS) / max(1, final_tokens - WARMUP_TOKENS)
    return max(0.1, 0.5 * (1.0 + math.cos(math.pi * done)))


def linear_decay(step: int, total: int) -> float:
    """The factor at `step` of `total`: 1 up to `DECAY_FROM` of the run, then a straight line to 0."""
    start = DECAY_FROM * total
    return 1.0 if step < start else (total - step) / (total - start)


def warmup_linear(step: int, total: int, warm_up: float) -> float:
    """The factor at `step` of `total`: a rise over the fraction `warm_up`, then a straight line to 0."""
    rising = max(1, round(warm_up * total))
    return (step + 1) / rising if step < rising else (total - step) / max(1, total - rising)
