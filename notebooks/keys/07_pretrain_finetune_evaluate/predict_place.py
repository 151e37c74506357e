"""Answer key of predict_place."""

from __future__ import annotations

import random
import re

from course_exercises.predict_place import completions, kind_of, shown

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.check.helpers.read_values import text


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Every kind of completion."""
    for generated in completions(rng):
        found = text(answer(generated), "the place")
        pieces = generated.split("⁇", 2)
        place = pieces[1] if len(pieces) > 1 else ""
        expect(
            found == place,
            f"from {generated!r}, a completion {kind_of(generated)}, you return {shown(found, place)}",
        )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Every kind of completion."""
    return [(each,) for each in completions(rng)]


def predict_place(generated):
    """The reference."""
    pieces = generated.split("⁇")
    return pieces[1] if len(pieces) > 1 else ""


def by_partition(generated):
    """Two partitions."""
    return generated.partition("⁇")[2].partition("⁇")[0]


def by_find(generated):
    """Positions of the two marks."""
    first = generated.find("⁇")
    if first < 0:
        return ""
    second = generated.find("⁇", first + 1)
    return generated[first + 1 : second if second >= 0 else len(generated)]


def by_expression(generated):
    """A regular expression."""
    found = re.search("⁇([^⁇]*)", generated)
    return found.group(1) if found else ""


def character_by_character(generated):
    """Counts the marks seen so far."""
    marks, kept = 0, []
    for character in generated:
        if character == "⁇":
            marks += 1
        elif marks == 1:
            kept.append(character)
    return "".join(kept)


def after_the_last(generated):
    """You take what follows the last ⁇. The answer is between the first and the second."""
    return generated.split("⁇")[-1]


def between_first_and_last(generated):
    """You read up to the last ⁇. A model may write more of them; the answer ends at the second."""
    inside = generated.partition("⁇")[2]
    return inside.rpartition("⁇")[0] if "⁇" in inside else inside


def everything_after(generated):
    """You take everything after the first ⁇. Stop at the second."""
    return generated.partition("⁇")[2]


def up_to_the_padding(generated):
    """You stop at the padding. The answer ends at the second ⁇;
    without one, everything after the first counts.
    """
    return generated.partition("⁇")[2].partition("□")[0].rstrip("⁇")


def spaces_removed(generated):
    """You remove spaces around the answer. The evaluation compares exactly,
    so return what the model wrote.
    """
    return generated.partition("⁇")[2].partition("⁇")[0].strip()


def line_ends_removed(generated):
    """You remove line ends around the answer. The evaluation compares exactly,
    so return what the model wrote.
    """
    return generated.partition("⁇")[2].partition("⁇")[0].strip("\r\n")


def line_end_removed(generated):
    """You remove the line end after the answer.
    The evaluation compares exactly, so return what the model wrote.
    """
    return generated.partition("⁇")[2].partition("⁇")[0].rstrip("\r\n")


def line_feed_removed(generated):
    """You remove the line feed before the answer.
    The evaluation compares exactly, so return what the model wrote.
    """
    return generated.partition("⁇")[2].partition("⁇")[0].lstrip("\n")


def double_spaces_joined(generated):
    """You turn several spaces into one. The evaluation compares exactly, so return what the model wrote."""
    return re.sub(" +", " ", generated.partition("⁇")[2].partition("⁇")[0])


def padding_removed(generated):
    """You remove padding from the answer. Return exactly what the model wrote, padding included."""
    return generated.partition("⁇")[2].partition("⁇")[0].replace("□", "")


def first_word(generated):
    """You keep the first word only. A place may have several, such as New York."""
    words = generated.partition("⁇")[2].partition("⁇")[0].split()
    return words[0] if words else ""


def at_the_question_mark(generated):
    """You split at the question mark. ⁇ is another character, which is in no question."""
    return generated.partition("?")[2].replace("⁇", "").rstrip("□")


def one_line(generated):
    """Your pattern does not get past a line feed, because a dot does not match it.
    Return exactly what the model wrote: use [^⁇]*.
    """
    found = re.search("⁇(.*?)(?:⁇|$)", generated)
    return found.group(1) if found else ""


def needs_both(generated):
    """You return nothing if the second ⁇ is missing. Then everything after the first counts."""
    pieces = generated.split("⁇")
    return pieces[1] if len(pieces) > 2 else ""


def whole_if_none(generated):
    """If there is no ⁇ you return the whole text. Return the empty string: there is no answer."""
    pieces = generated.split("⁇")
    return pieces[1] if len(pieces) > 1 else generated


def only_ascii(generated):
    """You drop letters outside ASCII. Zürich without its ü is another place."""
    return generated.partition("⁇")[2].partition("⁇")[0].encode("ascii", "ignore").decode()


def keeps_the_fences(generated):
    """You keep the two ⁇. They are not part of the answer."""
    pieces = generated.split("⁇")
    return f"⁇{pieces[1]}⁇" if len(pieces) > 1 else ""


def not_at_position_0(generated):
    """You return nothing if the text begins with ⁇. The question may be empty; `find` gives 0 there."""
    first = generated.find("⁇")
    return generated[first + 1 :].partition("⁇")[0] if first > 0 else ""


KEY = AnswerKey(
    id="predict_place",
    hidden=hidden,
    reference=predict_place,
    accepted=(by_partition, by_find, by_expression, character_by_character),
    rejected=(
        *(
            after_the_last,
            between_first_and_last,
            everything_after,
            up_to_the_padding,
            spaces_removed,
            padding_removed,
        ),
        *(first_word, at_the_question_mark, needs_both, whole_if_none, only_ascii, keeps_the_fences),
        *(one_line, not_at_position_0, line_ends_removed, line_end_removed, line_feed_removed),
        double_spaces_joined,
    ),
    fingerprint=fingerprint,
    commentary="""
    `split("⁇")` gives the question, the answer and the rest. Piece number 1 is the answer, whether or not a
    second ⁇ follows. Without any ⁇ there is only piece 0, and the answer is empty. Nothing is cleaned up: the
    evaluation compares strings exactly, and what a model writes wrongly should count as wrong. The most
    common mistake is to strip spaces or padding.
    """,
)
