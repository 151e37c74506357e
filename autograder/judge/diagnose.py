"""Naming the mistake of a wrong answer: it is compared with each rejected answer of the key,
on the key's `fingerprint` calls.
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Generator, Sequence
from contextlib import closing

from autograder.answer_key import AnswerKey, Function, sentence
from kqa_core.check.answer import Answer, AnswerFailed
from kqa_core.check.codec import encode
from kqa_core.check.codec_errors import CodecError
from kqa_core.check.exercise import NotYet, fits, observed_and_cause
from kqa_core.check.local import LocalAnswer
from kqa_core.check.same_behaviour import same_behaviour
from kqa_core.check.value_kinds import state_kept

# of the calls and their inputs: the same for everyone, so the key's results are computed once
SEED = 20_210_801
DRAWS = 50


def diagnose(key: AnswerKey, answer: Answer, said: str) -> tuple[str, str | None]:
    """What a student reads who gave a failed answer, and the name of the mistake.

    An answer gets a name only if it behaves like that rejected answer on two sets of inputs: on one, two
    mistakes may happen to give the same. `said` is the check's own sentence. What was observed stays, and
    that mistake's sentence takes the place of the cause, introduced by `fits`, because only what the code
    gives is known. All of `said` stays if it already holds a rejected answer's sentence, or if the answer
    behaves like no rejected one. An answer that behaves like the reference, down to the types, must equal a
    rejected one to the last bit; so must any answer if the rejected one differs from the reference in its
    types or its last bits only.
    """
    seen, cause = observed_and_cause(said)
    for function in key.rejected:
        if sentence(function) in (said, cause):
            return said, function.__name__
    calls, right, rejected, _ = known(key)
    theirs: list[object] = []
    fitting: Sequence[int] = range(len(rejected))  # the rejected answers whose results are the same so far
    with closing(_results(key, answer, calls)) as results:
        for place, result in enumerate(results):
            if isinstance(result, AnswerFailed) and result.incident is not None:
                return said, None
            fitting = [
                each for each in fitting if same_behaviour(rejected[each][place : place + 1], [result])
            ]
            if not fitting:
                return said, None
            theirs.append(result)
    like_the_reference = same_behaviour(theirs, right) and _types(theirs) == _types(right)
    if not like_the_reference or not _exactly(theirs, right):
        more: list[object] | None = None
        for number in fitting:
            exact = like_the_reference or same_behaviour(rejected[number], right)
            equal = _exactly if exact else same_behaviour
            if not equal(theirs, rejected[number]):
                continue
            if more is None:
                more = list(_results(key, answer, other_calls(key)))
            if equal(more, on_other_calls(key, number)):
                mistake = key.rejected[number]
                return f"{_ended(seen)}{fits(compared(key))}{sentence(mistake)}", mistake.__name__
    return said, None


@functools.cache
def known(
    key: AnswerKey,
) -> tuple[list[tuple[object, ...]], list[object], list[list[object]], list[LocalAnswer]]:
    """The calls, what the reference and each rejected answer give on them, and the rejected answers, ready
    for further calls. Takes seconds the first time, so ask before a clock runs.
    """
    calls = key.fingerprint(random.Random(SEED))
    answers = [LocalAnswer(function, SEED) for function in key.rejected]
    right, *rejected = [
        list(_results(key, answer, calls)) for answer in (LocalAnswer(key.reference, SEED), *answers)
    ]
    return calls, right, rejected, answers


@functools.cache
def other_calls(key: AnswerKey) -> list[tuple[object, ...]]:
    """Calls with other inputs, if the key draws them."""
    return key.fingerprint(random.Random(SEED + 1))


@functools.cache
def compared(key: AnswerKey) -> int:
    """On how many different inputs an answer is compared with a mistake."""
    calls, *_ = known(key)
    return len({encode(call, arguments=True) for call in (*calls, *other_calls(key))})


@functools.cache
def on_other_calls(key: AnswerKey, number: int) -> list[object]:
    """What a rejected answer gives on these, after the first ones."""
    *_, answers = known(key)
    return list(_results(key, answers[number], other_calls(key)))


def chance(key: AnswerKey, function: Function) -> float:
    """How probable it is that a wrong answer gives what the reference gives on all inputs of a student. It is
    estimated from DRAWS draws, for each input by itself.
    """
    draws = [key.fingerprint(random.Random(SEED + number)) for number in range(DRAWS)]
    calls = [call for draw in draws for call in draw]
    right, theirs = (
        list(_results(key, LocalAnswer(which, SEED), calls)) for which in (key.reference, function)
    )
    if len(theirs) < len(calls) or len(right) < len(calls):  # it ran out of time
        return 0.0
    alike = iter([same_behaviour(*pair) for pair in zip(theirs, right, strict=True)])
    by_place: dict[int, list[bool]] = {}
    for draw in draws:
        for place in range(len(draw)):
            by_place.setdefault(place, []).append(next(alike))
    return math.prod(sum(same) / len(same) for same in by_place.values())


def _results(
    key: AnswerKey, answer: Answer, calls: Sequence[tuple[object, ...]]
) -> Generator[object, None, None]:
    """What an answer gives on these calls, one after the other, as the values by which the key compares.
    A timeout ends them. What a call changes for the whole process stays for the next ones, and no longer.
    """
    with state_kept():
        for call in calls:
            try:
                result = answer(*call)
                yield result if key.values is None else key.values(answer, result)
            except NotYet as wrong:
                yield str(wrong)
            except AnswerFailed as failed:
                yield failed
                if failed.incident is not None:
                    return


def _ended(sentence: str) -> str:
    """With a full stop, if nothing else ends it, and a space for what follows."""
    return f"{sentence.rstrip(':;,')}{'' if sentence.endswith(('.', '?', '!')) else '.'} " if sentence else ""


def _types(value: object) -> object:
    """The types in a result; a list is a tuple."""
    return [_types(each) for each in value] if isinstance(value, (list, tuple)) else type(value)


def _exactly(a: object, b: object) -> bool:
    """Whether two results are equal to the last bit. False if one of them cannot be encoded."""
    try:
        return encode(a) == encode(b)
    except CodecError:
        return False
