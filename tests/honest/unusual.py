"""Submissions that look like nobody else's, and are right: each must have full marks, and no incident.

A style changes the honest notebook of `hostile_course` in place, or returns the bytes of the file.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any

from hostile_course import NAME, as_bytes, code, prose, set_source

from autograder.answer_key import answer_source, find_key

Tree = dict[str, Any]
AVERAGE, SELECT, RATE = "average_all", "select_first", "average_two_rate"
SOLVE = "torch.linalg.solve(K[0] - K[1:], torch.full((3,), 15.0, dtype=K.dtype))"


def above(tree: Tree, name: str, *sources: str) -> None:
    """Put cells of the student's own above an answer."""
    place = next(number for number, cell in enumerate(tree["cells"]) if cell["id"] == name)
    tree["cells"][place:place] = [
        code(source, f"own-{name}-{number}") for number, source in enumerate(sources)
    ]


def accepted(number: int) -> Callable[[Tree], None]:
    """Other algorithms: the accepted answers of the keys."""

    def style(tree: Tree) -> None:
        for name in (AVERAGE, SELECT, RATE):
            set_source(tree, name, answer_source(name, find_key(name).accepted[number]))

    return style


def warnings(tree: Tree) -> None:
    """Warns and prints to both streams, at definition and at every call."""
    noise = "import sys, warnings\nwarnings.warn('deprecated')\nprint('a note', file=sys.stderr)\n"
    body = (
        "def average_all(K):\n"
        "    warnings.warn('again')\n"
        "    print('called', file=sys.stderr)\n"
        "    return 0 * K[0]\n"
    )
    set_source(tree, AVERAGE, noise + body)


def extra_cells(tree: Tree) -> None:
    """Has many cells of its own: experiments, some of which fail, prose, raw text."""
    above(tree, AVERAGE, "x = 1 / 0", "print(undefined)", "1 +", "%%time\nsum(range(10))", "")
    above(tree, SELECT, *(f"experiment_{number} = {number}" for number in range(40)))
    tree["cells"] += [prose("# My notes\n$x^2$", "notes"), {**prose("raw", "raw"), "cell_type": "raw"}]


def helpers(tree: Tree) -> None:
    """Has its work done by helpers of other names, in cells of their own."""
    above(
        tree,
        SELECT,
        "def lead(keys, size):\n    return torch.full((len(keys) - 1,), float(size), dtype=keys.dtype)",
    )
    set_source(tree, SELECT, "def select_first(K):\n    return torch.linalg.solve(K[0] - K[1:], lead(K, 15))")


def helper_below(tree: Tree) -> None:
    """Uses a helper that is defined further down, which Run All had defined by then."""
    set_source(tree, SELECT, "def select_first(K):\n    return defined_below(K)")
    tree["cells"].append(code(f"def defined_below(K):\n    return {SOLVE}", "below"))


def redefinition(tree: Tree) -> None:
    """Has a first try, wrong, and the second below it in the same cell."""
    set_source(
        tree, AVERAGE, "def average_all(K):\n    return K[0]\n\ndef average_all(K):\n    return 0 * K[0]\n"
    )


def classes(tree: Tree) -> None:
    """Answers with objects: a callable instance, a bound method, a class method, a partial."""
    set_source(
        tree,
        AVERAGE,
        "class Zero:\n    def __call__(self, K):\n        return 0 * K[0]\n\naverage_all = Zero()\n",
    )
    set_source(
        tree,
        SELECT,
        f"class Solver:\n"
        f"    @classmethod\n"
        f"    def first(cls, K):\n"
        f"        return {SOLVE}\n"
        f"\n"
        f"select_first ="
        " Solver.first\n",
    )
    partial = (
        answer_source("rate", find_key(RATE).reference)
        .replace("(n, beta)", "(quarter, n, beta)")
        .replace("/ 4", "* quarter")
    )
    set_source(
        tree,
        RATE,
        f"from functools import partial\n"
        f"\n"
        f"{partial}\n"
        f"average_two_rate = partial({RATE}, sp.Rational(1,"
        " 4))\n",
    )


