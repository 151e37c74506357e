"""Read a corrupted row (notebooks 06, 07): the cut document, the masked span, whether both fit.

A row is  prefix ⁇ suffix ⁇ masked span, as a str. Every helper raises `NotYet` with a sentence if it is not
such a row. `going_on` is a random generator that goes on from call to call, as in a training: it shows an
answer that sets it back.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from kqa_core.check.answer import Build
from kqa_core.check.exercise import POSSIBLE, NotYet, expect
from kqa_core.check.helpers.read_values import text

MASK, PAD = "⁇", "□"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ éōž"


CAPPED = (
    "of a document of 16 characters at block_size 128 you keep all in {kept} of {of} draws; about {wanted}"
    " are expected, because the kept length is drawn from 4 to 112, and a document of fewer characters is"
    " kept whole"
)
_generators: dict[int, random.Random] = {}  # in the process that runs the answer
AGAIN = "twenty calls with the same rng, one after the other, gave the same {}; rng must move on"


def going_on(seed: int) -> Build:
    """An argument that is one `random.Random(seed)` for all calls with this seed, and moves on."""
    return Build(f"{__name__}:generator", (seed,))


def generator(seed: int) -> random.Random:
    """The generator itself."""
    return _generators.setdefault(seed, random.Random(seed))


class Cut(NamedTuple):
    """A row's span: the document was cut to `length`; start … start + masked − 1 were masked."""

    length: int
    start: int
    masked: int


def letters(rng: random.Random, count: int) -> str:
    """A document of random letters: no piece of it occurs twice, so the span can be identified."""
    return "".join(rng.choice(LETTERS) for _ in range(count))


def index_table(rng: random.Random) -> dict[str, int]:
    """A vocabulary in random order, with random indices up to 999, 0 among them: an answer must not depend on
    a character's index, nor on its place in the dictionary.
    """
    characters = list(dict.fromkeys(LETTERS + MASK + PAD))
    rng.shuffle(characters)
    indices = [0, *rng.sample(range(1, 1_000), len(characters) - 1)]
    return dict(zip(characters, rng.sample(indices, len(indices)), strict=True))


def shown(piece: str) -> str:
    """A piece of text as a message quotes it, shortened."""
    return repr(piece if len(piece) <= 60 else piece[:40] + " … " + piece[-15:])


def longest_cut(block_size: int) -> int:
    """⌊7/8 · block_size⌋: the most characters that may be kept."""
    return block_size * 7 // 8


def cut_of(document: str, block_size: int, value: object) -> Cut:
    """The span by which `document` gives the row `value`. Raises NotYet unless it is such a row."""
    row = text(value, "the corrupted document")
    made = f"from {shown(document)} you return {shown(row)}"
    expect(PAD not in row, f"the row should have no {PAD} here: {made}")
    marks = row.count(MASK)
    expect(
        marks == 2,
        f"a row has two {MASK}, before the suffix and before the masked span; yours has {marks}: {made}",
    )
    prefix, suffix, masked = row.split(MASK)
    whole = prefix + masked + suffix
    if not document.startswith(whole):
        for before, after, where in (
            (prefix, masked + suffix, "before"),
            (prefix + masked, suffix, "after"),
        ):
            lost = document[len(before) : len(before) + 1]
            expect(
                lost == " " or not document.startswith(before + lost + after),
                "prefix, span and suffix together must be the beginning of the document; yours lack the"
                f" character {lost!r} {where} the span: {made}",
            )
        if document.replace(" ", "").startswith(whole.replace(" ", "")):
            same = [a == b for a, b in zip(whole, document, strict=False)]
            begin = max(0, [*same, False].index(False) - 6)  # a little before the first difference
            mine, theirs = (repr(each[begin : begin + 18].replace(" ", "␣")) for each in (whole, document))
            raise NotYet(
                "prefix, span and suffix together must be the beginning of the document; only your spaces (␣)"
                f" differ: from character {begin} on you have {mine}, and the document has {theirs}"
            )
        raise NotYet(
            f"prefix, span and suffix together must be the beginning of the document; {made}, which gives"
            f" {shown(whole)}"
        )
    return Cut(len(whole), len(prefix), len(masked))


