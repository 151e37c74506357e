"""The three tokens of notebook 03, and helpers that read the vectors and matrices of an answer.

- x₀ = u_d + u_b, x₁ = u_a, x₂ = u_c + u_b, where the four u are orthogonal and of length β. The tokens have
  at least four dimensions. The four directions are the standard basis, or a basis that no student has seen.
- A vector "tends to" another if their distance, measured in units of β = ‖u‖, tends to 0.
- The sentences describe the student's answer. They never name a right answer.
- Tokens, outputs and weights are numbered from 0: x₀ is *animal*, x₁ is *it* and x₂ is *street*.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from typing import NamedTuple

import sympy

from kqa_core.check.answer import Handle
from kqa_core.check.exercise import POSSIBLE, expect
from kqa_core.exercise_helpers.queries import kind_of, readable_expression
from kqa_core.symbolic.attention import BETA, Matrix, orthonormal_frame, standard_basis, vanishes
from kqa_core.symbolic.limits import MAX_NODES, size, value_at

LARGEST = 12_000  # parts of one matrix that a check reads
SHOWN_AT = 2.0  # the beta at which a sentence shows what an answer does
NEAR = 0.01  # of a limit, in units of beta: the right one with a number rounded, or a small part added
NAMES = ("u_a", "u_b", "u_c", "u_d")


class Tokens(NamedTuple):
    """Four orthogonal columns (d, 1) of length beta, and the tokens made of them."""

    u_a: Matrix
    u_b: Matrix
    u_c: Matrix
    u_d: Matrix

    @property
    def inputs(self) -> list[Matrix]:
        """x₀, x₁ and x₂."""
        return [self.u_d + self.u_b, self.u_a, self.u_c + self.u_b]

    @property
    def dimension(self) -> int:
        """The length d of every vector here."""
        return int(self.u_a.shape[0])

    @property
    def case(self) -> str:
        """The directions as text for a sentence."""
        words = {4: "four", 5: "five", 6: "six", 9: "nine"}
        where = f"{words.get(self.dimension, self.dimension)} dimensions"
        standard = all(entry in (0, BETA) for vector in self for entry in vector.flat())
        return (
            f"in the standard basis of {where}"
            if standard and self.u_a[0] != 0
            else f"for directions along other axes of {where}"
            if standard
            else f"for directions that are not the standard basis, in {where}"
        )


def many_tokens() -> Tokens:
    """Four directions in nine dimensions, the last ones first."""
    return Tokens(*(BETA * e for e in standard_basis(9)[:4:-1]))


def standard_tokens() -> Tokens:
    """The directions beta·e₁ … beta·e₄."""
    return Tokens(*(BETA * e for e in standard_basis(4)))


def random_tokens(dimension: int, rng: random.Random) -> Tokens:
    """Four other orthogonal directions, in `dimension` ≥ 4 dimensions."""
    return Tokens(*(BETA * e for e in orthonormal_frame(4, dimension, rng)))


def vector_answer(result: object, dimension: int, name: str) -> Matrix:
    """`result` as a column (dimension, 1) of real expressions in beta; NotYet says what is wrong."""
    if not isinstance(result, sympy.MatrixBase):
        expect(
            False,
            f"{name} must be a sympy column, such as a sum of the given vectors; yours is {_kind(result)}",
        )
    assert isinstance(result, sympy.MatrixBase)
    shape = tuple(int(side) for side in result.shape)
    expect(
        shape == (dimension, 1),
        f"{name} must be a column of shape ({dimension}, 1), as each u is; yours has shape {shape}",
    )
    _readable(result, name)
    return result


def matrix_answer(result: object, dimension: int, name: str, square: bool = False) -> Matrix:
    """`result` as a matrix (r, dimension) of real expressions in beta; r = dimension if it must be square."""
    if not isinstance(result, sympy.MatrixBase):
        expect(
            False, f"{name} must be a sympy matrix, such as a column times a row; yours is {_kind(result)}"
        )
    assert isinstance(result, sympy.MatrixBase)
    rows, columns = (int(side) for side in result.shape)
    fits = columns == dimension and (rows == dimension if square else rows >= 1)
    wanted = f"of shape ({dimension}, {dimension})" if square else f"with {dimension} columns"
    expect(
        fits,
        f"{name} must be a matrix {wanted}, to multiply tokens of {dimension} numbers; yours has shape"
        f" ({rows}, {columns})",
    )
    expect(rows <= 64, f"{name} has {rows} rows, more than the check reads (64)")
    _readable(result, name)
    return result


def several(result: object, names: Sequence[str], optional: str | None = None) -> list[object]:
    """`result` as a tuple with one entry for each name, and possibly one more; NotYet says what is wrong."""
    said = f"return {_listed(names)}, as in `return {', '.join(names)}`"
    if not isinstance(result, (tuple, list)):
        single = "a single matrix" if isinstance(result, sympy.MatrixBase) else _kind(result)
        expect(False, f"{said}; yours is {single}")
    assert isinstance(result, (tuple, list))
    counts = (len(names), len(names) + 1) if optional else (len(names),)
    expect(len(result) in counts, f"{said}; you return {len(result)} thing{'s' if len(result) != 1 else ''}")
    return list(result)


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _kind(result: object) -> str:
    again = (
        ": call .doit() on it" if isinstance(result, Handle) and result.type_name.startswith("Mat") else ""
    )
    return f"{kind_of(result)}{again}"


def _readable(matrix: Matrix, name: str) -> None:
    sizes = [size(entry) for entry in matrix.flat()]
    fits = max(sizes) <= MAX_NODES and sum(sizes) <= LARGEST
    expect(fits, f"{name} is too long an expression to judge: write it in a simpler form")
    for entry in matrix.flat():
        readable_expression(entry, [BETA], name)


def equals(said: Matrix, wanted: Matrix) -> bool | None:
    """Whether two columns are equal for every beta; None if that is not decided."""
    entries = [vanishes(a - b, BETA, scale=BETA) for a, b in zip(said.flat(), wanted.flat(), strict=True)]
    return False if False in entries else None if None in entries else True


def approaches(said: Matrix, wanted: Matrix) -> bool:
    """Whether the distance of two columns, in units of beta, seems to tend to 0:
    for a sentence, not for a verdict.
    """
    distances = [distance(said, wanted, beta) for beta in (3.0, 12.0, 48.0, 192.0, 3072.0)]
    known = [number for number in distances if number is not None]
    shrinks = all(after <= max(before / 2, 1e-15) for before, after in itertools.pairwise(known))
    return len(known) == len(distances) and shrinks and known[-1] < NEAR


def distance(said: Matrix, wanted: Matrix, beta: float) -> float | None:
    """How far two columns are apart at one beta, in units of beta, or None if it has no value."""
    apart = numbers_at(said - wanted, beta)
    return None if apart is None else math.hypot(*apart) / beta


def numbers_at(vector: Matrix, beta: float = SHOWN_AT) -> list[float] | None:
    """The entries of a column if beta is a number, or None if one has no value."""
    values = [value_at(entry, BETA, beta) for entry in vector.flat()]
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else None


def in_words(vector: Matrix, tokens: Tokens, beta: float = SHOWN_AT) -> str:
    """A column as a combination of the four directions, at one beta: "0.5·u_a + u_b"."""
    entries = numbers_at(vector, beta)
    if entries is None:
        return "something that cannot be evaluated"
    shares = []
    for direction in tokens:
        along = numbers_at(direction, beta)
        assert along is not None  # the check's own vectors
        shares.append(sum(a * b for a, b in zip(along, entries, strict=True)) / beta**2)
    inside = sum(share**2 for share in shares) * beta**2
    outside = sum(entry**2 for entry in entries) - inside
    text = combination(shares, NAMES)
    return text if outside <= 1e-9 * max(inside, beta**2) else f"{text} and a part orthogonal to all four"


def combination(shares: Sequence[float], names: Sequence[str]) -> str:
    """ "0.5·u_a − u_b"; "0" if every share is 0."""
    text, least = "", max(1e-12, min(5e-4, max(abs(share) for share in shares) / 2000))
    for share, name in zip(shares, names, strict=True):
        if abs(share) < least:
            continue
        size = "" if abs(abs(share) - 1) < 5e-4 else f"{abs(share):.3g}·"
        sign = ("−" if share < 0 else "") if not text else (" − " if share < 0 else " + ")
        text += f"{sign}{size}{name}"
    return text or "0"


def is_the_limit(result: object, wanted: Matrix, tokens: Tokens, name: str, output: Matrix) -> None:
    """Raise NotYet unless `result` is exactly `wanted`, to which `output` tends. The standard basis comes
    first, in four dimensions.
    """
    said = vector_answer(result, tokens.dimension, name)
    same = equals(said, wanted)
    expect(same is not None, f"{tokens.case}: {name} cannot be read; write it in a simpler form")
    if same:
        return
    moving = f"{tokens.case}: your {name} tends to the limit of c₁ as beta grows, but is not equal to it"
    expect(not approaches(said, wanted), moving)
    far, off = distance(said, output, 5.0), distance(said, wanted, 5.0)
    expect(
        off is None or off > NEAR,
        f"{tokens.case}: at beta = 5 your {name} is {off or 0:.2g}·‖u‖ away from the limit of c₁, close to"
        " it but not equal",
    )
    away = "an unknown distance" if far is None else f"{far:.3g}·‖u‖"
    words = in_words(said, tokens, 5.0)
    reads = f"{tokens.case}: at beta = 5 your {name} is {words}, and c₁ is {away} away"
    expect(tokens != standard_tokens(), f"{reads} from it")
    asked = f". {POSSIBLE}it is not a combination of the four arguments of this call with fixed numbers"
    before = f"in the standard basis of four dimensions it is right{asked * ('.' in words)}"
    expect(False, f"{reads} from it; {before}")