def lambdas(tree: Tree) -> None:
    """Answers with lambdas and an operator."""
    set_source(tree, AVERAGE, "average_all = lambda K: K[0] - K[0]")
    set_source(tree, SELECT, f"select_first = lambda K: {SOLVE}")


def decorators(tree: Tree) -> None:
    """Decorates its answers: a cache, no gradients, a wrapper of its own."""
    loud = "def g(*a, **k):\n        print(f.__name__)\n        return f(*a, **k)\n    return g\n"
    above(tree, AVERAGE, f"import functools\n\ndef loud(f):\n    @functools.wraps(f)\n    {loud}")
    set_source(tree, AVERAGE, "@loud\n@torch.no_grad()\ndef average_all(K):\n    return 0 * K[0]\n")
    set_source(tree, RATE, "@functools.lru_cache\n" + answer_source(RATE, find_key(RATE).reference))


def with_numpy(tree: Tree) -> None:
    """Computes with numpy and hands a tensor back."""
    body = (
        "import numpy as np\n"
        "\n"
        "def select_first(K):\n"
        "    k = K.numpy()\n"
        "    q = np.linalg.solve(k[0] - k[1:], np.full(3, 15.0))\n"
    )
    set_source(tree, SELECT, body + "    return torch.from_numpy(q)\n")


def asynchronous(tree: Tree) -> None:
    """Awaits at the top level, and runs a loop of its own inside an answer."""
    above(
        tree,
        AVERAGE,
        "import asyncio\n"
        "\n"
        "async def zero(K):\n"
        "    await asyncio.sleep(0)\n"
        "    return 0 * K[0]\n"
        "\n"
        "await asyncio.sleep(0)",
    )
    set_source(
        tree,
        AVERAGE,
        "def average_all(K):\n"
        "    loop = asyncio.new_event_loop()\n"
        "    return loop.run_until_complete(zero(K))\n",
    )


def magics(tree: Tree) -> None:
    """Uses magics and the shell as in class."""
    above(
        tree,
        AVERAGE,
        "%matplotlib inline\n%precision 3\n!echo hello",
        "%%capture\nprint('hidden')",
        "%timeit -n 1 -r 1 sum(range(10))",
        "?sum",
    )


def plots(tree: Tree) -> None:
    """Plots everything it does, in the answers too."""
    above(tree, AVERAGE, "import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])\nplt.show()")
    set_source(
        tree,
        AVERAGE,
        "def average_all(K):\n"
        "    plt.figure()\n"
        "    plt.imshow(K)\n"
        "    plt.show()\n"
        "    plt.close('all')\n"
        "    return 0 * K[0]\n",
    )


def global_generators(tree: Tree) -> None:
    """Searches at random, with the global generators, seeded and unseeded."""
    guess = (
        "guess = torch.rand(3) + random.random() + numpy.random.rand()\n"
        "    return (guess - guess).to(K.dtype)\n"
    )
    body = f"import numpy\n\ndef average_all(K):\n    torch.manual_seed(3)\n    random.seed()\n    {guess}"
    set_source(tree, AVERAGE, body)


def threads(tree: Tree) -> None:
    """Computes in a pool of threads."""
    body = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "\n"
        "def average_all(K):\n"
        "    with ThreadPoolExecutor(4) as pool:\n"
    )
    set_source(
        tree, AVERAGE, body + "        return torch.stack(list(pool.map(lambda i: 0 * K[0, i], range(3))))\n"
    )


def type_hints(tree: Tree) -> None:
    """Annotates everything, in words that need not exist."""
    head = "def average_all(K: Float[Tensor, 'n d'], /) -> Float[Tensor, 'd']:"
    body = f"from __future__ import annotations\n\n{head}\n    zero: Anything = 0 * K[0]\n    return zero\n"
    set_source(tree, AVERAGE, body)


