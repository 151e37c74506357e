"""Exercise knowledge_ceiling: how many of the answers does the text contain?"""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer, AnswerFailed
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import fraction, told
from kqa_core.exercise_helpers.people import birthplace_question, names, places

Case = tuple[list[str], list[tuple[str, str]]]
# One person for each way in which a search for a birthplace goes wrong.
TRAPS = {  # the kinds of `draw` that a sentence names
    25: "names with an initial",
    26: 'names that end in ", Jr."',
    27: "places of two words",
    28: "names with a small word in them, 'of'",
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
    22: "an apostrophe next to the place: it is no letter and no digit",
    21: 'names that begin or end with letters of the question\'s words, or contain "born"',
    23: "a place at the very beginning of a line, in the person's name",
    24: "people with several lines, of which one ends with the place, without a full stop",
}

KINDS = (25, 26, 27, 28, *range(1, 25))  # in this order: those of `draw`'s ordinary people come first
# of them, those of people whose place is in a line of their own
THERE = (0, 2, 3, 7, 10, 11, 14, 18, 19, 21, 22, 23, 24, 25, 26, 27, 28)
PLAIN = {0: "born in {} .", 1: "Taught {}ese"}  # how `draw` writes of the person beside a trap


def plain_places(rng: random.Random, count: int) -> list[str]:
    """So many different places of ASCII letters: other letters are a trap of their own."""
    found: list[str] = []
    while len(found) < count:
        found = [place for place in places(rng, 4 * count) if place.isascii()]
    return found[:count]


def draw(rng: random.Random, kinds: tuple[int, ...] = tuple(range(25)) * 2) -> Case:  # noqa: PLR0912, PLR0915
    """Documents and pairs, one person for each kind of trap named: one branch a kind."""
    people, towns = names(rng, len(kinds)), plain_places(rng, len(kinds) + 2)
    documents: list[str] = []
    pairs: list[tuple[str, str]] = []
    for person, town, kind in zip(people, towns, kinds, strict=False):
        if kind == 0:  # plainly there
            lines = [f"{person}. A painter, born in {town} ."]
        elif kind == 1:  # only as part of a longer word
            lines = [f"{person}. Taught {town}ese for {rng.randint(2, 40)} years."]
        elif kind == 2:  # in the first of three lines
            lines = [
                f"{person}. {town} was home.",
                f"{person}. Wrote books.",
                f"{person}. Died in {towns[-1]}.",
            ]
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
        elif kind == 8:  # in other letters, or in the line of a name in other letters
            lines = [f"{person}. Lived at {town.lower()} street.", f"{person.upper()}. Born in {town}."]
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
            lines = [f"{person}. Spoke {town}é and é{town}."]
        elif kind == 18:  # beside hyphens
            lines = [f"{person}. " + rng.choice((f"A {town}-born singer.", f"Left Old-{town}."))]
        elif kind == 22:  # beside an apostrophe
            lines = [f"{person}. " + rng.choice((f"{town}'s best singer.", f"Came from d'{town}."))]
        elif kind == 19:  # in the person's own name, which begins the line
            person = f"{person} of {town}"
            lines = [f"{person}. A painter."]
        elif kind == 20:  # the name and a full stop, but no space
            lines = [f"{person}.net has it all. Born in {town}."]
        elif kind == 21:  # letters of the question at the ends of the name
            person = f"Wera Kowas {person} Thorborn"
            lines = [f"{person}. Born in {town}."]
        elif kind == 23:  # the first word of the line
            person = f"{town} {person}"
            lines = [f"{person}. A painter."]
        elif kind == 24:  # at the end of a line that others of this person follow
            lines = [f"{person}. Their town was {town}", f"{person}. A poet.", f"{person}. Lived long."]
        elif kind > 24:  # as ordinary as kind 0: an initial, "Jr.", a place of two words, or "of"
            person = person.removesuffix(", Jr.")
            person = (f"Ada K. {person}", f"{person}, Jr.", person, f"{person} of {towns[-1]}")[kind - 25]
            town = f"New {town}" if kind == 27 else town.replace(" ", "")
            lines = [f"{person}. Born in {town}."]
        else:  # a name with an initial; brackets
            person = f"{person[0]}. K. {person}"
            lines = [f"{person}. Came to ({town}) young."]
        documents += lines
        pairs.append((birthplace_question(person), town))
    if len(kinds) > 2:  # a pair twice, a question with two places, and an empty last line
        more = [pairs[0], pairs[0], (pairs[0][0], towns[-1])]
        return [*rng.sample(documents, len(documents)), ""], rng.sample([*pairs, *more], len(pairs) + 3)
    mixed = documents if 24 in kinds else rng.sample(documents, len(documents))  # its last line comes first
    return mixed, rng.sample(pairs, len(pairs))