def cut_of_indices(document: str, block_size: int, stoi: dict[str, int], x: list[int], y: list[int]) -> Cut:
    """The span of the row in a training example (x, y) of indices, padded or not. Raises NotYet as above."""
    itos = {index: character for character, index in stoi.items()}
    given = f"for {shown(document)} and block_size {block_size},"
    strange = [index for index in (*x, *y) if index not in itos]
    expect(
        not strange,
        f"{given} x and y must hold indices of stoi; yours hold {strange[0] if strange else ''}, not among"
        " them",
    )
    row = "".join(itos[index] for index in (x[0], *y))
    unpadded = row.rstrip(PAD)
    if x[1:] != y[:-1]:
        t = next(t for t, (after, target) in enumerate(zip(x[1:], y, strict=False)) if after != target)
        late = t + 2 == len(unpadded) and {itos[index] for index in x[t + 1 :]} == {PAD}
        raise NotYet(
            f"{given} x is the padded row without its last character, and y is the same without its first, so"
            f" y[t] = x[t + 1]; your y[{t}] is {itos[y[t]]!r}, and x[{t + 1}] is {itos[x[t + 1]]!r}"
            + f". {POSSIBLE}the row is padded after x and y are taken from it"
            * late
        )
    if unpadded.count(MASK) != 2:
        _mark_by_another_index(document, block_size, stoi, unpadded)
    if PAD in unpadded:
        after = unpadded[unpadded.index(PAD) :].lstrip(PAD)  # what follows the first run of it
        begin = max(0, len(unpadded) - len(after) - 11)
        raise NotYet(
            f"{given} all {PAD} are at the end of a row; in yours, {after[0]!r} follows {PAD}: "
            f"{'…' * (begin > 0)}{unpadded[begin : len(unpadded) - len(after) + 1]!r}"
        )
    try:
        return cut_within_bounds(document, block_size, unpadded)
    except NotYet:
        zeros = row.endswith(2 * itos[0]) and PAD not in row
        expect(
            not zeros,
            f"{given} your row ends with the index 0, which is {itos[0]!r} in this stoi; padding has the"
            f" index stoi[{PAD!r}], here {stoi[PAD]}",
        )
        if row == unpadded and row.count(MASK) == 2:
            _end_lost(document, block_size, row)
        raise


def _end_lost(document: str, block_size: int, row: str) -> None:
    """Raise NotYet if the row, which is not padded, is right with more of the document at its end."""
    prefix, *suffix, masked = row.split(MASK)
    start = len(prefix + masked)
    lost = document[start : document.find("".join(suffix), start) if any(suffix) else start + 1]
    try:
        cut_within_bounds(document, block_size, row + lost)
    except NotYet:
        return
    raise NotYet(
        f"your row ends too early: it is {shown(row)}, and {shown(lost)} comes after"
        f" {shown(masked or prefix)} in {shown(document)}"
    )


def _mark_by_another_index(document: str, block_size: int, stoi: dict[str, int], row: str) -> None:
    """Raise NotYet if the row is right with another character of it read as ⁇."""
    for character in sorted({*row} - {MASK}):
        try:
            cut = cut_within_bounds(document, block_size, row.replace(character, MASK))
        except NotYet:
            continue
        if document[cut.length : cut.length + 1] == character:  # then it may be one of the document
            continue
        raise NotYet(
            f"from {shown(document)} your row, read with stoi, is {shown(row)}, with {character!r} where"
            f" {MASK} should be. The index of {MASK} is {stoi[MASK]}, and yours is {stoi[character]}"
        )


def cut_within_bounds(document: str, block_size: int, value: object) -> Cut:
    """The same. Raises NotYet also if the exercise does not allow the lengths."""
    cut = cut_of(document, block_size, value)
    expect(
        cut.masked >= 1 or not document,
        f"mask at least one character; for {shown(document)} your row is {shown(str(value))}, with nothing"
        f" after the second {MASK}",
    )
    shortest, longest = min(4, len(document)), min(longest_cut(block_size), len(document))
    if len(document) < 4:
        expect(
            cut.length == len(document),
            f"{document!r} has fewer than 4 characters and must not be cut; you kept {cut.length}",
        )
    expect(
        cut.length >= shortest,
        f"keep at least 4 characters where the document has them; of {shown(document)} you kept {cut.length}",
    )
    most = f"keep at most ⌊7/8 · {block_size}⌋ = {longest_cut(block_size)} characters"
    expect(
        cut.length <= max(longest, shortest),
        f"{most}; of {shown(document)} your prefix, suffix and span have {cut.length} together"
        + ", all of the document" * (cut.length == len(document)),
    )
    return cut
