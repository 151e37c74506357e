"""Answer key of knowledge_ceiling."""

from __future__ import annotations

import random
import re

import torch

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import NotYet, Verdict, expect, right
from kqa_core.check.helpers.people import birthplace_question, names, places
from kqa_core.check.helpers.read_values import fraction

Case = tuple[list[str], list[tuple[str, str]]]
TRAPS = {  # the kinds of `draw` that a sentence names
    0: "a last line that is not empty",
    1: "places that are a part of a longer word",
    2: "people with several lines",
    3: "people with several lines",
    4: "people whose name begins like another name",
    5: "lines of other people that mention this one",
    8: "upper and lower case",
    9: "signs in a place that have a meaning in a regular expression",
    10: "a place at the end of its line",
    11: "names with an initial, and places in brackets",
    12: "lines in which no full stop follows the name",
    13: "places that are the end of a longer word",
    14: "lines in which the place is first a part of a word, and later a word of its own",
    15: "digits next to the place",
    16: "signs in a name that have a meaning in a regular expression",
    17: "letters outside ASCII next to the place",
    18: "a hyphen next to the place: it is no letter and no digit",
    19: "a place in the person's name, which is part of the line",
    20: "lines in which a full stop follows the name, but no space",
    21: "names whose letters also occur in the words of the question",
}


def draw(rng: random.Random, kinds: tuple[int, ...] = tuple(range(22)) * 2) -> Case:
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
        elif kind == 6:  # no line, although the place occurs
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
        elif kind == 12:  # the name, and then no full stop
            lines = [f"{person}, a painter. Born in {town}."]
        elif kind == 13:  # only as the end of a longer word
            lines = [f"{person}. Grew up in New{town}."]
        elif kind == 14:  # inside a word first, and then as a whole word
            lines = [f"{person}. A {town}an singer, born in {town}."]
        elif kind == 15:  # with a digit behind it
            lines = [f"{person}. Played for {town}2 and 1{town}."]
        elif kind == 16:  # a name in which a full stop is not any character
            person = f"{person}. Jr"
            lines = [f"{person.replace('.', 'x')}. Born in {town}."]
        elif kind == 17:  # with a letter outside ASCII behind it
            lines = [f"{person}. Spoke {town}é."]
        elif kind == 18:  # beside hyphens
            lines = [f"{person}. A {town}-born singer."]
        elif kind == 19:  # in the person's own name, which begins the line
            person = f"{person} of {town}"
            lines = [f"{person}. A painter."]
        elif kind == 20:  # the name and a full stop, but no space
            lines = [f"{person}.net has it all. Born in {town}."]
        elif kind == 21:  # letters of the question at the ends of the name
            person = f"Wera {person} Thorborn"
            lines = [f"{person}. Born in {town}."]
        else:  # a name with an initial; brackets
            person = f"{person[0]}. K. {person}"
            lines = [f"{person}. Came to ({town}) young."]
        documents += lines
        pairs.append((birthplace_question(person), town))
    shuffled = rng.sample(documents, len(documents)), rng.sample(pairs, len(pairs))
    return [*shuffled[0], *([""] if len(kinds) > 2 else [])], shuffled[1]


def stands(documents: list[str], pair: tuple[str, str]) -> bool:
    """Whether the place is in a line of the person's own."""
    name = pair[0].removeprefix("Where was ").removesuffix(" born?")
    place = re.compile(rf"(?<!\w){re.escape(pair[1])}(?!\w)")
    return any(line.startswith(f"{name}. ") and place.search(line) is not None for line in documents)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Three draws with every trap; then each trap by itself, so that the sentence can name it."""
    for _ in range(3):
        documents, pairs = draw(rng)
        pairs = pairs[: rng.randint(35, 43)]  # so that the documents are about more people than the pairs
        ceiling = sum(stands(documents, pair) for pair in pairs) / len(pairs)
        found = fraction(answer(documents, pairs), "the ceiling")
        if abs(found - ceiling) > 1e-6:
            raise NotYet(_trap(answer, rng) or f"on a harder text the ceiling is {ceiling:.8g}; yours is {found:.8g}")
    trap = _trap(answer, rng)
    expect(not trap, trap)
    return right()


def _trap(answer: Answer, rng: random.Random) -> str:
    """What an answer overlooks, as a sentence; empty if it finds the ceiling beside each trap alone."""
    for kind, what in TRAPS.items():
        documents, pairs = draw(rng, (0, kind))
        if abs(fraction(answer(documents, pairs), "the ceiling") - sum(stands(documents, pair) for pair in pairs) / 2) > 1e-6:
            return f"on a harder text your ceiling is off. Think of {what}"
    return ""


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A draw of the hidden kind; then each trap by itself beside one ordinary person."""
    return [draw(rng), *(draw(rng, (0, kind)) for kind in range(1, 22))]


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
    patterns = (rf"^(?={re.escape(question[10:-6])}\. )(?:.*\W)?{re.escape(place)}(?:\W|$)" for question, place in pairs)
    return torch.tensor([re.search(pattern, text, re.MULTILINE) is not None for pattern in patterns]).double().mean().item()


