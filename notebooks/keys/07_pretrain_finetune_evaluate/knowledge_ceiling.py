"""Answer key of knowledge_ceiling."""

from __future__ import annotations

import random
import re

import torch
from course_exercises.knowledge_ceiling import TRAPS, asked_about, draw

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import fraction, told


def stands(documents: list[str], pair: tuple[str, str]) -> bool:
    """Whether the place is in a line of the person's own."""
    name = pair[0].removeprefix("Where was ").removesuffix(" born?")
    place = re.compile(rf"(?<!\w){re.escape(pair[1])}(?!\w)")
    return any(line.startswith(f"{name}. ") and place.search(line) is not None for line in documents)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Three draws with every trap; then each trap by itself, so that the sentence can name it."""
    for _ in range(3):
        documents, pairs = draw(rng)
        # so that the documents are mostly about more people than the pairs
        pairs = pairs[: rng.randint(47, 52)]
        ceiling = sum(stands(documents, pair) for pair in pairs) / len(pairs)
        found = fraction(answer(documents, pairs), "the ceiling")
        if abs(found - ceiling) > 1e-6:
            mine, yours = told(ceiling, found)
            said = (
                f"for {len(pairs)} pairs and {len(documents)} documents, with each of the traps, the ceiling"
                f" is {mine}; yours is {yours} (here, a pair occurs three times, and the same question has"
                " two places)"
            )
            raise NotYet(_trap(answer, rng) or said)
    trap = _trap(answer, rng)
    expect(not trap, trap)
    return right()


def _trap(answer: Answer, rng: random.Random) -> str:
    """The trap that an answer overlooks, as a sentence;
    empty if it finds the ceiling beside each trap alone.
    """
    for kind, what in TRAPS.items():
        documents, pairs = draw(rng, (0, kind))
        ceiling = sum(stands(documents, pair) for pair in pairs) / 2
        found = fraction(answer(documents, pairs), "the ceiling")
        if abs(found - ceiling) > 1e-6:
            return (
                f"for the documents {documents} and the questions about {asked_about(pairs)}, the ceiling is"
                f" {ceiling:g}; yours is {told(ceiling, found)[1]} (here: {what})"
            )
    return ""


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A draw of the hidden kind; then each trap by itself beside one ordinary person."""
    return [draw(rng), *(draw(rng, (0, kind)) for kind in range(1, 29))]


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

    good = [
        pair
        for pair in pairs
        if any(stands(pair[1], line) for line in documents if line.startswith(pair[0][10:-6] + ". "))
    ]
    return len(good) / len(pairs)


def with_a_table(documents, pairs):
    """Builds a table from the names asked about to all they are told, then searches it once per pair."""
    own = {question[len("Where was ") : -len(" born?")]: "" for question, _ in pairs}
    for line in documents:
        for name in own:
            if line[: len(name) + 2] == f"{name}. ":
                own[name] += "\n" + line
    hits = [
        re.search(rf"\b{re.escape(place)}\b", own[question[10:-6]]) is not None for question, place in pairs
    ]
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
            if line.startswith(f"{name}. ") and any(
                words[i : i + len(needle)] == needle for i in range(len(words))
            ):
                total += 1 / len(pairs)
                break
    return round(total, 12)


def one_big_expression(documents, pairs):
    """One regular expression over the whole text per pair."""
    text = "\n".join(documents)
    patterns = (
        rf"^(?={re.escape(question[10:-6])}\. )(?:.*\W)?{re.escape(place)}(?:\W|$)"
        for question, place in pairs
    )
    return (
        torch.tensor([re.search(pattern, text, re.MULTILINE) is not None for pattern in patterns])
        .double()
        .mean()
        .item()
    )


def part_of_a_word(documents, pairs):
    """You accept a place that is only part of a longer word.
    Milanese is not Milan: look for the whole word.
    """
    hits = 0
    for question, place in pairs:
        hits += any(place in line for line in documents if line.startswith(question[10:-6] + ". "))
    return hits / len(pairs)


def anybody_s_line(documents, pairs):
    """You search the whole text. A place in another person's line says nothing about this person:
    search their own lines.
    """
    hits = 0
    for _, place in pairs:
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in documents)
    return hits / len(pairs)


def longer_names(documents, pairs):
    """You accept lines of people whose name only begins in the same way: ". " must follow the name."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6])]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(pairs)


def name_anywhere(documents, pairs):
    """You accept every line that mentions the name. A person's own lines begin with it."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if question[10:-6] + ". " in line]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(pairs)


