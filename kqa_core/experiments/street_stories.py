"""The student's experiment in notebook 05: stories whose last word depends on a word far back.

- A story says in what state an animal is ("the animal was tired ."), and may change it once or twice, with
  sentences about traffic in between. It ends with "the animal didn't cross the street because it was" and the
  last state.
- The nine words of the question are the same in every story. So a model that attends only to them cannot do
  better than perplexity 8, one of eight states, and every answer has to come from 11 or more words back.
- Only the last word is a prediction target. The others are random, and a model has nothing to learn from
  them.
- Training stories have 41 words. *short* are new stories of that length, *changed* those of them in which the
  state changed, *long* are stories of 97 words.
- A run is a function of its row and its seed. Rows with one seed start alike and use the same batches in the
  same order.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.experiments.mini_transformer import BLOCK, LINE, UNKNOWN, Row, Watch, fit, lab_model, place_of
from kqa_core.model.gpt import GPT
from kqa_core.progress import limited

QUESTION = ("the", "animal", "didn't", "cross", "the", "street", "because", "it", "was")
STATES = ("tired", "hungry", "wet", "cold", "ill", "afraid", "lame", "late")
CARS, DID = ("bus", "tram", "van", "truck", "car", "bike"), ("passed", "left", "saw", "reached")
PLACES = ("bridge", "hill", "park", "river", "square", "tower")
SHORT, LONG = 41, BLOCK + 1  # words of a story, the answer included
TRAIN, TEST = 3000, 200
BATCH, STREET_STEPS, RATE = 48, 120, 6e-3
MOST = 3  # times that a state is mentioned
STREET_MEASURED = ("short", "changed", "long")
STREET_PLAIN = Row(n_layer=2)
STREET_ROWS: dict[str, Row] = {
    "learned": STREET_PLAIN,
    "sinusoidal": replace(STREET_PLAIN, positions="sinusoidal"),
    "rotary": replace(STREET_PLAIN, positions="rotary"),
    "none": replace(STREET_PLAIN, positions="none"),
    "shuffle": replace(STREET_PLAIN, fusion="shuffle"),
    "shift": replace(STREET_PLAIN, fusion="shift"),
    "norm-reweight": replace(STREET_PLAIN, fusion="norm-reweight"),
    "one head": replace(STREET_PLAIN, n_head=1),
}


@dataclass(frozen=True)
class StreetText:
    """Stories as token indices; the last word of each is the answer."""

    vocabulary: tuple[str, ...]  # by index: padding, unknown, filler of the first places, then words
    train: Tensor  # (TRAIN, SHORT)
    short: Tensor  # (TEST, SHORT)
    changed: Tensor  # those of `short` with more than one state
    long: Tensor  # (TEST, LONG)

    def read(self, story: Tensor) -> str:
        """The words of a story, joined by spaces, without the filler in front."""
        return " ".join(
            self.vocabulary[number] for number in story.tolist() if self.vocabulary[number] != LINE
        )


def story(rng: random.Random, length: int) -> list[str]:
    """A story of `length` words: a state, states and traffic in random order, question, last state."""
    states = rng.sample(STATES, rng.randint(1, MOST))
    room = length - len(QUESTION) - 1
    order = ["state"] * (len(states) - 1) + ["traffic"] * ((room - 5 * len(states)) // 6)
    rng.shuffle(order)
    words, remaining = [], iter(states)
    for kind in ("state", *order):
        if kind == "state":
            words += ["the", "animal", "was", next(remaining), "."]
        else:
            words += ["the", rng.choice(CARS), rng.choice(DID), "the", rng.choice(PLACES), "."]
    return [LINE] * (room - len(words)) + words + [*QUESTION, states[-1]]


def street_text() -> StreetText:
    """The stories, the same at every call.

    >>> text = street_text()
    >>> text.read(text.short[0])[-14:]
    'se it was lame'
    """
    rng = random.Random(5)
    words = sorted({*QUESTION, *STATES, *CARS, *DID, *PLACES, "."})
    vocabulary = ("□", UNKNOWN, LINE, *words)
    index = {word: number for number, word in enumerate(vocabulary)}

    def stories(count: int, length: int) -> Tensor:
        return torch.tensor([[index[word] for word in story(rng, length)] for _ in range(count)])

    train, short, long = stories(TRAIN, SHORT), stories(TEST, SHORT), stories(TEST, LONG)
    mentions = sum((short[:, :-1] == index[state]).sum(dim=1) for state in STATES)
    assert isinstance(mentions, Tensor)
    return StreetText(vocabulary, train, short, short[mentions > 1], long)


def train_street(
    text: StreetText,
    row: Row,
    seed: int,
    steps: int = STREET_STEPS,
    watch: Watch | None = None,
    folder: Path | None = None,
) -> GPT:
    """Train a model on the stories; `watch(step, loss)` after every step, the loss of the answers in nats.

    Returns it in evaluation mode. A `folder` keeps the finished run, as that of `train_lab`.
    """
    targets = torch.zeros_like(text.train[:, 1:])
    targets[:, -1] = text.train[:, -1]  # 0 is padding and does not count
    model = lab_model(len(text.vocabulary), row, seed)
    path = place_of(folder, text.train, row, seed, limited(steps))
    return fit(model, text.train[:, :-1], targets, seed, steps, BATCH, RATE, watch, path)


@torch.no_grad()
def answer_loss(model: GPT, stories: Tensor) -> float:
    """The mean loss of the last word of stories (n, length), in nats. Raises UserError for too long ones.

    >>> text = street_text()
    >>> untrained = lab_model(len(text.vocabulary), STREET_PLAIN, seed=0).eval()
    >>> 3 < answer_loss(untrained, text.short[:4]) < 4  # a guess among all 36 words: 3.58
    True
    """
    if stories.shape[1] > BLOCK + 1:
        raise UserError(f"a story may have at most {BLOCK + 1} words, these have {stories.shape[1]}")
    return float(F.cross_entropy(model(stories[:, :-1])[0][:, -1], stories[:, -1]))


def measure_street(model: GPT, text: StreetText) -> dict[str, float]:
    """The losses of one run, nats per answer: `STREET_MEASURED`."""
    return {name: answer_loss(model, getattr(text, name)) for name in STREET_MEASURED}
