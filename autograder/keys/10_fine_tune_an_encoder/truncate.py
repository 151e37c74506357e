"""Answer key of truncate."""

from __future__ import annotations

import random

import torch
from course_exercises._encoder_parts import FIRST, LAST
from course_exercises.truncate import shortened, words_of

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right

CASES = ((0, 2), (0, 5), (1, 2), (1, 3), (5, 2), (5, 6), (5, 7), (5, 8), (9, 3), (30, 12))  # words, max_length


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Every relation between the two lengths, and special tokens that are others than those of the notebook."""
    for words, max_length in CASES:
        shortened(answer, words_of(rng, words), max_length)
    shortened(answer, words_of(rng, 7), 5, (0, 2))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The same."""
    calls: list[tuple[object, ...]] = [([FIRST, *words_of(rng, words), LAST], limit) for words, limit in CASES]
    return [*calls, ([0, *words_of(rng, 7), 2], 5)]


def truncate(ids, max_length):
    """The reference."""
    return ids if len(ids) <= max_length else ids[: max_length - 1] + ids[-1:]


def between_the_ends(ids, max_length):
    """First, what fits, last."""
    first, *words, last = ids
    return [first, *words[: max(0, max_length - 2)], last]


def takes_out(ids, max_length):
    """Takes words out of a copy, the last of them first."""
    kept = list(ids)
    while len(kept) > max_length:
        kept.pop(-2)
    return kept


def overwrites(ids, max_length):
    """Cuts, and puts the last one back in its place."""
    end, short = ids[-1], list(ids[:max_length])
    short[-1] = end
    return short


def by_number(ids, max_length):
    """A token is kept by its place."""
    size = len(ids)
    return tuple(each for i, each in enumerate(ids) if i + 1 < max_length or i == size - 1)


def as_tensor(ids, max_length):
    """Gathers places: 0, 1, …, and the last."""
    places = torch.arange(min(max_length, len(ids)))
    places[-1] = len(ids) - 1
    return torch.tensor(ids)[places]


def cuts_the_end(ids, max_length):
    """You cut the last special token off with the words; the model has never seen a sentence without it."""
    return ids[:max_length]


def keeps_the_end(ids, max_length):
    """You keep the end of the sentence and lose its first special token, from which a classifier reads."""
    return ids[-max_length:]


def one_too_many(ids, max_length):
    """You add the last token to max_length others: that is one too many."""
    return ids if len(ids) <= max_length else ids[:max_length] + ids[-1:]


def words_counted(ids, max_length):
    """You allow max_length words; the special tokens count as well."""
    return ids[:1] + ids[1:-1][:max_length] + ids[-1:]


def one_too_few(ids, max_length):
    """You leave one place unused: max_length − 2 words fit between the two special tokens."""
    return ids if len(ids) <= max_length else ids[: max_length - 2] + ids[-1:]


def doubles_the_end(ids, max_length):
    """Where nothing has to be cut you add the last token again; a sentence that fits stays as it is."""
    return ids[: max_length - 1] + ids[-1:]


def takes_the_last_words(ids, max_length):
    """You keep the last words; the exercise asks for the first."""
    return ids if len(ids) <= max_length else ids[:1] + ids[len(ids) - max_length + 1 :]


def fills_up(ids, max_length):
    """You fill short sentences up to max_length; padding is the batch's business, and wider than any row it only costs time."""
    kept = ids if len(ids) <= max_length else ids[: max_length - 1] + ids[-1:]
    return kept + [0] * (max_length - len(kept))


def drops_it(ids, max_length):
    """You throw long sentences away; cut them, so that each still has its answer."""
    return ids if len(ids) <= max_length else []


def its_own_end(ids, max_length):
    """You write the id 102 at the end; the last token's id is the tokenizer's choice, so take it from ids."""
    return ids if len(ids) <= max_length else [*ids[: max_length - 1], 102]


def no_ends(ids, max_length):
    """You take the special tokens off; they stay, and count."""
    return ids[1:-1][:max_length]


KEY = AnswerKey(
    id="truncate",
    hidden=hidden,
    reference=truncate,
    accepted=(between_the_ends, takes_out, overwrites, by_number, as_tensor),
    rejected=(
        *(cuts_the_end, keeps_the_end, one_too_many, words_counted, one_too_few, doubles_the_end, takes_the_last_words),
        *(fills_up, drops_it, its_own_end, no_ends),
    ),
    fingerprint=fingerprint,
)
