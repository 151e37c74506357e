"""Which known mistake a wrong answer makes: it is compared with each rejected answer of the key on the fingerprint's calls."""

from __future__ import annotations

import functools
import random

from autograder.answer_key import AnswerKey, sentence
from kqa_core.check.answer import Answer, AnswerFailed
from kqa_core.check.codec import CodecError, encode
from kqa_core.check.local import LocalAnswer
from kqa_core.check.run import behaviour, same_behaviour

SEED = 20_210_801  # of the fingerprint's inputs and of the calls: the same for all, so the key's half is worked out once


def diagnose(key: AnswerKey, answer: Answer, said: str) -> tuple[str, str | None]:
    """The sentence a failed answer deserves, and the name of the mistake.

    `said` is the check's own sentence: it stays where the answer behaves like no rejected one, or is already a rejected answer's;
    and where it behaves like the reference, down to the types, unless it does to the last bit what a rejected one does.
    """
    for function in key.rejected:
        if sentence(function) == said:
            return said, function.__name__
    theirs = behaviour(answer, _calls(key))
    if any(isinstance(value, AnswerFailed) and value.incident is not None for value in theirs):
        return said, None
    like_the_reference = same_behaviour(theirs, _right(key)) and _types(theirs) == _types(_right(key))
    if not like_the_reference or not _exactly(theirs, _right(key)):
        for function, ours in zip(key.rejected, _rejected(key), strict=True):
            if _exactly(theirs, ours) if like_the_reference else same_behaviour(theirs, ours):
                return sentence(function), function.__name__
    return said, None


@functools.cache
def _calls(key: AnswerKey) -> list[tuple[object, ...]]:
    return key.fingerprint(random.Random(SEED))


@functools.cache
def _right(key: AnswerKey) -> list[object]:
    """What the reference does on the fingerprint's calls."""
    return behaviour(LocalAnswer(key.reference, SEED), _calls(key))


def _types(value: object) -> object:
    """The types in a result; a list is a tuple."""
    return [_types(each) for each in value] if isinstance(value, (list, tuple)) else type(value)


def _exactly(a: object, b: object) -> bool:
    """Whether two results are one to the last bit; never where one cannot be written down."""
    try:
        return encode(a) == encode(b)
    except CodecError:
        return False


@functools.cache
def _rejected(key: AnswerKey) -> list[list[object]]:
    """What each rejected answer does on the fingerprint's calls."""
    return [behaviour(LocalAnswer(function, SEED), _calls(key)) for function in key.rejected]