def star_imports(tree: Tree) -> None:
    """Imports everything from everywhere, over what was there."""
    above(
        tree,
        AVERAGE,
        "from math import *\n"
        "from torch import *\n"
        "from numpy import *\n"
        "from sympy import *\n"
        "import torch, sympy as sp",
    )


def line_ends(tree: Tree) -> bytes:
    """Was saved on Windows: CRLF in the file and in the sources."""
    for cell in tree["cells"]:
        cell["source"] = [line.replace("\n", "\r\n") for line in cell["source"]]
    return as_bytes(tree).replace(b"\n", b"\r\n")


def tabs(tree: Tree) -> None:
    """Indents with tabs, and leaves spaces at the ends of lines."""
    for name in (AVERAGE, SELECT, RATE):
        source = answer_source(name, find_key(name).reference)
        set_source(tree, name, source.replace("    ", "\t").replace("\n", "  \n"))


def first_minor_version(tree: Tree) -> bytes:
    """Was saved by a Jupyter of 2015: nbformat 4.0, no cell ids, sources as one string, an older kernel."""
    cells = [
        {**{key: value for key, value in cell.items() if key != "id"}, "source": "".join(cell["source"])}
        for cell in tree["cells"]
    ]
    kernel = {"name": "python2", "display_name": "Python 2", "language": "python"}
    return as_bytes({**tree, "cells": cells, "nbformat_minor": 0, "metadata": {"kernelspec": kernel}})


def ascii_and_compact(tree: Tree) -> bytes:
    """Was saved by another program: one line, everything escaped, keys in another order."""
    return json.dumps(dict(reversed(tree.items())), ensure_ascii=True, separators=(",", ":")).encode()


def other_alphabets(tree: Tree) -> None:
    """Names things in Greek and Chinese, and has an accented é of two characters."""
    set_source(
        tree, AVERAGE, "def average_all(键):\n    ψ = 0 * 键[0]\n    café = ψ\n    return cafe\u0301\n"
    )


def leftover_state(tree: Tree) -> None:
    """Keeps state between calls, and changes a copy of its argument in place."""
    set_source(
        tree,
        AVERAGE,
        "calls = []\n"
        "\n"
        "def average_all(K):\n"
        "    global last\n"
        "    calls.append(1)\n"
        "    last = K.clone()\n"
        "    last.zero_()\n"
        "    return last[0]\n",
    )


def no_cells_of_ours(tree: Tree) -> None:
    """Deleted all prose, setup and test cells."""
    tree["cells"] = [cell for cell in tree["cells"] if cell["id"] in (AVERAGE, SELECT, RATE, "why_select")]


def gradient(tree: Tree) -> None:
    """Finds its answer by gradient descent, and forgets to detach it."""
    body = inspect.cleandoc("""
    def select_first(K):
        q = torch.zeros(3, dtype=K.dtype, requires_grad=True)
        for _ in range(400):
            loss = -torch.log_softmax(K @ q, dim=0)[0]
            (step,) = torch.autograd.grad(loss, q)
            q = (q - 4.0 * step).detach().requires_grad_()
            if loss < 1e-3:
                break
        return q if loss < 9e-3 else torch.linalg.solve(K[0] - K[1:], torch.full((3,), 15.0, dtype=K.dtype))
    """)
    set_source(tree, SELECT, body)


STYLES: tuple[Callable[[Tree], Any], ...] = (
    *(
        warnings,
        extra_cells,
        helpers,
        helper_below,
        redefinition,
        classes,
        lambdas,
        decorators,
        with_numpy,
        asynchronous,
        magics,
    ),
    *(
        plots,
        global_generators,
        threads,
        type_hints,
        star_imports,
        line_ends,
        tabs,
        first_minor_version,
        ascii_and_compact,
    ),
    *(other_alphabets, leftover_state, no_cells_of_ours, gradient),
)
ALGORITHMS = {f"other_algorithm_{number}": accepted(number) for number in range(4)}
ALL = {**{style.__name__: style for style in STYLES}, **ALGORITHMS}
NOTEBOOK = NAME
