"""Answer key of loss_positions."""

from __future__ import annotations

import random

import torch
from course_exercises.loss_positions import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.people import birthplace_question, names, places
from kqa_core.text.birthplaces import NameDataset, Pair
from kqa_core.text.vocabulary import Vocabulary


def pairs(rng: random.Random) -> list[tuple[str, str, int]]:
    """Questions and answers with letters of every kind, in blocks that they fill to any degree."""
    drawn = []
    for name, place in zip(names(rng, 12), places(rng, 12), strict=True):
        question = birthplace_question(name)
        drawn.append(
            (question, place, len(question) + len(place) + 2 + rng.choice((0, 0, 1, 2, rng.randint(3, 90))))
        )
    inside = [
        ("Where was Ty Bo born?", "Ty", 40),
        ("Where was Bo Bo born?", "Bo", 60),
        ("aa", "a", 9),
    ]  # the answer is in the question
    # no answer; spaces are characters, too
    other = [("Where was Bo born?", "", 30), ("Where was Al born?", " New  York ", 60)]
    other += [(" Where was Cy born? ", "Ur", 50), (f"Where was {'Bo ' * 30}Li born?", "Ty " * 20, 200)]
    return [
        *drawn,
        *inside,
        *other,
        ("q", "a", 4),
        ("Où est né Žan?", "Ōsu", 40),
        ("Where was A born?", "É", 128),
    ]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Twenty-two pairs; the first one many times."""
    drawn = pairs(rng)
    for (question, place, block_size), value in zip(drawn, answer.map(drawn), strict=True):
        judge(question, place, block_size, value)
    steady(answer, *drawn[0])
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The same kinds of pairs."""
    return list(pairs(rng))


def loss_positions(question, answer, block_size):
    """The reference."""
    return list(range(len(question) - 1, len(question) + len(answer) + 1))


def by_building_the_target(question, answer, block_size):
    """Writes y as the dataset does."""
    row = (question + "⁇" + answer + "⁇").ljust(block_size, "□")
    y = "□" * (len(question) - 1) + row[len(question) :]
    return [t for t, target in enumerate(y) if target != "□"]


def by_the_dataset(question, answer, block_size):
    """Asks the dataset itself."""
    vocabulary = Vocabulary.from_text(question + answer)
    _, y = NameDataset([Pair(question, answer)], vocabulary, block_size)[0]
    return y.nonzero().flatten()


def by_counting(question, answer, block_size):
    """Counts up from the end of the question."""
    places = [len(question) - 1]
    for _ in answer + "⁇":
        places.append(places[-1] + 1)
    return tuple(places)


def by_arange(question, answer, block_size):
    """A tensor, counted from the first ⁇."""
    mark = len(question)
    return mark - 1 + torch.arange(len(answer) + 2)


def without_the_first_mark(question, answer, block_size):
    """You start at the ⁇. But one position earlier,
    at the question's last character, the ⁇ itself is the target.
    """
    return list(range(len(question), len(question) + len(answer) + 1))


def without_the_last_mark(question, answer, block_size):
    """You leave out the closing ⁇. It is a target too, or the model would never learn to stop."""
    return list(range(len(question) - 1, len(question) + len(answer)))


def answer_only(question, answer, block_size):
    """You count the characters of the answer only. Both ⁇ are targets as well."""
    return list(range(len(question), len(question) + len(answer)))


def places_in_the_row(question, answer, block_size):
    """All your positions are one too large. They are those in the row (in y, each is one position
    earlier), or you count from 1.
    """
    return list(range(len(question), len(question) + len(answer) + 2))


def places_of_the_answer_in_the_row(question, answer, block_size):
    """You give the positions of the answer in the row. In y each character is one position earlier, and both
    ⁇ are targets as well.
    """
    return list(range(len(question) + 1, len(question) + len(answer) + 1))


def with_the_padding(question, answer, block_size):
    """You go on to the end of the row. Padding has no loss, so the last position is that of the closing ⁇."""
    return list(range(len(question) - 1, block_size - 1))


def with_the_question(question, answer, block_size):
    """You count the question as well. In y, the question is replaced by □, because the model should not learn
    to guess which question comes.
    """
    return list(range(len(question) + len(answer) + 1))


def question_only(question, answer, block_size):
    """You give the positions of the question, where y is □. Return those with a loss."""
    return list(range(len(question) - 1))


def one_too_early(question, answer, block_size):
    """You start one position too early. There the target would be the last character of the question."""
    return list(range(len(question) - 2, len(question) + len(answer)))


def in_bytes(question, answer, block_size):
    """You count bytes. A letter such as é has two bytes in UTF-8,
    but it is one character and one position.
    """
    return list(range(len(question.encode()) - 1, len(question.encode()) + len(answer.encode()) + 1))


def spaces_removed(question, answer, block_size):
    """You remove spaces at the ends of the answer. They are characters of the row like any other."""
    return list(range(len(question) - 1, len(question) + len(answer.strip()) + 1))


def how_many(question, answer, block_size):
    """You return how many positions there are. Return the list of positions."""
    return len(answer) + 2


def where_the_answer_occurs(question, answer, block_size):
    """You look for the answer's characters in the row and find them in the question, too.
    Count from the question's end.
    """
    row = question + "⁇" + answer + "⁇"
    first = row.index(answer) - 1
    return list(range(first - 1, first + len(answer) + 1)) if first >= 1 else list(range(len(answer) + 2))


KEY = AnswerKey(
    id="loss_positions",
    hidden=hidden,
    reference=loss_positions,
    accepted=(by_building_the_target, by_the_dataset, by_counting, by_arange),
    rejected=(
        *(
            without_the_first_mark,
            without_the_last_mark,
            answer_only,
            places_in_the_row,
            places_of_the_answer_in_the_row,
        ),
        *(with_the_padding, with_the_question, question_only, one_too_early, in_bytes, how_many),
        spaces_removed,
        where_the_answer_occurs,
    ),
    fingerprint=fingerprint,
    commentary="""
    The row is the question, ⁇, the answer, ⁇ and padding, so the first ⁇ is at position `len(question)` of
    the row. In y every character is one position earlier, because y is the row without its first character.
    So the first target is at `len(question) - 1`, and there are `len(answer) + 2` of them: ⁇, the answer, ⁇.
    The most common mistake is to forget the shift by one. The second is to leave out the closing ⁇, without
    which a model would never learn where an answer ends.
    """,
)
