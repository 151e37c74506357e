"""Well-known people with the city of their birth, invented names, and how a model's answer fits them.

- `data/people` holds the lists, and says where they come from.
- `place_in` reads the place from a continuation such as " Salzburg, Austria. He was": the first run of
  capitalised words.
- Two places are the same if they agree without accents, capitals and punctuation.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from kqa_core.text.packaged import shipped

LETTERS = 3  # how many letters a name and a place must share at their beginning to sound alike
SMALL = ("de", "da", "do", "la", "le", "of", "the", "upon", "en", "am", "an", "der", "del", "dei")
_WORD = r"[^\W\d_a-zß-öø-ÿ][\w'’.-]*"  # begins with a capital
_PLACE = re.compile(rf"(?:[Tt]he )?({_WORD}(?:[ -](?:(?:{'|'.join(SMALL)})[ -])*{_WORD})*)")


@dataclass(frozen=True)
class Famous:
    """A well-known person."""

    name: str
    born: int  # year; below 0: before the year 1
    region: str  # of birth: "Africa", "Asia", "Europe", "North America", "Oceania" or "South America"
    cities: tuple[str, ...]  # names of the city of birth, old and new
    places: tuple[str, ...]  # other places that go with the person: where they worked, lived or died


def read_famous(folder: Path | None = None) -> list[Famous]:
    """The people of `data/people/born.tsv`."""
    return [
        Famous(row["name"], int(row["born"]), row["region"], _split(row["city"]), _split(row["places"]))
        for row in _rows(folder, "born.tsv")
    ]


def read_invented(folder: Path | None = None) -> list[str]:
    """The invented names of `data/people/invented.tsv`."""
    return [row["name"] for row in _rows(folder, "invented.tsv")]


def _rows(folder: Path | None, file: str) -> list[dict[str, str]]:
    path = (folder or shipped("people")) / file
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def _split(cell: str) -> tuple[str, ...]:
    return tuple(cell.split("|")) if cell else ()


def place_in(continuation: str) -> str:
    """The place that a continuation begins with; "" if it begins with none.

    >>> place_in(" Salzburg, Austria. He was")
    'Salzburg'
    >>> place_in(" New York. Her father")
    'New York'
    """
    first = re.split(r"[,;:()\n\"“”]|(?<!\bSt)\.(?:\s|$)", continuation.strip(), maxsplit=1)[0]
    found = _PLACE.match(first)
    return found[1].rstrip(".'’-") if found else ""


def plain(text: str) -> str:
    """Without accents, capitals and punctuation.

    >>> plain("Três Corações"), plain("St. Louis")
    ('tres coracoes', 'st louis')
    """
    letters = unicodedata.normalize("NFKD", text.replace("ł", "l").replace("ø", "o").replace("ı", "i"))
    kept = (letter for letter in letters.casefold() if letter.isalnum() or letter in " -")
    return " ".join("".join(kept).replace("-", " ").split())


def among(place: str, places: Collection[str]) -> bool:
    """Whether a place is one of these; "New York City" is "New York", and "Hague" is "The Hague"."""
    said = _bare(place)
    return bool(said) and any(said == _bare(other) for other in places)


def _bare(place: str) -> str:
    return plain(place).removesuffix(" city").removeprefix("the ")


def sound_alike(name: str, place: str) -> bool:
    """Whether a word of the name and a word of the place begin with the same LETTERS letters.

    >>> sound_alike("Isaac Newton", "Newton"), sound_alike("Isaac Newton", "New York")
    (True, True)
    >>> sound_alike("Marie Curie", "Paris")
    False
    """
    beginnings = [
        {word[:LETTERS] for word in plain(text).split() if len(word) >= LETTERS} for text in (name, place)
    ]
    return bool(beginnings[0] & beginnings[1])
