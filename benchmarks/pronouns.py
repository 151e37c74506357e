"""Does a head of a real encoder send "it" to the right noun? Run: kqa bench pronouns

all-MiniLM-L6-v2 (`kqa data fetch minilm`) reads the 64 pairs of `kqa_core.show.pronouns`. The head is
chosen on one half of the pairs and reported on the other, 200 times. Two other kinds of heads are measured in
the same way: those that look at the previous token, and those that look at the first token. Notebook 08 shows
the recorded scores to students without the model, and notebook 00 one head's weights on the first sentence.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import not_measured_here, report
from kqa_core.errors import UserError
from kqa_core.pretrained.minilm import load_minilm
from kqa_core.show.explorer.real_models import read_with, watch_real
from kqa_core.show.pronouns import PAIRS, held_out_share, score_heads

BAR = "none; a coin: 50 %"
SHOWN = (3, 1)  # layer and head: the picture that notebooks 00 and 08 show


def main() -> None:
    """Print the three kinds of heads, and write the figures."""
    torch.set_num_threads(1)
    try:
        encoder, tokenizer = load_minilm()
    except UserError as missing:
        not_measured_here("pronouns", BAR, str(missing))
        return
    scores = score_heads(encoder, tokenizer)
    right = scores.right_noun
    best, held_out = right.mean(axis=(0, 1)).max(), held_out_share(right)
    previous, first = (
        part[len(PAIRS) // 2 :, :, *choose(part[: len(PAIRS) // 2])].mean()
        for part in (scores.previous, scores.first)
    )
    figures = {
        "shape": list(right.shape),
        "right_noun": ["".join("01"[int(mark)] for mark in row.flatten()) for row in right],
        "previous": in_hundredths(scores.previous),
        "first": in_hundredths(scores.first),
        "head": shown_head(encoder, tokenizer),
        "best_of_all": round(float(best), 4),
        "held_out": round(held_out, 4),
    }
    headline = (
        f"right noun {100 * held_out:.1f} % (head chosen on the other half; {100 * best:.1f} % for the best"
        f" on all {right.shape[0] * 2} sentences); previous token {previous:.4f}, first token {first:.2f}"
    )
    report("pronouns", figures, headline, BAR)


def shown_head(encoder: nn.Module, tokenizer: Any) -> dict[str, object]:
    """The tokens of the first sentence, and what each gives to each in this head, in ten-thousandths."""
    numbers, tokens = read_with(tokenizer, PAIRS[0].sentences[0][0])
    weights = watch_real(encoder, numbers).weights[SHOWN]  # (T, T)
    rows = [" ".join(str(round(10_000 * float(weight))) for weight in row) for row in weights]
    return {"layer_and_head": SHOWN, "tokens": tokens, "weights": rows}


def in_hundredths(weights: np.ndarray) -> list[str]:
    """A text for each pair: its weights as whole hundredths, with spaces between them."""
    return [" ".join(str(round(100 * float(weight))) for weight in row.flatten()) for row in weights]


def choose(part: np.ndarray) -> tuple[int, int]:
    """The layer and the head with the largest mean over the sentences of `part` (N, 2, L, H)."""
    means = part.mean(axis=(0, 1))
    layer, head = np.unravel_index(means.argmax(), means.shape)
    return int(layer), int(head)


if __name__ == "__main__":
    main()
