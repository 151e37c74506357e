"""Partial credit: the parts of an exercise, each with points of its own.

An exercise names its parts and their points (`Exercise.parts`), and its checks try them with `by_parts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kqa_core.check.exercise import NotYet, Outcome, Verdict, right


def by_parts(names: Iterable[str], part: Callable[[str], None], sentence: str = "right") -> Verdict:
    """The verdict on an answer with independent parts:
    `part` is called with each name, and raises NotYet if that part is wrong.

    The sentence of a wrong answer is that of its first wrong part.
    """
    wrong: dict[str, str] = {}
    names = tuple(names)
    for name in names:
        try:
            part(name)
        except NotYet as error:
            wrong[name] = str(error)
    if not wrong:
        return right(sentence)
    return Verdict(Outcome.NOT_YET, next(iter(wrong.values())), right_parts=frozenset(names) - wrong.keys())
