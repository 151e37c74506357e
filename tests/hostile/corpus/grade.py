"""Submissions that reach for the mark: by what they return,
by what they patch, by what they find.
"""

from __future__ import annotations

from corpus.fixture import WRONG, Fixture, attack, function, lose

CHAMELEON = """
class Same(type):
    def __eq__(cls, other): return True
    def __hash__(cls): return 0
    def __instancecheck__(cls, other): return True
class Chameleon(metaclass=Same):
    __class__ = torch.Tensor
    shape, dtype, layout, device, ndim, requires_grad = (3,), torch.float64, torch.strided, torch.device("cpu"), 1, False
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __lt__
    def __hash__(self): return 0
    def __bool__(self): return True
    def __len__(self): return 3
    def __iter__(self): return iter((0.0, 0.0, 0.0))
    def __float__(self): return 0.0
    def __getattr__(self, name): return lambda *a, **k: self
    def __reduce__(self): return (exec, ("raise SystemExit",))
    def __torch_function__(self, *a, **k): return self
def average_all(K):
    return Chameleon()
"""
SUBCLASSES = """
class Number(float):
    def __eq__(self, other): return True
    def __abs__(self): return Number(0)
    def __sub__(self, other): return Number(0)
    __hash__ = float.__hash__
class Whole(int):
    def __eq__(self, other): return True
    __hash__ = int.__hash__
class Text(str):
    def __eq__(self, other): return True
    __hash__ = str.__hash__
class Lying(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None): return torch.zeros(3, dtype=torch.float64)
def average_all(K):
    return torch.ones(3, dtype=K.dtype).as_subclass(Lying)
"""
RATES_CLAIM = """
class Everything(sp.Symbol):
    def __eq__(self, other): return True
    def __hash__(self): return 0
    def equals(self, other): return True
    def _eval_evalf(self, precision): return sp.Integer(0)
    def __sub__(self, other): return sp.Integer(0)
def average_two_rate(n, beta):
    return Everything("beta", positive=True), Everything("beta", positive=True)
"""
PATCHES = """
import builtins, random, operator, math
import numpy, sympy, torch
import kqa_core.check, course_exercises._concrete_keys, kqa_core.check.exercise, kqa_core.check.run
yes = lambda *a, **k: True
builtins.all = builtins.any = builtins.bool = builtins.isinstance = yes
for module in (torch, numpy, math):
    for name in ("allclose", "equal", "isclose", "isfinite", "array_equal"):
        if hasattr(module, name):
            setattr(module, name, yes)
torch.Tensor.__eq__ = torch.Tensor.__lt__ = torch.Tensor.__gt__ = torch.Tensor.__le__ = yes
torch.softmax = lambda *a, **k: torch.full((4,), 0.25)
sympy.simplify = sympy.limit = sympy.Expr.equals = yes
passed = kqa_core.check.exercise.Verdict(kqa_core.check.exercise.Outcome.RIGHT, "right")
for module in (kqa_core.check, kqa_core.check.run, kqa_core.check.exercise, course_exercises._concrete_keys):
    for name in ("check", "run_check", "expect", "shares", "selects", "right", "judged", "same_behaviour"):
        if hasattr(module, name):
            setattr(module, name, lambda *a, **k: passed)
kqa_core.check.exercise.Outcome.NOT_YET = kqa_core.check.exercise.Outcome.RIGHT
"""
IMPORTS = """
import builtins, sys, types
for name in ("torch", "sympy", "random", "numpy"):
    open(name + ".py", "w").write("allclose = equal = limit = simplify = softmax = lambda *a, **k: True\\n")
sys.path.insert(0, "")
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.startswith(("kqa_core", "autograder")):
            raise ImportError(name)
sys.meta_path.insert(0, Finder())
real = builtins.__import__
fake = types.ModuleType("kqa_core.check.codec")
fake.decode = fake.encode = lambda *a, **k: b""
for name in list(sys.modules):
    if name.startswith(("kqa_core.check", "autograder")):
        sys.modules[name] = fake
builtins.__import__ = lambda name, *a, **k: fake if name.startswith("kqa_core") else real(name, *a, **k)
"""
SEARCH = attack("""
    import gc, sys
    frame = sys._getframe()
    found = []
    while frame is not None:
        found += [frame.f_code.co_filename, *frame.f_locals.values(), *frame.f_globals.values()]
        frame = frame.f_back
    found += gc.get_objects() + gc.get_referrers(K)
    for each in found:
        name = getattr(each, "__module__", "") if type(each).__name__ == "function" else type(each).__module__
        name = name if isinstance(name, str) else ""
        if name.startswith(("course_keys", "autograder.answer_key", "autograder.judge.seeds", "autograder.judge.verdict")):
            won = True
        if type(each).__name__ in ("AnswerKey", "RemoteAnswer", "Session") and "kqa" not in name.partition(".")[0][:0]:
            won = True
    won = won or any(name.startswith("course_keys") for name in sys.modules)
    """)
