"""Answer key of knowledge_ceiling.

What the exercise leaves open is not tested: a place inside the person's own name, a hyphen beside the place.
"""

from __future__ import annotations

import random
import re

import torch

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.check.helpers.people import birthplace_question, names, places
from kqa_core.check.helpers.read_values import fraction

Case = tuple[list[str], list[tuple[str, str]]]


def draw(rng: random.Random, kinds: tuple[int, ...] = tuple(range(12)) * 2) -> Case:
    """Documents and pairs, one person for each kind of trap named."""
    people, towns = names(rng, len(kinds)), places(rng, len(kinds) + 2)
    documents: list[str] = []
    pairs: list[tuple[str, str]] = []
    for person, town, kind in zip(people, towns, kinds, strict=False):
        if kind == 0:  # plainly there
            lines = [f"{person}. A painter, born in {town} ."]
        elif kind == 1:  # only as part of a longer word
            lines = [f"{person}. Taught {town}ese for {rng.randint(2, 40)} years."]
        elif kind == 2:  # in the first of three lines
            lines = [f"{person}. {town} was home.", f"{person}. Wrote books.", f"{person}. Died in {towns[-1]}."]
        elif kind == 3:  # in the last of two
            lines = [f"{person}. Sailed far.", f"{person}. Grew up in {town}, late."]
        elif kind == 4:  # only in the line of somebody whose name begins alike
            lines = [f"{person}son. Born in {town}.", f"{person}. A smith."]
        elif kind == 5:  # only in another person's line, which speaks of this one
            lines = [f"{people[0]}. Met {person}. It was in {town}.", f"{person}. A singer."]
        elif kind == 6:  # never told of, though the place occurs
            lines = [f"Otto Quint. Stayed in {town}."]
        elif kind == 7:  # in two lines, which is still one person
            lines = [f"{person}. Born in {town}.", f"{person}. From {town}, then {towns[-2]}."]
        elif kind == 8:  # in other letters
            lines = [f"{person}. Lived at {town.lower()} street."]
        elif kind == 9:  # with a sign of its own in it: a full stop is a full stop
            town = f"St. {town}"
            lines = [f"{person}. Spoke of Stx {town[4:]} only."]
        elif kind == 10:  # at the end of the line, and no full stop
            lines = [f"{person}. Their town was {town}"]
        else:  # a name with an initial; brackets
            person = f"{person[0]}. K. {person}"
            lines = [f"{person}. Came to ({town}) young."]
        documents += lines
        pairs.append((birthplace_question(person), town))
    shuffled = rng.sample(documents, len(documents)), rng.sample(pairs, len(pairs))
    return [*shuffled[0], ""], shuffled[1]


def stands(documents: list[str], pair: tuple[str, str]) -> bool:
    """Whether the place stands in a line of the person's own."""
    name = pair[0].removeprefix("Where was ").removesuffix(" born?")
    place = re.compile(rf"(?<!\w){re.escape(pair[1])}(?!\w)")
    return any(line.startswith(f"{name}. ") and place.search(line) is not None for line in documents)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Three draws with every trap."""
    for _ in range(3):
        documents, pairs = draw(rng)
        pairs = pairs[: rng.randint(19, 23)]  # so that the documents tell of more people than are asked about
        ceiling = sum(stands(documents, pair) for pair in pairs) / len(pairs)
        found = fraction(answer(documents, pairs), "the ceiling")
        expect(
            abs(found - ceiling) < 1e-9,
            "on a harder text your ceiling is off: think of longer names and longer words, several lines, "
            f"initials, punctuation after the place, other people's lines ({found:.4g} for {ceiling:.4g})",
        )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A draw of the hidden kind; then each trap by itself beside one ordinary person."""
    return [draw(rng), *(draw(rng, (0, kind)) for kind in range(1, 12))]


def knowledge_ceiling(documents, pairs):
    """The reference."""
    reachable = 0
    for question, place in pairs:
        name = question.removeprefix("Where was ").removesuffix(" born?")
        whole_word = re.compile(r"(?<!\w)" + re.escape(place) + r"(?!\w)")
        reachable += any(whole_word.search(line) for line in documents if line.startswith(name + ". "))
    return reachable / len(pairs)


def by_index(documents, pairs):
    """Walks through every occurrence and looks at the characters beside it."""

    def stands(place, line):
        at = line.find(place)
        while at >= 0:
            before, after = line[at - 1 : at], line[at + len(place) : at + len(place) + 1]
            if not before.isalnum() and not after.isalnum():
                return True
            at = line.find(place, at + 1)
        return False

    good = [pair for pair in pairs if any(stands(pair[1], line) for line in documents if line.startswith(pair[0][10:-6] + ". "))]
    return len(good) / len(pairs)


def with_a_table(documents, pairs):
    """Builds a table from the names asked about to all they are told, then searches it once per pair."""
    own = {question[len("Where was ") : -len(" born?")]: "" for question, _ in pairs}
    for line in documents:
        for name in own:
            if line[: len(name) + 2] == f"{name}. ":
                own[name] += "\n" + line
    hits = [re.search(rf"\b{re.escape(place)}\b", own[question[10:-6]]) is not None for question, place in pairs]
    return sum(hits) / len(hits)


