"""Made-up people, places and lines of text for the checks of notebook 07.

They are small and random on purpose: every check draws its own, so no answer can know them. Unlike the
course's own text (`kqa_core.text`), nothing here has to be learnable; it only has the difficult cases of real
text.
"""

from __future__ import annotations

import random

ONSETS = [
    "b", "br", "d", "dr", "f", "g", "gr", "h", "k", "kl", "l", "m", "n", "p", "r", "s", "st", "t", "v", "z"
]  # fmt: skip
VOWELS = ["a", "e", "i", "o", "u", "au", "ei", "é", "ö"]
CODAS = ["", "", "l", "n", "r", "s", "nd", "rt"]


def word(rng: random.Random, syllables: int = 2) -> str:
    """A capitalised made-up word, sometimes with a letter outside ASCII."""
    parts = [rng.choice(ONSETS) + rng.choice(VOWELS) + rng.choice(CODAS) for _ in range(syllables)]
    return "".join(parts).capitalize()


def names(rng: random.Random, count: int) -> list[str]:
    """Distinct names, none the beginning of another; some have a middle initial or end in "Jr."."""
    chosen: list[str] = []
    while len(chosen) < count:
        first, last = word(rng), word(rng, 3)
        middle = f" {rng.choice('ABDEFGHKLM')}." if rng.random() < 0.3 else ""
        name = f"{first}{middle} {last}{', Jr.' if rng.random() < 0.1 else ''}"
        if not any(name.startswith(other) or other.startswith(name) for other in chosen):
            chosen.append(name)
    return chosen


def places(rng: random.Random, count: int) -> list[str]:
    """Distinct places, none part of another, none London; some of two words."""
    chosen: list[str] = []
    while len(chosen) < count:
        place = word(rng, 3) if rng.random() < 0.7 else f"{rng.choice(['New', 'Port', 'San'])} {word(rng, 3)}"
        if not any(place in other or other in place for other in chosen):
            chosen.append(place)
    return chosen


def birthplace_question(name: str) -> str:
    """The question the data set asks about a person."""
    return f"Where was {name} born?"