def check(answer: Answer, rng: random.Random) -> Verdict:
    """One line per person, with an empty last document;
    then people with several lines or none; then parts of words; then each trap alone.
    """
    people, towns = names(rng, 8), plain_places(rng, 8)
    pairs = [(birthplace_question(person), town) for person, town in zip(people, towns, strict=True)]
    known = rng.randint(3, 6)
    documents = [
        f"{person}. Born in {town}, in winter." for person, town in zip(people[:known], towns, strict=False)
    ]
    documents += [f"{person}. A painter of some note." for person in people[known:]]
    rng.shuffle(documents)
    ceiling = fraction(answer([*documents, ""], pairs), "the ceiling")
    mine, yours = told(known / 8, ceiling)
    if abs(ceiling - known / 8) >= 1e-6:
        wrong = _wrong_alone(answer, [*documents, ""], pairs, set(pairs[:known]))
        raise NotYet(
            f"of 8 people, each with one line, {known} have their birthplace in it, the others do not, so the"
            f" ceiling is {mine}; yours is {yours}{_alone(wrong, documents)}"
        )
    documents = [f"{people[7]}. A painter of some note.", f"{people[0]}. Born in {towns[0]}, in winter."]
    ceiling = fraction(answer(documents, [pairs[0], pairs[7]]), "the ceiling")
    expect(
        abs(ceiling - 1 / 2) < 1e-6,
        f"for the documents {documents}, of which the last is not empty, and the questions about"
        f" {asked_about([pairs[0], pairs[7]])}, the ceiling is 0.5; yours is {told(0.5, ceiling)[1]}",
    )
    documents = [
        f"{people[0]}. A poet.",
        f"{people[0]}. Came from {towns[0]}.",
        f"{people[1]}. A sailor.",
        "",
    ]
    ceiling = fraction(answer(documents, pairs[:4]), "the ceiling")
    expect(
        abs(ceiling - 1 / 4) < 1e-6,
        f"for the documents {documents} and the questions about {asked_about(pairs[:1])} and three others,"
        " only this one has the birthplace in a line (the second of two), so the ceiling is 0.25; yours is"
        f" {told(0.25, ceiling)[1]}",
    )
    documents = [
        f"{people[0]}. Born in {towns[0]}ese country.",
        f"{people[1]}. Taught New{towns[1]}.",
        f"{people[2]}. In {towns[2]}2.",
        f"{people[3]}son. Born in {towns[3]}.",
    ]
    ceiling = fraction(answer(documents, pairs[:4]), "the ceiling")
    wrong = _wrong_alone(answer, documents, pairs[:4], set()) if ceiling >= 1e-6 else []
    expect(
        ceiling < 1e-6,
        "for four people, whose places are only parts of longer words or in the line of somebody with a"
        f" longer name, the ceiling is 0; yours is {told(0.0, ceiling)[1]}{_alone(wrong, documents)}",
    )
    documents, asked = [f"{people[0]}. Born in {towns[0]}, early.", f"{people[1]}. A smith."], pairs[0][0]
    ceiling = fraction(answer(documents, [pairs[0], pairs[0], pairs[1], (asked, towns[2])]), "the ceiling")
    expect(
        abs(ceiling - 2 / 4) < 1e-6,
        f"for the documents {documents} and the pairs {asked_about([pairs[0], pairs[0], pairs[1]])} and"
        f" {asked_about([(asked, towns[2])])} every pair counts, so the ceiling is 0.5; yours is"
        f" {told(0.5, ceiling)[1]}",
    )
    for kind in KINDS:
        other = 1 if kind == 7 else 0  # beside a place that is in no line, a second line cannot hide
        documents, pairs = draw(rng, (other, kind))
        wanted = ((other in THERE) + (kind in THERE)) / 2
        ceiling = fraction(answer(documents, pairs), "the ceiling")
        if abs(ceiling - wanted) < 1e-6:
            continue
        plain = next(pair for pair in pairs if PLAIN[other].format(pair[1]) in " ".join(documents))
        own = [line for line in documents if PLAIN[other].format(plain[1]) not in line]
        asked_alone = [pair for pair in pairs if pair != plain]
        given = f"for the documents {own} and the question about {asked_about(asked_alone)}, the ceiling"
        alone = fraction(answer(own, asked_alone), given)
        if abs(alone - (kind in THERE)) >= 1e-6:
            raise NotYet(
                f"{given} is {int(kind in THERE)}; yours is {told(float(kind in THERE), alone)[1]} (here:"
                f" {TRAPS.get(kind, 'a person with two lines, or with none')})"
            )
        there = {pair for pair in pairs if (other if pair == plain else kind) in THERE}
        wrong = _wrong_alone(answer, documents, pairs, there)
        raise NotYet(
            f"for the documents {documents} and the questions about {asked_about(pairs)}, the ceiling is"
            f" {wanted:g}; yours is {told(wanted, ceiling)[1]}"
            + (
                f". Asked about {asked_about(wrong)} alone, you are wrong, too"
                if wrong == [plain]
                else f" (here: {TRAPS.get(kind, 'people with two lines, or with none')})"
            )
        )
    for kind, wanted in ((0, 1.0), (1, 0.0)):
        one = draw(rng, (kind,))
        ceiling = fraction(answer(*one), "the ceiling")
        expect(
            abs(ceiling - wanted) < 1e-6,
            f"for the documents {one[0]} and a single question, about {asked_about(one[1])}, the ceiling is"
            f" {wanted:g}; yours is {told(wanted, ceiling)[1]}",
        )
    texts, questions = sorted([*documents, ""]), sorted(pairs)
    rotated = texts[1:] + texts[:1], questions[1:] + questions[:1]  # in no order
    leaves_alone(answer, ("the list `documents`", "the list `pairs`"), *rotated)
    return right("no model can know more than this from the text")