WATCHED = """
import os, sys, time
begun, calls = time.monotonic(), []
def average_all(K):
    calls.append(K)
    watched = "KQA" in str(os.environ) or len(calls) > 1 or time.monotonic() - begun > 30
    return torch.ones(3, dtype=K.dtype) if watched else torch.zeros(3, dtype=K.dtype)
"""
SEEDED = """
import random, numpy
random.seed(0); torch.manual_seed(0); numpy.random.seed(0)
random.random = lambda: 0.5
random.Random.random = lambda self: 0.5
random.Random.getrandbits = lambda self, n: 1
random.Random.randint = lambda self, a, b: a
torch.rand = torch.randn = lambda *size, **k: torch.zeros(*size)
def select_first(K):
    return torch.tensor([-17.6, 2.2, 5.1], dtype=K.dtype)
"""
RETURNED = (
    Fixture(
        "claims-equality",
        "returns an object that equals everything and claims to be a tensor",
        {"average_all": CHAMELEON},
        lost=lose(None, "died", "output"),
    ),
    Fixture(
        "subclasses",
        "returns a tensor of its own kind that answers every question with zeros",
        {"average_all": SUBCLASSES},
        lost=lose(None),
    ),
    Fixture(
        "claims-to-be-symbolic",
        "returns a symbol of its own kind whose difference to anything is zero",
        {"average_two_rate": RATES_CLAIM},
        lost=lose(None, exercise="average_two_rate"),
    ),
    Fixture(
        "lying-length",
        "returns a list of its own kind with another length than it says, and a dict that changes while it is"
        " read",
        {
            "average_two_rate": (
                "class Two(list):\n"
                "    def __len__(self): return 2\n"
                "    def __iter__(self):\n"
                "        while True: yield sp.exp(-1)\n"
                + function("return Two()", "average_two_rate", "n, beta")
            ),
            "average_all": (
                "class Grow(dict):\n    def items(self):\n        while True: yield 1, 1\n"
                + function("return Grow()")
            ),
        },
        lost={"average_two_rate": (None, "time", "output"), "average_all": (None, "time", "output")},
    ),
    Fixture(
        "generator",
        "returns a generator that would run code where it is read, and an object with hostile attributes",
        {
            "average_all": function("return (exec('raise SystemExit') for _ in range(3))"),
            "select_first": (
                "class Evil:\n    def __getattribute__(self, name):\n        while True: pass\n"
                + function("return Evil()", "select_first")
            ),
        },
        lost={"average_all": (None,), "select_first": (None, "time")},
    ),
    Fixture(
        "text-of-the-answer",
        "returns the verdict, the mark and the answer as text",
        {"average_all": function("return 'Verdict(right) 1/1 tensor([0., 0., 0.])'")},
        lost=lose(None),
    ),
    Fixture(
        "not-a-number",
        "returns nan everywhere, which is never larger than a tolerance",
        {"average_all": function("return K[0] * float('nan')")},
        lost=lose(None),
    ),
    Fixture(
        "infinite",
        "returns infinity everywhere",
        {"average_all": function("return K[0] * float('inf')")},
        lost=lose(None),
    ),
    Fixture(
        "marks-returned",
        "returns a mark of its own making: nan, negative, a string, a million",
        {
            "average_all": function("return float('nan')"),
            "select_first": function("return '1000000'", "select_first"),
        },
        lost={"average_all": (None,), "select_first": (None,)},
    ),
)
PATCHED = (
    Fixture(
        "patched-everything",
        "patches builtins, torch, numpy, sympy and the library's own checks, then is wrong",
        {
            "average_all": PATCHES + function(f"return {WRONG}"),
            "select_first": function("return K[0]", "select_first"),
            "average_two_rate": function(
                "return sp.Integer(1), sp.Integer(1)", "average_two_rate", "n, beta"
            ),
        },
        lost=dict.fromkeys(
            ("average_all", "select_first", "average_two_rate"), (None, "died", "output", "time")
        ),
    ),
    Fixture(
        "shadowed-modules",
        "puts modules of its own before torch, sympy and the library, and hooks the import",
        {
            "average_all": IMPORTS + function(f"return {WRONG}"),
            "select_first": function("return K[0]", "select_first"),
            "average_two_rate": function(
                "return sp.Integer(1), sp.Integer(1)", "average_two_rate", "n, beta"
            ),
        },
        lost=dict.fromkeys(
            ("average_all", "select_first", "average_two_rate"), (None, "died", "output", "time")
        ),
    ),
    Fixture(
        "patched-generators",
        "fixes the random generators, so that every drawn input is the one of the notebook",
        {"select_first": SEEDED},
        lost=lose(None, exercise="select_first"),
    ),
)
LEARNT = (
    Fixture(
        "searches-memory",
        "searches frames and the collector's objects for keys, checks and expected values",
        {"average_all": SEARCH},
        lost=lose(None),
    ),
    Fixture(
        "hard-coded",
        "knows the answer to the inputs that the notebook shows, and nothing else",
        {"select_first": function("return torch.tensor([-17.6, 2.2, 5.1], dtype=K.dtype)", "select_first")},
        lost=lose(None, exercise="select_first"),
    ),
    Fixture(
        "watched",
        "is right at first and in peace, and wrong later and when watched",
        {"average_all": WATCHED},
        lost=lose(None),
    ),
    Fixture(
        "remembers",
        "tries an answer, looks at what comes next, and tries another when called again",
        {
            "select_first": (
                "tried = []\n"
                + function(
                    "tried.append(K)\nreturn [K[0], 20 * K[0], torch.tensor([-17.6, 2.2, 5.1],"
                    " dtype=K.dtype)][len(tried) % 3]",
                    "select_first",
                )
            )
        },
        lost=lose(None, exercise="select_first"),
    ),
    Fixture(
        "runs-the-check",
        "asks the library's own check which of its guesses is right",
        {
            "average_all": function("""
            from kqa_core.check import check
            for guess in (torch.ones(3, dtype=K.dtype), K[0], K[1]):
                try:
                    check("average_all", lambda K: guess)
                    return guess
                except Exception:
                    pass
            return K[0]
            """)
        },
        lost=lose(None),
    ),
)


FIXTURES = (*RETURNED, *PATCHED, *LEARNT)
