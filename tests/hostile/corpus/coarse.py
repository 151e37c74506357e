"""Wrong answers in numbers so coarse that a tolerance could take them for right ones, and answers that are right
only up to a size that a check might not pass.
"""

from __future__ import annotations

from corpus.fixture import Fixture, function, lose

RATE = {"name": "average_two_rate", "arguments": "n, beta"}
FIRST, SECOND = "(n - 2) * sp.exp(-beta) / 4", "(n - 2) * sp.exp(-2 * beta) / 4"


def average(name: str, what: str, query: str) -> Fixture:
    """A wrong query for equal weights, in some dtype."""
    return Fixture(name, what, {"average_all": function(f"return {query}")}, lost=lose(None))


def select(name: str, what: str, query: str) -> Fixture:
    """A wrong query for the first row, in some dtype."""
    source = function(f"return {query}", "select_first")
    return Fixture(name, what, {"select_first": source}, lost=lose(None, exercise="select_first"))


def rates(name: str, what: str, *pair: str, marks: float = 0.0) -> Fixture:
    """Two rates, of which at least one is wrong."""
    lost = lose(None, exercise="average_two_rate")
    partial = {"average_two_rate": marks} if marks else {}
    source = function(f"return {', '.join(pair)}", **RATE)
    return Fixture(name, what, {"average_two_rate": source}, lost=lost, partial=partial)


WIDE = "3 * K.sum(dim=0)"
TYPES = ("bfloat16", "float16", "float8_e4m3fn", "int8", "complex64")
FIXTURES = (
    *(average(f"equal-in-{dtype}", f"returns a wrong query as {dtype}", f"({WIDE}).to(torch.{dtype})") for dtype in TYPES),
    *(select(f"selects-in-{dtype}", f"returns another row's query as {dtype}", f"torch.linalg.solve(K[1] - K[torch.tensor([0, 2, 3])], torch.full((3,), 15.0, dtype=K.dtype)).to(torch.{dtype})") for dtype in TYPES[:2]),
    average("equal-in-numpy-half", "returns a wrong query as numpy's float16", f"({WIDE}).numpy().astype('float16')"),
    average("equal-in-steps", "returns a query rounded to whole steps of a thousand", f"({WIDE} * 1000).round()"),
    rates("rates-of-one-bit", "returns rates whose numbers have one bit", *(f"sp.Float({c}, precision=1) * (n - 2) * sp.exp(-{k} * beta)" for c, k in ((0.3, 1), (0.3, 2)))),
    rates("rates-of-two-bits", "returns rates whose numbers have two bits", *(f"sp.Float('0.3', precision=2) * (n - 2) * sp.exp(-{k} * beta)" for k in (1, 2))),
    rates("rates-of-few-digits", "returns rates that are wrong in the third digit, in numbers of two", *(f"sp.Float('0.2525', 2) * (n - 2) * sp.exp(-{k} * beta) * sp.Float('1.01', 3)" for k in (1, 2))),
    rates("rates-in-half", "computes a quarter in half precision", *(f"float(torch.tensor(0.2506).half()) * (n - 2) * sp.exp(-{k} * beta)" for k in (1, 2))),
    *(rates(f"right-below-{most}", f"has a second rate that is right for less than {most} keys", FIRST, f"{SECOND} if n < {most} else 2 * {SECOND}", marks=1.0) for most in (6, 41, 64, 100)),
    rates("right-below-in-one-expression", "hides that in an expression of sympy", FIRST, f"sp.Piecewise(({SECOND}, n < 41), (2 * {SECOND}, True))", marks=1.0),
    rates("right-for-small-beta", "is right where beta is small", FIRST, f"sp.Piecewise(({SECOND}, beta < 41), (2 * {SECOND}, True))", marks=1.0),
    rates("right-for-odd-numbers", "is right for odd numbers of keys", FIRST, f"{SECOND} if n % 2 else 2 * {SECOND}", marks=1.0),
    rates("right-at-whole-numbers", "adds a term that is 0 at every whole beta", FIRST, f"{SECOND} + sp.sin(sp.pi * beta) * sp.exp(-beta)", marks=1.0),
)  # fmt: skip
