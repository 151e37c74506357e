"""Generate a world: invented people and birthplaces, in the format of the original assignment's four files.

- A `WorldSize` and a seed determine everything, byte for byte, on any machine. (Only `Random.random()` is
  used, whose sequence Python guarantees, and `fsum`, which rounds once.)
- Counts are exact and not random: London has its exact share in every split, and the regions of name and
  birthplace agree for exactly the chosen share of people, up to rounding. So the accuracy of a baseline does
  not depend on the seed.
- A person is mentioned in 1 to 5 lines, each worded differently. A chosen share of every split is mentioned
  in none: the answers about these people can only be guessed, so the knowledge ceiling is below 100 %.
- `truth.tsv` has what the other files lack: who is mentioned, how often, and the answers of the test set.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from kqa_core.errors import UserError
from kqa_core.files import write_together
from kqa_core.text.world import templates
from kqa_core.text.world.regions import CAPITAL, REGIONS, Region, person_name, place_name

T = TypeVar("T")
TRUTH = ("person", "name_region", "place", "region", "exposures", "split", "seen")


@dataclass(frozen=True)
class WorldSize:
    """The size and the properties of a world."""

    train: int  # people with question and answer to finetune on
    dev: int  # people with question and answer to evaluate on
    test: int  # people whose answers are only in truth.tsv
    regions: int  # at most 8
    places: int  # in each region
    capital: float  # the share of people born in London: the majority baseline
    flatness: float  # the k-th place after London has weight 1/(k + flatness)
    agreement: float  # the share of people whose name's region is the region of birth
    exposures: tuple[float, ...]  # weights of 1, 2, … lines a person
    facts: tuple[float, ...]  # weights of 0, 1, … further facts a line
    unseen: float  # the share of train and of dev people who are in no document
    unseen_test: float  # the same for test people: larger, to study guesses
    accents: float = 0.0  # the share of names with a letter outside ASCII


SIZES = {
    "tiny": WorldSize(
        train=24, dev=12, test=8, regions=2, places=4, capital=0.2, flatness=8, agreement=0.5,
        exposures=(0.3, 0.3, 0.2, 0.1, 0.1), facts=(0.6, 0.4), unseen=0.09, unseen_test=0.25,
    ),
    "small": WorldSize(
        train=140, dev=100, test=40, regions=4, places=12, capital=0.05, flatness=48, agreement=0.5,
        exposures=(0.05, 0.2, 0.5, 0.2, 0.05), facts=(0.6, 0.4), unseen=0.04, unseen_test=0.25,
    ),
    "full": WorldSize(
        train=2000, dev=500, test=437, regions=8, places=30, capital=0.05, flatness=8, agreement=0.6,
        exposures=(0.65, 0.2, 0.08, 0.05, 0.02), facts=(0.55, 0.3, 0.1, 0.05), unseen=0.042,
        unseen_test=0.25, accents=0.04,
    ),
}  # fmt: skip
DEFAULT_SEED = 2021


@dataclass(frozen=True)
class Person:
    """One invented person, with the true answer, and the number of documents that state the birthplace.

    >>> Person("Ada", "north", "Bern", "south", exposures=1, split="train").question
    'Where was Ada born?'
    """

    name: str
    name_region: str
    place: str
    region: str  # of the place
    exposures: int
    split: str  # train, dev or test

    @property
    def question(self) -> str:
        """Such as `Where was Owain Penlan born?`."""
        return templates.QUESTION.format(name=self.name)


@dataclass(frozen=True)
class World:
    """People in the order of their files, and the documents about them, shuffled."""

    people: tuple[Person, ...]
    documents: tuple[str, ...]
    # every place and its region: London first, then by decreasing number of people
    places: tuple[tuple[str, str], ...] = ()

    def files(self) -> dict[str, str]:
        """The text of each file by its name."""
        split = {name: [p for p in self.people if p.split == name] for name in ("train", "dev", "test")}
        answered = {
            name: "".join(f"{p.question}\t{p.place}\n" for p in split[name]) for name in ("train", "dev")
        }
        rows = [
            (p.name, p.name_region, p.place, p.region, p.exposures, p.split, "yes" if p.exposures else "no")
            for p in self.people
        ]
        return {
            "wiki.txt": "".join(f"{document}\n" for document in self.documents),
            "birth_places_train.tsv": answered["train"],
            "birth_dev.tsv": answered["dev"],
            "birth_test_inputs.tsv": "".join(f"{p.question}\n" for p in split["test"]),
            "truth.tsv": "".join("\t".join(map(str, row)) + "\n" for row in [TRUTH, *rows]),
        }

    def write(self, directory: str | Path) -> None:
        """Write the files, all or none of them. Raises UserError if the directory cannot be written."""
        write_together(directory, self.files())


def make_world(size: str | WorldSize, seed: int = DEFAULT_SEED) -> World:
    """The world of a size (a name in `SIZES`, or a `WorldSize`) and seed. Raises UserError for no size.

    >>> world = make_world("small")
    >>> world.people[0].question
    'Where was Owlian Lewgarth born?'
    """
    if isinstance(size, str):
        if size not in SIZES:
            raise UserError(f"no world is called {size!r}: the sizes are {', '.join(SIZES)}")
        size = SIZES[size]
    for attempt in range(100):
        world = _Maker(size, seed + attempt * 1_000_003).world()
        if not _unknown(world):
            return world
    raise UserError(
        "no world of this size has documents that hold every character of its questions: give it more people"
        f" than {size}"
    )


def _unknown(world: World) -> set[str]:
    """Characters of questions and places that are in no document, so not in the vocabulary."""
    used = {letter for person in world.people for letter in person.question + person.place}
    return used.difference(*world.documents)


def deal(weights: Sequence[float], total: int) -> list[int]:
    """Whole numbers that sum to `total` in proportion to `weights` (largest remainders)."""
    shares = [weight * total / math.fsum(weights) for weight in weights]
    counts = [int(share) for share in shares]
    by_remainder = sorted(range(len(shares)), key=lambda k: (counts[k] - shares[k], k))
    for k in by_remainder[: total - sum(counts)]:
        counts[k] += 1
    return counts


class _Maker:
    def __init__(self, size: WorldSize, seed: int) -> None:
        self.size = size
        self.random = random.Random(seed)
        self.regions = REGIONS[: size.regions]
        self.taken: set[str] = set()
        self.places = self._places()

    def pick(self, n: int) -> int:
        return int(self.random.random() * n)

    def choose(self, items: Sequence[T]) -> T:
        return items[self.pick(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        rest = list(items)
        return [rest.pop(self.pick(len(rest))) for _ in range(len(items))]

    def dealt(self, weights: Sequence[float], total: int) -> list[int]:
        """`total` indices of `weights`, with counts in proportion to them, in random order."""
        return self.shuffled([k for k, count in enumerate(deal(weights, total)) for _ in range(count)])

    def _places(self) -> list[tuple[str, Region]]:
        """London, then places of all regions in turn; no place's name is part of another's."""
        places = [(CAPITAL, self.regions[0])]
        for number in range(self.size.places * self.size.regions):
            region = self.regions[number % self.size.regions]
            while True:
                name = place_name(region, self.pick, accented=self.random.random() < self.size.accents)
                if not any(name in other or other in name for other, _ in places):
                    break
            places.append((name, region))
        return places

    def _person_name(self, region: Region) -> str:
        for _ in range(10_000):
            name = person_name(region, self.pick, accented=self.random.random() < self.size.accents)
            if name not in self.taken and not any(place in name for place, _ in self.places):
                self.taken.add(name)
                return name
        raise UserError(f"the region {region.name} has no more names: ask for fewer people or more regions")

    def _split(self, split: str, count: int, unseen: float) -> list[Person]:
        size = self.size
        weights = [1 / (k + size.flatness) for k in range(1, len(self.places))]
        rest = (1 - size.capital) / math.fsum(weights)
        places = self.dealt([size.capital, *(weight * rest for weight in weights)], count)
        agrees = self.dealt([1 - size.agreement, size.agreement], count)
        mentioned = self.dealt([unseen, 1 - unseen], count)
        lines = self.dealt(size.exposures, sum(mentioned))
        people = []
        for place_index, agree, seen in zip(places, agrees, mentioned, strict=True):
            place, region = self.places[place_index]
            others = [other for other in self.regions if other is not region]
            name_region = region if agree or not others else self.choose(others)
            exposures = lines.pop() + 1 if seen else 0
            people.append(
                Person(self._person_name(name_region), name_region.name, place, region.name, exposures, split)
            )
        return people

    def world(self) -> World:
        size = self.size
        people = [
            *self._split("train", size.train, size.unseen),
            *self._split("dev", size.dev, size.unseen),
            *self._split("test", size.test, size.unseen_test),
        ]
        documents = [line for person in people for line in self._lines(person)]
        places = tuple((place, region.name) for place, region in self.places)
        return World(tuple(people), tuple(self.shuffled(documents)), places)

    def _lines(self, person: Person) -> list[str]:
        """As many differently worded documents as the person has exposures."""
        born = 1750 + self.pick(150)
        slots = {
            "place": person.place,
            "grave": self.choose([place for place, _ in self.places if place != person.place]),
            "job": self.choose(templates.JOBS),
            "born": str(born),
            "died": str(born + 41 + self.pick(50)),
            "date": f"{1 + self.pick(28)} {self.choose(templates.MONTHS)} {born}",
        }
        births = self.shuffled(templates.BIRTH)
        lines = []
        for number in range(person.exposures):
            count = self.draw(self.size.facts)
            sentences = [
                self._sentence(fact, person, slots, born) for fact in self.shuffled(templates.FACTS)[:count]
            ]
            sentences.insert(self.pick(count + 1), self._sentence(births[number], person, slots, born))
            lines.append(f"{person.name}. {' '.join(sentences)}")
        return lines

    def draw(self, weights: Sequence[float]) -> int:
        """A random index, with probabilities in proportion to `weights`."""
        mark = self.random.random() * math.fsum(weights)
        for index, weight in enumerate(weights[:-1]):
            mark -= weight
            if mark < 0:
                return index
        return len(weights) - 1

    def _sentence(self, sentence: str, person: Person, slots: dict[str, str], born: int) -> str:
        others = [place for place, _ in self.places if place != person.place]
        year = born + 18 + self.pick(12)
        subject = person.name if self.pick(2) else person.name.split()[-1]
        text = sentence.format(
            S=subject,
            other=self.choose(others),
            year=year,
            later=year + 1 + self.pick(10),
            count=2 + self.pick(8),
            **slots,
        )
        return re.sub(r"\b([Aa]) (?=[aeio])", r"\1n ", text)  # "an architect"