def _name(pair: tuple[str, str]) -> str:
    """The person of a pair."""
    return pair[0].removeprefix("Where was ").removesuffix(" born?")


def asked_about(pairs: list[tuple[str, str]]) -> str:
    """The people and places of some pairs."""
    return " and ".join(f"{_name(pair)} ({pair[1]})" for pair in pairs)


def _alone(wrong: list[tuple[str, str]], documents: list[str]) -> str:
    """The shortest of these pairs and its line, as the end of a sentence; empty if there is none."""
    if not wrong:
        return ""
    pair = min(wrong, key=lambda pair: len("".join(pair)))
    line = next(line for line in documents if line.startswith(_name(pair)))
    return f". Asked about {asked_about([pair])} alone, you are wrong, too; the line is {line!r}"


def _wrong_alone(
    answer: Answer, documents: list[str], pairs: list[tuple[str, str]], there: set[tuple[str, str]]
) -> list[tuple[str, str]]:
    """The pairs for which the answer is wrong if each is asked alone; `there`: those whose place is there."""
    wrong = []
    for pair in pairs:
        try:
            found = fraction(answer(documents, [pair]), "the ceiling")
        except (AnswerFailed, NotYet):  # that no pair shows it says nothing
            return []
        if abs(found - (pair in there)) > 1e-6:
            wrong.append(pair)
    return wrong


EXERCISE = Exercise(
    id="knowledge_ceiling",
    title="The ceiling of what can be known",
    order=2,
    points=3,
    difficulty=3,
    importance=4,
    minutes=20,
    source="CS224n A5 2(d), one step further",
    hints=(
        "Take one pair. Which lines are the person's own? Is the place in one of them, as a whole word?",
        (
            'The name is between "Where was " and " born?". An own line begins with the name, a full stop and'
            " a space. For each pair, ask whether any of these lines has the place with no letter or digit"
            " next to it."
        ),
        r'`re.search(r"(?<!\w)" + re.escape(place) + r"(?!\w)", line)` finds a whole word;'
        r' `line.startswith(name + ". ")` finds '
        "an own line; `any(...)` over the lines, then a mean over the pairs.",
    ),
    check=check,
)