def part_of_a_word(documents, pairs):
    """You accept a place that is only part of a longer word. Milanese is not Milan: look for the whole word."""
    hits = 0
    for question, place in pairs:
        hits += any(place in line for line in documents if line.startswith(question[10:-6] + ". "))
    return hits / len(pairs)


def anybody_s_line(documents, pairs):
    """You search the whole text. A place in another person's line says nothing about this person: search their own lines."""
    hits = 0
    for _, place in pairs:
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in documents)
    return hits / len(pairs)


def longer_names(documents, pairs):
    """You accept lines of people whose name only begins in the same way. After the name come a full stop and a space."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6])]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(pairs)


def name_anywhere(documents, pairs):
    """You accept every line that mentions the name. A person's own lines *begin* with it."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if question[10:-6] + ". " in line]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(pairs)


def first_line_only(documents, pairs):
    """You look at a person's first line only. A person may have several lines, and one with the place is enough."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")][:1]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(pairs)


def last_line_only(documents, pairs):
    """You keep only the last line of each person. A dictionary from names to lines overwrites the earlier ones."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")][-1:]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(pairs)


def cut_at_the_first_stop(documents, pairs):
    """You take what is before the first full stop as the name. That cuts off names with an initial, as in "John A.
    Smith".
    """
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if line.split(". ")[0] == question[10:-6]]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(pairs)


def words_between_spaces(documents, pairs):
    """You compare with the words between spaces. So "Bergen," is not "Bergen", and a place of two words is never found."""
    hits = 0
    for question, place in pairs:
        hits += any(place in line.split() for line in documents if line.startswith(question[10:-6] + ". "))
    return hits / len(pairs)


def no_escape(documents, pairs):
    """You put the place into the regular expression unescaped, so the full stop of "St. Gallen" matches any character. Use
    re.escape.
    """
    hits = 0
    for question, place in pairs:
        hits += any(re.search(rf"\b{place}\b", line) for line in documents if line.startswith(question[10:-6] + ". "))
    return hits / len(pairs)


def whatever_the_case(documents, pairs):
    """Your search ignores upper and lower case. Compare the letters as they are."""
    hits = 0
    for question, place in pairs:
        own = [line.lower() for line in documents if line.startswith(question[10:-6] + ". ")]
        hits += any(re.search(rf"\b{re.escape(place.lower())}\b", line) for line in own)
    return hits / len(pairs)


def after_the_title(documents, pairs):
    """You search only what follows the name. The name is part of the line: the place may be in it."""
    hits = 0
    for question, place in pairs:
        own = [line[len(question) - 16 + 2 :] for line in documents if line.startswith(question[10:-6] + ". ")]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(pairs)


def each_line_counts(documents, pairs):
    """You count lines and not people. A person with the birthplace in two lines counts once."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        hits += sum(re.search(rf"\b{re.escape(place)}\b", line) is not None for line in own)
    return hits / len(pairs)


def of_those_told(documents, pairs):
    """You divide by the number of people who have a line. Divide by the number of all questions."""
    hits, told = 0, 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        told += bool(own)
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / max(told, 1)


def of_all_documents(documents, pairs):
    """You divide by the number of documents. Divide by the number of questions."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(documents)


def by_row(documents, pairs):
    """You compare line i with question i. Find a person's lines by the name; the order of the lines is not that of the
    questions.
    """
    rows = zip(documents, pairs, strict=False)
    return sum(re.search(rf"\b{re.escape(place)}\b", line) is not None for line, (_, place) in rows) / len(pairs)


def has_a_line(documents, pairs):
    """You return the share of people who have a line at all. Ask whether the place is in it."""
    return sum(any(line.startswith(question[10:-6] + ". ") for line in documents) for question, _ in pairs) / len(pairs)


KEY = AnswerKey(
    id="knowledge_ceiling",
    hidden=hidden,
    reference=knowledge_ceiling,
    accepted=(by_index, with_a_table, by_tokens, one_big_expression),
    rejected=(
        *(part_of_a_word, anybody_s_line, longer_names, name_anywhere, first_line_only, last_line_only, cut_at_the_first_stop),
        *(words_between_spaces, no_escape, whatever_the_case, each_line_counts, of_those_told, of_all_documents, by_row),
        *(has_a_line, after_the_title),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    For each pair, the name is cut out of the question, and only lines that begin with the name, a full stop and a space are
    searched.
    The place is a whole word if no letter or digit touches it: `(?<!\w)` and `(?!\w)` say this. `re.escape` is needed because a
    place
    may have a full stop in its name, which is a special character in a regular expression. `any` makes a person with several
    lines
    count once. The most common mistakes are `place in line`, which finds Milan in Milanese, and looking at the first occurrence
    only.
    """,
)
