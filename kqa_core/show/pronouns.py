"""64 pairs of sentences that differ in their last word, which decides what "it" stands for.

"The animal didn't cross the street because it was tired." / "… because it was wide.": with *tired*, "it" is
the animal, with *wide* the street. A head that resolves pronouns gives the right noun more weight than the
other, in both. A head that only looks for, say, the first noun is right in exactly one of the two.

`score_heads` asks all heads of a model. The first pair is Vaswani et al.'s example (2017), and the form is
that of Winograd's schemas (Levesque, Davis and Morgenstern 2012); the others are ours.

`recorded_head` has the weights of one head on the first sentence, for a look without the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import nn

from kqa_core.errors import UserError
from kqa_core.experiments.results import recorded
from kqa_core.pretrained.minilm import load_minilm
from kqa_core.show.explorer.real_models import read_with, watch_real


@dataclass(frozen=True)
class PronounPair:
    """A sentence with two nouns and "it", without its last word, and the word for each noun."""

    start: str
    first: str  # noun
    of_first: str  # with this last word, "it" is the first noun
    second: str  # noun
    of_second: str

    @property
    def sentences(self) -> tuple[tuple[str, str, str], tuple[str, str, str]]:
        """Two sentences, each with the right noun and the wrong one."""
        return (
            (f"{self.start} {self.of_first}.", self.first, self.second),
            (f"{self.start} {self.of_second}.", self.second, self.first),
        )


# the start of the sentence, the first noun: its word, the second noun: its word
ROWS = """
The animal didn't cross the street because it was | animal: tired | street: wide
The boat could not pass under the bridge because it was | boat: tall | bridge: low
The dog chased the cat because it was | dog: angry | cat: afraid
The fish ate the worm because it was | fish: hungry | worm: tasty
The truck passed the bus because it was | truck: fast | bus: slow
The cake didn't fit in the box because it was | cake: large | box: small
The horse didn't drink the water because it was | horse: sick | water: dirty
The car didn't enter the garage because it was | car: wide | garage: narrow
The bird left the tree because it was | bird: scared | tree: burning
The wolf followed the sheep because it was | wolf: hungry | sheep: lost
The key didn't open the door because it was | key: bent | door: blocked
The plane could not land at the airport because it was | plane: damaged | airport: closed
The river flooded the village because it was | river: swollen | village: unprotected
The cow didn't eat the grass because it was | cow: ill | grass: dry
The stone broke the window because it was | stone: heavy | window: thin
The knife could not cut the bread because it was | knife: blunt | bread: hard
The lion caught the deer because it was | lion: strong | deer: weak
The ship hit the rock because it was | ship: uncontrolled | rock: hidden
The hammer broke the cup because it was | hammer: heavy | cup: fragile
The train waited at the station because it was | train: early | station: crowded
The mouse escaped from the cat because it was | mouse: quick | cat: lazy
The child could not lift the bag because it was | child: weak | bag: heavy
The ball rolled off the table because it was | ball: round | table: tilted
The picture fell from the wall because it was | picture: loose | wall: shaking
The team lost to the club because it was | team: inexperienced | club: famous
The army could not take the castle because it was | army: small | castle: defended
The song did not suit the film because it was | song: cheerful | film: sad
The book did not fit on the shelf because it was | book: large | shelf: full
The fox could not reach the nest because it was | fox: short | nest: high
The snow covered the road because it was | snow: deep | road: flat
The bear left the cave because it was | bear: hungry | cave: cold
The baby dropped the bottle because it was | baby: sleepy | bottle: slippery
The wind moved the chair because it was | wind: strong | chair: light
The rope could not hold the boat because it was | rope: thin | boat: heavy
The lamp lit the room because it was | lamp: bright | room: tiny
The nail didn't enter the wood because it was | nail: bent | wood: hard
The company sold the factory because it was | company: bankrupt | factory: unprofitable
The bank refused the loan because it was | bank: cautious | loan: risky
The rain ruined the hat because it was | rain: heavy | hat: straw
The spider caught the fly because it was | spider: patient | fly: careless
The goat climbed the fence because it was | goat: agile | fence: low
The engine could not pull the train because it was | engine: weak | train: long
The cat hid under the bed because it was | cat: frightened | bed: near
The letter didn't go into the envelope because it was | letter: big | envelope: small
The storm sank the ship because it was | storm: violent | ship: old
The pig broke the gate because it was | pig: strong | gate: rotten
The city built the park because it was | city: rich | park: needed
The farmer's dog ignored the rabbit because it was | dog: old | rabbit: tame
The sun melted the ice because it was | sun: hot | ice: thin
The camera missed the bird because it was | camera: slow | bird: distant
The frog jumped into the pond because it was | frog: thirsty | pond: cool
The museum bought the statue because it was | museum: wealthy | statue: rare
The jacket didn't go into the suitcase because it was | jacket: bulky | suitcase: full
The team's bus missed the ferry because it was | bus: late | ferry: punctual
The tiger left the zebra because it was | tiger: full | zebra: dead
The virus spread in the school because it was | virus: contagious | school: crowded
The shoe hurt the foot because it was | shoe: tight | foot: swollen
The judge rejected the plan because it was | judge: strict | plan: illegal
The tree blocked the light because it was | tree: tall | light: low
The drum drowned the flute because it was | drum: loud | flute: soft
The monkey dropped the fruit because it was | monkey: clumsy | fruit: rotten
The elephant crossed the river because it was | elephant: brave | river: shallow
The bike passed the taxi because it was | bike: quick | taxi: stuck
The pump emptied the tank because it was | pump: powerful | tank: small
"""


def _pair(row: str) -> PronounPair:
    start, *ends = (part.strip() for part in row.split(" | "))
    (first, of_first), (second, of_second) = (end.split(": ") for end in ends)
    return PronounPair(start, first, of_first, second, of_second)


PAIRS: tuple[PronounPair, ...] = tuple(_pair(row) for row in ROWS.strip().splitlines())


@dataclass(frozen=True)
class HeadScores:
    """What each head does in each sentence: arrays (N, 2, L, H) for N pairs, L layers and H heads."""

    right_noun: NDArray[np.bool_]  # "it" gives the right noun more weight than the wrong one
    previous: NDArray[np.float32]  # mean weight that a token gives to the token before it
    first: NDArray[np.float32]  # mean weight that a token gives to the first token


def score_heads(model: nn.Module, tokenizer: Any, pairs: Sequence[PronounPair] = PAIRS) -> HeadScores:
    """The scores of all heads of an encoder. Raises UserError for a noun that is more than one token."""
    nouns, previous, first = [], [], []
    for pair in pairs:
        for sentence, right, wrong in pair.sentences:
            numbers, tokens = read_with(tokenizer, sentence)
            words = [token.lstrip("␣").lower() for token in tokens]
            for word in (right, wrong, "it"):
                if word not in words:
                    raise UserError(f"{word!r} is not one token for this model: leave this pair out")
            it = len(words) - 1 - words[::-1].index("it")  # the last one
            weights = watch_real(model, numbers).weights  # (L, H, T, T)
            nouns.append(weights[:, :, it, words.index(right)] > weights[:, :, it, words.index(wrong)])
            previous.append(np.diagonal(weights, -1, axis1=2, axis2=3).mean(-1))
            first.append(weights[:, :, 1:, 0].mean(-1))
    return HeadScores(
        *(np.stack(part).reshape(len(pairs), 2, *part[0].shape) for part in (nouns, previous, first))
    )


def held_out_share(right: NDArray[np.bool_], splits: int = 200, seed: int = 0) -> float:
    """The mean over `splits` random halves of the pairs: the head that is best on one half, (N, 2, L, H), has
    this share of right nouns on the other half.
    """
    by_head = right.reshape(len(right), 2, -1).mean(axis=1)  # (N, heads)
    rng, shares = np.random.default_rng(seed), []
    for _ in range(splits):
        order = rng.permutation(len(right))
        one, other = np.array_split(order, 2)
        shares.append(by_head[other, by_head[one].mean(axis=0).argmax()].mean())
    return float(np.mean(shares))


def pronoun_scores() -> tuple[HeadScores, str]:
    """The scores of all-MiniLM-L6-v2 and ""; without the encoder the recorded ones, and the reason."""
    try:
        return score_heads(*load_minilm()), ""
    except UserError as missing:
        return recorded_pronouns(), str(missing)


def recorded_pronouns(path: Path | None = None) -> HeadScores:
    """The scores that `kqa bench pronouns` recorded for all-MiniLM-L6-v2, weights rounded to hundredths.
    Raises UserError for a file that is missing or cannot be read.
    """

    def view(found: dict[str, Any]) -> HeadScores:
        figures = found["figures"]
        shape = tuple(figures["shape"])
        right = np.array([mark == "1" for row in figures["right_noun"] for mark in row])
        previous, first = (
            np.array(" ".join(figures[name]).split(), dtype=np.float32) / 100
            for name in ("previous", "first")
        )
        return HeadScores(right.reshape(shape), previous.reshape(shape), first.reshape(shape))

    return recorded("pronouns", view, path)


def recorded_head(path: Path | None = None) -> tuple[list[str], NDArray[np.float32]]:
    """The T tokens of the first sentence, and the weights (1, 1, T, T) that head 1 of layer 3 of
    all-MiniLM-L6-v2 has on them, rounded to ten-thousandths, as `kqa bench pronouns` recorded them.
    Raises UserError for a file that is missing or cannot be read.
    """

    def view(found: dict[str, Any]) -> tuple[list[str], NDArray[np.float32]]:
        head = found["figures"]["head"]
        rows = [[int(number) / 10_000 for number in row.split()] for row in head["weights"]]
        return list(head["tokens"]), np.array(rows, dtype=np.float32)[None, None]

    return recorded("pronouns", view, path)