def by_tokens(documents, pairs):
    """Cuts text and place into words and signs and looks for one run inside the other."""

    def cut(text):
        return re.findall(r"\w+|[^\w\s]", text)

    total = 0.0
    for question, place in pairs:
        name, needle = re.sub(r"^Where was | born\?$", "", question), cut(place)
        for line in documents:
            words = cut(line)
            if line.startswith(f"{name}. ") and any(words[i : i + len(needle)] == needle for i in range(len(words))):
                total += 1 / len(pairs)
                break
    return round(total, 12)


def one_big_expression(documents, pairs):
    """One regular expression over the whole text per pair."""
    text = "\n".join(documents)
    patterns = (r"^" + re.escape(question[10:-6]) + r"\. (?:.*\W)?" + re.escape(place) + r"(?:\W|$)" for question, place in pairs)
    return torch.tensor([re.search(pattern, text, re.MULTILINE) is not None for pattern in patterns]).double().mean().item()


def part_of_a_word(documents, pairs):
    """You take a place that is only part of a longer word: Milan does not stand in "Milanese"; ask for the whole word."""
    hits = 0
    for question, place in pairs:
        hits += any(place in line for line in documents if line.startswith(question[10:-6] + ". "))
    return hits / len(pairs)


def anybody_s_line(documents, pairs):
    """You search the whole text: a place in somebody else's line says nothing of this person, so look in their own lines
    only.
    """
    hits = 0
    for _, place in pairs:
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in documents)
    return hits / len(pairs)


def longer_names(documents, pairs):
    """You take lines of people whose name only begins alike: after the name must come a full stop and a space."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6])]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(pairs)


def name_anywhere(documents, pairs):
    """You take every line that mentions the name: a person's own lines *begin* with it."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if question[10:-6] + ". " in line]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(pairs)


def first_line_only(documents, pairs):
    """You look at a person's first line only; somebody may be told of in several, and any of them will do."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")][:1]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(pairs)


def last_line_only(documents, pairs):
    """You keep only the last line of each person: a dictionary from names to lines overwrites the earlier ones."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")][-1:]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(pairs)


def cut_at_the_first_stop(documents, pairs):
    """You take what stands before the first full stop as the name: that cuts off names with an initial, as in "John A.
    Smith".
    """
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if line.split(". ")[0] == question[10:-6]]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(pairs)


def words_between_spaces(documents, pairs):
    """You compare with the words between spaces: there "Bergen," is not "Bergen", and a place of two words is never found."""
    hits = 0
    for question, place in pairs:
        hits += any(place in line.split() for line in documents if line.startswith(question[10:-6] + ". "))
    return hits / len(pairs)


def no_escape(documents, pairs):
    """Your place goes into the regular expression unescaped, so the full stop of "St. Gallen" fits any character: use
    re.escape.
    """
    hits = 0
    for question, place in pairs:
        hits += any(re.search(rf"\b{place}\b", line) for line in documents if line.startswith(question[10:-6] + ". "))
    return hits / len(pairs)


def whatever_the_case(documents, pairs):
    """Your search ignores capitals, so a common word counts as a place: compare the letters as they stand."""
    hits = 0
    for question, place in pairs:
        own = [line.lower() for line in documents if line.startswith(question[10:-6] + ". ")]
        hits += any(re.search(rf"\b{re.escape(place.lower())}\b", line) for line in own)
    return hits / len(pairs)


def each_line_counts(documents, pairs):
    """You count lines, not people: somebody whose birthplace stands in two lines is still one person."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        hits += sum(re.search(rf"\b{re.escape(place)}\b", line) is not None for line in own)
    return hits / len(pairs)


def of_those_told(documents, pairs):
    """You divide by the people who have a line; the ceiling is a share of all questions, and nobody can read what is not
    there.
    """
    hits, told = 0, 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        told += bool(own)
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / max(told, 1)


def of_all_documents(documents, pairs):
    """You divide by the number of documents; the ceiling is a share of the questions."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(documents)


def by_row(documents, pairs):
    """You pair line i with question i: that order is an accident of one file, so find a person's lines by the name."""
    rows = zip(documents, pairs, strict=False)
    return sum(re.search(rf"\b{re.escape(place)}\b", line) is not None for line, (_, place) in rows) / len(pairs)


def has_a_line(documents, pairs):
    """This is the share of people who have a line at all; ask whether the place stands in it."""
    return sum(any(line.startswith(question[10:-6] + ". ") for line in documents) for question, _ in pairs) / len(pairs)


KEY = AnswerKey(
    id="knowledge_ceiling",
    hidden=hidden,
    reference=knowledge_ceiling,
    accepted=(by_index, with_a_table, by_tokens, one_big_expression),
    rejected=(
        *(part_of_a_word, anybody_s_line, longer_names, name_anywhere, first_line_only, last_line_only, cut_at_the_first_stop),
        *(words_between_spaces, no_escape, whatever_the_case, each_line_counts, of_those_told, of_all_documents, by_row),
        *(has_a_line,),
    ),
    fingerprint=fingerprint,
)
