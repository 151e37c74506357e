"""Submissions that use what checks keep beside an answer, parts of an exercise, and reserved functions.

Some checks ask the runner what an answer did to its arguments (`effects.given` and `same`, `models.lent` and
`unchanged`). An answer can falsify that, because it is in its own process. It gains nothing by it: what it
returns is still judged elsewhere, and an answer that worked on a copy would have earned the same.
"""

from __future__ import annotations

from hostile_course import MODELS

from corpus.fixture import RIGHT, WRONG, Fixture, attack, function, lose

RATE = {"name": "average_two_rate", "arguments": "n, beta"}
FIRST, SECOND = "(n - 2) / 4 * sp.exp(-beta)", "(n - 2) / 4 * sp.exp(-2 * beta)"
TOWER = "sp.exp(sp.exp({}, evaluate=False), evaluate=False)"
COVERED = f"""
import kqa_core.check.helpers.effects as effects
effects.same = lambda place, value: value
def average_all(K):
    query = {RIGHT}
    K.zero_()
    effects._GIVEN.clear()
    return query
"""
COUNTED = f"""
import kqa_core.check.helpers.effects as effects
real, seen = effects.same, []
def same(place, value):
    seen.append(place)  # the last call of the visible check
    return real(place, value)
effects.same = same
def average_all(K):
    return {WRONG} if seen else {RIGHT}
"""
KEPT = attack("""
import sys
import kqa_core.check.helpers.effects as effects
for name, module in list(sys.modules.items()):
    if name.startswith(("kqa_core", "course_exercises")):
        for each in vars(module).values():
            if isinstance(each, dict) and each and module is effects:
                kept = [value for value, _ in each.values() if isinstance(value, tuple)]
                won = won or any(isinstance(value, torch.Tensor) and value.shape == (3,) for value in kept)
            won = won or type(each).__name__ in ("Verdict", "AnswerKey", "RemoteAnswer", "Session")
""")
FORGED = f"""
import kqa_core.check.helpers.effects as effects, kqa_core.check.exercise as exercise
import kqa_core.check.codec as codec, kqa_core.check.partial_credit as partial_credit
verdict = exercise.right()
effects.given = effects.same = lambda *a: verdict
codec.Build = codec.Seeded = lambda *a, **k: verdict
partial_credit.by_parts = lambda *a: verdict
def average_all(K):
    return verdict if K is verdict else {WRONG}
"""
BY_TURNS = f"""
calls = []
def average_two_rate(n, beta):
    calls.append(n)
    return ({FIRST}, n) if len(calls) <= 10 else (n, {SECOND})
"""
FALSE_BUILDER = """
import kqa_core.experiments.small_models as models
def same(*arguments):
    raise SystemExit
models.unchanged = models.lent = models.suspect = same
def is_it_active(model, reference):
    return True
"""
FIXTURES = (
    Fixture(
        "covers-its-tracks",
        "changes its argument in place, and falsifies the record of that",
        {"average_all": COVERED},
    ),
    Fixture(
        "counts-the-records",
        "is right until a record is asked for, the last call of the check",
        {"average_all": COUNTED},
        lost=lose(None),
    ),
    Fixture(
        "reads-the-records",
        "looks for results and verdicts in what checks keep beside it",
        {"average_all": KEPT},
        lost=lose(None),
    ),
    Fixture(
        "forges-the-records",
        "makes verdicts of every record and argument, also those of the next exercise",
        {"average_all": FORGED},
        lost={"average_all": (None,), "select_first": (None,)},
    ),
    Fixture(
        "no-model-is-built",
        "ends the process where its arguments are built",
        {"is_it_active": FALSE_BUILDER},
        lost=lose(None, "died", exercise="is_it_active"),
        notebook=MODELS,
    ),
    Fixture(
        "reserved-in-disguise",
        "calls a reserved function by another name, from a module that claims to be the library's",
        {
            "split_heads": (
                "import kqa_core.model.block as block, kqa_core.model.attention as attention\n"
                "import importlib\n"
                "borrowed = getattr(importlib.import_module('kqa_core.model.attention'), 'split_heads')\n"
                "def split_heads(x, n_head):\n"
                "    return borrowed(x, n_head)\n"
            )
        },
        lost=lose(None, exercise="split_heads"),
        notebook=MODELS,
    ),
    Fixture(
        "released-half",
        "imports what the exercise's own visible check compares with",
        {"split_heads": "from course_exercises.split_heads import by_number as split_heads\n"},
        lost=lose(None, exercise="split_heads"),
        notebook=MODELS,
    ),
    Fixture(
        "released-half-called",
        "calls it, from a function of its own that a check would pass",
        {
            "split_heads": (
                "import importlib\n"
                "lent = importlib.import_module('course_exercises.split_heads')\n"
                "def split_heads(x, n_head):\n"
                "    return lent.by_number(x, n_head)\n"
            )
        },
        lost=lose(None, exercise="split_heads"),
        notebook=MODELS,
    ),
    Fixture(
        "reserved-and-restarted",
        "ends the process after it has spoilt the library, so that functions are reserved again and again",
        {"is_it_active": "import os, kqa_core.model.attention as a\na.split_heads = 3\nos._exit(0)\n"},
        lost=lose("died", exercise="is_it_active"),
        notebook=MODELS,
    ),
    Fixture(
        "parts-by-turns",
        "has one part right in the visible check and the other in the hidden one",
        {"average_two_rate": BY_TURNS},
        lost=lose(exercise="average_two_rate"),
    ),
    Fixture(
        "part-beside-a-trap",
        "has one part right, and an object beside it that equals everything",
        {
            "average_two_rate": (
                "class Same:\n    def __eq__(self, other): return True\n    __hash__ = None\n"
                + function(f"return {FIRST}, Same()", **RATE)
            )
        },
        lost=lose(exercise="average_two_rate"),
        partial={"average_two_rate": 1.0},
    ),
    Fixture(
        "parts-that-change",
        "returns a tuple of its own kind, whose parts are others at each look",
        {
            "average_two_rate": (
                "class Both(tuple):\n"
                "    def __getitem__(self, place): return sp.exp(-1)\n"
                "    def __len__(self): return 2\n"
                "    def __iter__(self): return iter((sp.exp(-2), sp.exp(-2)))\n"
                + function("return Both((1, 1, 1))", **RATE)
            )
        },
        lost=lose(exercise="average_two_rate"),
    ),
    Fixture(
        "floor-of-a-tower",
        "returns a number of which a computer algebra system writes down every digit",
        {
            "average_two_rate": function(
                f"return sp.floor({TOWER.format(20)} + beta, evaluate=False), beta", **RATE
            )
        },
        lost=lose("output", exercise="average_two_rate"),
    ),
    Fixture(
        "sine-of-a-tower",
        "returns the sine of a number with millions of digits",
        {"average_two_rate": function(f"return sp.sin({TOWER.format(14)}) * {FIRST}, beta", **RATE)},
        lost=lose(None, "output", "time", "memory", exercise="average_two_rate"),
    ),
    Fixture(
        "fills-the-cache",
        "returns other large expressions at each call, which the computer algebra system keeps for later",
        {
            "average_two_rate": (
                "import random\n"
                + function(
                    "many = [sp.Symbol(f'x{random.getrandbits(60)}', positive=True) for _ in range(3000)]\n"
                    "terms = [sp.Mul(sp.Integer(random.getrandbits(2000)), x**random.randint(2, 9)) for x "
                    "in many]\n"
                    "return sp.Add(*terms, evaluate=False), beta",
                    **RATE,
                )
            )
        },
        lost=lose(None, "output", "memory", "time", exercise="average_two_rate"),
    ),
    Fixture(
        "stops-in-the-cache",
        "returns expressions of the right answer's parts on which the judge's clock strikes in the midst of"
        " them",
        {
            "average_two_rate": function(
                f"x = {FIRST}\n"
                f"for k in range(60):\n"
                f"    x = sp.exp(x + {SECOND} / (k + 2)) ** (beta + k) + x\n"
                f"return x, {SECOND}",
                **RATE,
            )
        },
        lost=lose(None, "time", "memory", "output", exercise="average_two_rate"),
    ),
    Fixture(
        "wide-bytes",
        "returns as many bytes as a value may have, which take eight times as much as numbers",
        {"average_all": function("return torch.zeros(2**26, dtype=torch.uint8)")},
        lost=lose(None, "output", "memory"),
    ),
)
