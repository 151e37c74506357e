"""Answer key of score_predictions."""

from __future__ import annotations

import random
import re

import torch
from course_exercises.score_predictions import refuses

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.check.helpers.people import birthplace_question, names, places
from kqa_core.check.helpers.read_values import fraction

Case = tuple[str, list[tuple[str, str]]]


def draw(rng: random.Random, *wrong: str) -> Case:
    """A file and its pairs: some right lines, and those in `wrong`, which look right, are nothing, or are odd."""
    towns = places(rng, 5 + len(wrong))
    pairs = [(birthplace_question(person), town) for person, town in zip(names(rng, len(towns)), towns, strict=True)]
    lines = list(towns)
    for i, kind in enumerate(wrong):
        lines[i] = {
            "empty": "",
            "longer": f"{towns[i]}, near {towns[-1]}",
            "shorter": towns[i][:-1],
            "case": towns[i].lower(),
            "spaces": f" {towns[i]} ",
            "swapped": towns[i - 1],
            "odd": f"{towns[i][:2]}\x0b\x85\u2028{towns[i][2:]}",
        }[kind]
    return "\n".join(lines) + rng.choice(["\n", ""]), pairs


KINDS = ("empty", "longer", "shorter", "case", "spaces", "swapped", "swapped", "odd")


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Files with every kind of line; then numbers that do not match."""
    for _ in range(4):
        content, pairs = draw(rng, *rng.sample(KINDS, rng.randint(3, len(KINDS))))
        accuracy = fraction(answer(content, pairs), "the accuracy")
        expect(
            abs(accuracy - 5 / len(pairs)) < 1e-9,
            "on another file your accuracy is off: a line is right where it is exactly the place asked for at that line",
        )
    content, pairs = draw(rng)
    last_empty = content.removesuffix("\n").rpartition("\n")[0] + "\n\n"
    accuracy = fraction(answer(last_empty, pairs), "the accuracy")
    expect(abs(accuracy - 4 / 5) < 1e-9, "the last line may be empty too: the model wrote nothing for the last question")
    refuses(answer, content.removesuffix("\n") + "\nOslo\n", pairs)
    refuses(answer, content, pairs[:-1])
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """One file per kind of line, with a newline at its end and without; an empty last line; too many lines and too few."""
    calls: list[tuple[object, ...]] = []
    for kind in (*KINDS, "none"):
        content, pairs = draw(rng, *([kind] if kind != "none" else []), *(["swapped"] if kind == "swapped" else []))
        body = content.removesuffix("\n")
        calls += [(body, pairs), (body + "\n", pairs)]
    return [*calls, (body.rpartition("\n")[0] + "\n\n", pairs), (body + "\nOslo", pairs), (body + "\n", pairs + pairs[:2])]


def score_predictions(text, pairs):
    """The reference."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) != len(pairs):
        raise ValueError(f"{len(lines)} predictions for {len(pairs)} questions")
    return sum(line == place for line, (_, place) in zip(lines, pairs, strict=True)) / len(pairs)


def with_strict_zip(text, pairs):
    """Leaves the complaint to zip."""
    if text.endswith("\n"):
        text = text[:-1]
    return sum([line == pair[1] for line, pair in zip(text.split("\n"), pairs, strict=True)]) / len(pairs)


def with_a_file(text, pairs):
    """Reads it as a file would be read."""
    import io

    lines = [line.rstrip("\n") for line in io.StringIO(text, newline="\n")]
    if len(lines) != len(pairs):
        raise ValueError("the numbers differ")
    hits = 0
    for i, line in enumerate(lines):
        if line == pairs[i][1]:
            hits += 1
    return hits / len(pairs)


def with_a_tensor(text, pairs):
    """Drops the last piece if the file ends in a newline, then averages."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if len(lines) != len(pairs):
        raise ValueError
    return torch.tensor([float(line == place) for line, (_, place) in zip(lines, pairs, strict=False)]).double().mean()


def by_regular_expression(text, pairs):
    """Finds the lines with an expression."""
    lines = re.findall(r"([^\n]*)\n", text if text.endswith("\n") else text + "\n")
    wrong = sum(1 for line, (_, place) in zip(lines, pairs, strict=True) if line != place)
    return 1.0 - wrong / len(pairs)


def no_complaint(text, pairs):
    """Your zip stops at the shorter of the two without a word: a file that is a line short would be scored all the same."""
    lines = text.removesuffix("\n").split("\n")
    return sum(line == place for line, (_, place) in zip(lines, pairs, strict=False)) / len(pairs)


def drops_empty_lines(text, pairs):
    """You drop empty lines; each stands for a question left unanswered, and without it every line after it answers the
    wrong question.
    """
    lines = [line for line in text.split("\n") if line]
    return sum(line == place for line, (_, place) in zip(lines, pairs, strict=False)) / len(pairs)


def only_answered(text, pairs):
    """You divide by the lines that are not empty; an unanswered question is a wrong answer, so divide by all of them."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) != len(pairs):
        raise ValueError("the numbers differ")
    return sum(line == place for line, (_, place) in zip(lines, pairs, strict=True)) / max(1, sum(line != "" for line in lines))