def first_line_only(documents, pairs):
    """You look at a person's first line only. One line with the place is enough."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")][:1]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(pairs)


def last_line_only(documents, pairs):
    """You keep only the last line of each person, as a dictionary from names to lines does."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if line.startswith(question[10:-6] + ". ")][-1:]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(pairs)


def cut_at_the_first_stop(documents, pairs):
    """You cut off names with an initial, such as "John A. Smith", at the first full stop."""
    hits = 0
    for question, place in pairs:
        own = [line for line in documents if line.split(". ")[0] == question[10:-6]]
        hits += any(re.search(rf"\b{re.escape(place)}\b", line) for line in own)
    return hits / len(pairs)


def words_between_spaces(documents, pairs):
    """You compare with the words between spaces.
    So "Bergen," is not "Bergen", and a place of two words is never found.
    """
    hits = 0
    for question, place in pairs:
        hits += any(place in line.split() for line in documents if line.startswith(question[10:-6] + ". "))
    return hits / len(pairs)


def no_escape(documents, pairs):
    """The full stop of "St. Gallen" matches any character with your pattern. Use re.escape."""
    hits = 0
    for question, place in pairs:
        hits += any(
            re.search(rf"\b{place}\b", line) for line in documents if line.startswith(question[10:-6] + ". ")
        )
    return hits / len(pairs)


def whatever_the_case(documents, pairs):
    """You ignore upper and lower case, in the place or in the name. Compare the letters as they are."""
    hits = 0
    for question, place in pairs:
        own = [line.lower() for line in documents if line.startswith(question[10:-6] + ". ")]
        hits += any(re.search(rf"\b{re.escape(place.lower())}\b", line) for line in own)
    return hits / len(pairs)


def after_the_title(documents, pairs):
    """You search only what follows the name. The name is part of the line: the place may be in it."""
    hits = 0
    for question, place in pairs:
        own = [
            line[len(question) - 16 + 2 :] for line in documents if line.startswith(question[10:-6] + ". ")
        ]
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
    """You compare line i with question i. Find a person's lines by the name; the order of the lines is not
    that of the questions.
    """
    rows = zip(documents, pairs, strict=False)
    return sum(re.search(rf"\b{re.escape(place)}\b", line) is not None for line, (_, place) in rows) / len(
        pairs
    )


def has_a_line(documents, pairs):
    """You return the share of people who have a line at all. Ask whether the place is in it."""
    return sum(
        any(line.startswith(question[10:-6] + ". ") for line in documents) for question, _ in pairs
    ) / len(pairs)


def not_at_position_0(documents, pairs):
    """You overlook a place at the very beginning of a line:
    `find` gives 0 there, and no character comes before the place.
    """

    def stands(place, line):
        at = line.find(place)
        while at > 0:
            if not line[at - 1].isalnum() and not line[at + len(place) : at + len(place) + 1].isalnum():
                return True
            at = line.find(place, at + 1)
        return False

    good = [
        pair
        for pair in pairs
        if any(stands(pair[1], line) for line in documents if line.startswith(pair[0][10:-6] + ". "))
    ]
    return len(good) / len(pairs)


def lines_run_together(documents, pairs):
    """You join a person's lines with nothing between them, so the last word of a line and the name that
    begins the next become one word.
    """
    hits = 0
    for question, place in pairs:
        own = "".join(line for line in documents if line.startswith(question[10:-6] + ". "))
        hits += re.search(rf"\b{re.escape(place)}\b", own) is not None
    return hits / len(pairs)


KEY = AnswerKey(
    id="knowledge_ceiling",
    hidden=hidden,
    reference=knowledge_ceiling,
    accepted=(by_index, with_a_table, by_tokens, one_big_expression),
    rejected=(
        *(part_of_a_word, anybody_s_line, longer_names, name_anywhere, first_line_only, last_line_only),
        *(cut_at_the_first_stop, words_between_spaces, no_escape, whatever_the_case, each_line_counts),
        *(of_those_told, of_all_documents, by_row, has_a_line, after_the_title, not_at_position_0),
        lines_run_together,
    ),
    fingerprint=fingerprint,
    commentary=r"""
    For each pair, the name is cut out of the question, and only lines that begin with the name, a full stop
    and a space are searched. The place is a whole word if no letter or digit touches it: `(?<!\w)` and
    `(?!\w)` say this. `re.escape` is needed because a place may have a full stop in its name, which is a
    special character in a regular expression. `any` makes a person with several lines count once. The most
    common mistakes are `place in line`, which finds Milan in Milanese, and looking at the first occurrence
    only.
    """,
)
