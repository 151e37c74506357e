"""Exercise predict_place: find the answer in the text the model generated."""

from __future__ import annotations

import random
import unicodedata

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.read_values import text
from kqa_core.exercise_helpers.people import birthplace_question, names, places


def completions(rng: random.Random) -> dict[str, str]:
    """Texts that models write, as they should and in every other way: each with its place."""
    asked, other = (birthplace_question(name) for name in names(rng, 2))
    one, two = places(rng, 2)
    return {
        f"{asked}⁇{one}⁇" + "□" * rng.randint(1, 30): one,
        f"{asked}⁇{one}⁇": one,
        f"{asked}⁇St. {one}⁇□": f"St. {one}",
        f"{asked}⁇{one} by the sea⁇□": f"{one} by the sea",
        f"{asked}⁇{other}⁇□□": other,
        f"{asked}⁇{one}, {' and '.join([two] * 6)}⁇□": f"{one}, {' and '.join([two] * 6)}",
        f"{asked}⁇New {one}⁇□□": f"New {one}",
        f"{asked}⁇{one}⁇{two}⁇□": one,
        f"{asked}⁇{one}": one,
        f"{asked}⁇{one}□□□": f"{one}□□□",
        f"{asked} {one}□□": "",
        f"{asked}⁇⁇{two}": "",
        f"{asked}⁇": "",
        f"{asked}⁇ {one} ⁇□": f" {one} ",
        f"{asked}⁇{one}? {two}⁇□": f"{one}? {two}",
        f"{asked}⁇{one}?? {two}⁇□": f"{one}?? {two}",  # NFKC makes two question marks of ⁇
        f"{asked}⁇Zürich-É{one}⁇": f"Zürich-É{one}",
        f"{asked}⁇{one.lower()}.⁇□": f"{one.lower()}.",
        f"{asked}⁇{one}\n{two}⁇□": f"{one}\n{two}",
        f"{asked}⁇{one}\n{two}": f"{one}\n{two}",
        f"{asked}⁇{one}\r\n⁇□": f"{one}\r\n",
        f"{asked}⁇New  {one}⁇□": f"New  {one}",
        f"{asked}⁇\n{one}⁇□": f"\n{one}",
        f"Tell me about {other[10:-6]}.⁇{one}⁇": one,
        f"⁇{one}⁇□": one,
        f"{one}⁇{two}? Yes⁇□": f"{two}? Yes",
        f"{asked}⁇\t{one}\t{two}⁇□": f"\t{one}\t{two}",
        f'{asked}⁇"{one}" (12)⁇□': f'"{one}" (12)',
        f"{asked}⁇e\u0301 {one}\u00a0⁇□": f"e\u0301 {one}\u00a0",  # NFC joins the first two characters
        f"{asked}⁇□□⁇□": "□□",
        f"{asked}⁇{one}□{two}⁇□": f"{one}□{two}",
        f"{asked}⁇{one}{' near ' + two * 60}⁇□": f"{one}{' near ' + two * 60}",
        "": "",
    }


def kind_of(generated: str) -> str:
    """All of these kinds that a completion is, in words."""
    said = generated.partition("⁇")[2].partition("⁇")[0]
    kinds = {
        "that begins with ⁇": generated.startswith("⁇"),
        "with a line feed in the answer": "\n" in said,
        "with two ordinary question marks in the answer": "??" in said,
        "whose question has no question mark": "?⁇" not in generated and "⁇" in generated,
        "with two spaces side by side": "  " in said,
        "with a tab in the answer": "\t" in said,
        "with quotation marks and brackets in the answer": '"' in said,
        "with an accent that is a character of its own": "\u0301" in said,
        "whose answer is padding only": said.strip("□") == "" != said,
        "with padding inside the answer": "□" in said.strip("□"),
        "with padding at the end of the answer": said.rstrip("□") not in ("", said),
        "with spaces at both ends of the answer": said[:1] == said[-1:] == " ",
        "with a no-break space at the end of the answer": said[-1:] == "\u00a0",
        "with an answer that begins with a small letter and ends with a full stop": said[-1:] == ".",
        "with a question mark in the answer": "?" in said.replace("??", ""),
        "with a full stop in the answer": "." in said[:-1],
        "with words of small letters in the answer": " by the " in said,
        "without any ⁇": "⁇" not in generated,
        "with one ⁇ only": generated.count("⁇") == 1,
        "with more than two ⁇": generated.count("⁇") > 2,
    }
    usual = f"whose answer has {len(said)} characters" if len(said) > 32 else "as a model should write it"
    return " and ".join(kind for kind, holds in kinds.items() if holds) or usual


def check(answer: Answer, rng: random.Random) -> Verdict:
    """An ordinary completion, one without an end mark, one without a start mark, and an empty answer."""
    asked, town = birthplace_question(names(rng, 1)[0]), places(rng, 1)[0]
    for generated, place in (
        (f"{asked}⁇{town}⁇□□□□", town),
        (f"{asked}⁇{town}, {town}", f"{town}, {town}"),
        (f"{asked} {town}", ""),
        (f"{asked}⁇⁇□□", ""),
        (f"{asked}⁇{town}⁇{town}⁇", town),
    ):
        value, said = answer(generated), f"from {generated!r}"
        empty = f"{said}, which has no ⁇, return the empty string; yours is nothing (None)"
        expect(value is not None or "⁇" in generated, empty)
        found = text(value, f"{said} the place")
        expect(found == place, f"from {generated!r} you return {shown(found, place)}")
    for generated, place in completions(rng).items():
        found = text(answer(generated), f"from {generated!r} the place")
        expect(
            found == place,
            f"from {generated!r}, a completion {kind_of(generated)}, you return {shown(found, place)}",
        )
    return right("you read the answer and nothing else")


def shown(found: str, place: str) -> str:
    """Both texts, with their lengths if they are long; spaces as ␣ if only they differ, because a sentence
    has one space where there are several.
    """
    if found.split() == place.split() and len(place) <= 100:
        mine, yours = (repr(each).replace(" ", "␣") for each in (place, found))
        return f"{yours}{' (␣ is a space)' * ('␣' in mine + yours)}; it should be {mine}"
    if unicodedata.normalize("NFKC", found) == unicodedata.normalize("NFKC", place):  # they look alike
        return f"{found!a}; it should be {place!a}"
    if max(len(found), len(place)) <= 100:
        return f"{found!r}; it should be {place!r}"
    start = [*(a == b for a, b in zip(found, place, strict=False)), False].index(False)
    return (
        f"{len(found)} characters; it should be {len(place)}. The first {start} are right, then yours has"
        f" {found[start : start + 20]!r}, and it should have {place[start : start + 20]!r}"
    )


EXERCISE = Exercise(
    id="predict_place",
    title="Read the answer from the output",
    order=4,
    points=1,
    difficulty=1,
    importance=4,
    minutes=5,
    source="CS224n A5 2(d)",
    hints=(
        "What is between the first and the second ⁇?",
        (
            "Split the text at every ⁇ and look at the pieces: which one is it, and how many pieces are there"
            " without a ⁇?"
        ),
        (
            'For "question⁇Oslo⁇□□", `generated.split("⁇")` has three pieces, and the wanted one is number 1;'
            " without a ⁇ there is only number 0."
        ),
    ),
    check=check,
)