def splitlines(text, pairs):
    """str.splitlines cuts at more than newlines (a vertical tab, a line separator), and a model can write those: cut at
    "\\n" only.
    """
    lines = text.splitlines()
    if len(lines) < len(pairs):
        raise ValueError("the numbers differ")
    return sum(line == place for line, (_, place) in zip(lines, pairs, strict=False)) / len(pairs)


def strips_the_file(text, pairs):
    """You strip all white space from the end of the file, and with it an empty last line; take off one newline only."""
    lines = text.rstrip().split("\n")
    if len(lines) < len(pairs) - 1 or len(lines) > len(pairs):
        raise ValueError("the numbers differ")
    return sum(line == place for line, (_, place) in zip(lines, pairs, strict=False)) / len(lines)


def strips_each_line(text, pairs):
    """You strip the lines; the comparison is exact, and a space too many is a mistake of the model's."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) != len(pairs):
        raise ValueError("the numbers differ")
    return sum(line.strip() == place for line, (_, place) in zip(lines, pairs, strict=True)) / len(pairs)


def place_in_line(text, pairs):
    """You accept a line that contains the place; it must be the place, and nothing besides."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) != len(pairs):
        raise ValueError("the numbers differ")
    return sum(place in line for line, (_, place) in zip(lines, pairs, strict=True)) / len(pairs)


def line_in_place(text, pairs):
    """You accept a line that is part of the place, and so every empty one: compare with ==."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) != len(pairs):
        raise ValueError("the numbers differ")
    return sum(line in place for line, (_, place) in zip(lines, pairs, strict=True)) / len(pairs)


def whatever_the_case(text, pairs):
    """Your comparison ignores capitals; the evaluation does not."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) != len(pairs):
        raise ValueError("the numbers differ")
    return sum(line.lower() == place.lower() for line, (_, place) in zip(lines, pairs, strict=True)) / len(pairs)


def in_any_order(text, pairs):
    """You count predictions that are right for *some* question; line i must be right for question i."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) != len(pairs):
        raise ValueError("the numbers differ")
    return sum(line in [place for _, place in pairs] for line in lines) / len(pairs)


def in_percent(text, pairs):
    """Your accuracy is in percent; it should be a fraction between 0 and 1."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) != len(pairs):
        raise ValueError("the numbers differ")
    return 100 * sum(line == place for line, (_, place) in zip(lines, pairs, strict=True)) / len(pairs)


def a_count(text, pairs):
    """You return the number of right answers; divide by the number of questions."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) != len(pairs):
        raise ValueError("the numbers differ")
    return sum(line == place for line, (_, place) in zip(lines, pairs, strict=True))


def by_assertion(text, pairs):
    """You use assert for the number of lines; python -O switches assertions off, so raise ValueError."""
    lines = text.removesuffix("\n").split("\n")
    assert len(lines) == len(pairs), "the numbers differ"
    return sum(line == place for line, (_, place) in zip(lines, pairs, strict=True)) / len(pairs)


def one_line_too_many(text, pairs):
    """The newline at the end of the file is not another, empty line: as it is, your denominator is one too large."""
    lines = text.split("\n")
    if abs(len(lines) - len(pairs)) > 1 or len(lines) < len(pairs):
        raise ValueError("the numbers differ")
    return sum(line == place for line, (_, place) in zip(lines, pairs, strict=False)) / len(lines)


KEY = AnswerKey(
    id="score_predictions",
    hidden=hidden,
    reference=score_predictions,
    accepted=(with_strict_zip, with_a_file, with_a_tensor, by_regular_expression),
    rejected=(
        *(no_complaint, drops_empty_lines, only_answered, splitlines, strips_the_file, strips_each_line, place_in_line),
        *(line_in_place, whatever_the_case, in_any_order, in_percent, a_count, by_assertion, one_line_too_many),
    ),
    fingerprint=fingerprint,
)
