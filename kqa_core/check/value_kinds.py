"""The kinds of values that a package brings: torch's tensors, sympy's expressions.

- Python's own values and numpy's are always known. For torch and sympy, everything that depends on the
  package is one `ValueKind`: how its values are written and read, compared, seeded and put back. No other
  module of this folder names the package, so a course that uses neither needs neither installed.
- numpy stays required: random generators, arrays and the comparison of numbers are its own.
- Which kinds a process knows: in a notebook, those whose package is imported, because a tensor exists only
  where torch is. A process that grades fixes them with `use`, from what the course declares (`packages` in
  its course.toml). So judge and runner agree, and a student who imports torch in a course that does not use
  it sends an object like any other, never a tensor.
- The kinds are the ones listed here. A course cannot add one: the codec builds listed types only.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from kqa_core.errors import UserError

MODULES = {"torch": "kqa_core.check.torch_values", "sympy": "kqa_core.check.sympy_values"}


class Writer(Protocol):
    """What the codec offers to a kind that writes a value."""

    arguments: bool  # whether the message goes from the check to the answer

    def node(self, value: Any, depth: int) -> object:
        """The tree of another value."""

    def blob(self, size: int, to_bytes: Callable[[Any], bytes], value: Any) -> int:
        """Keep `size` bytes; their number."""


class Reader(Protocol):
    """What the codec offers to a kind that reads a value."""

    arguments: bool

    def elements(self, place: list[Any], itemsize: int) -> tuple[list[int], bytearray]:
        """Shape and bytes of an array. Raises Malformed unless the bytes fill the shape."""


class Numbers(NamedTuple):
    """A value as numbers that numpy compares."""

    array: np.ndarray[Any, Any]
    kind: str  # "bool", "int", "float" or "complex"
    precision: float  # the distance from 1 to the next number of its dtype; 0 for whole numbers and bools


class ValueKind:
    """One kind. A method that is given a value of another kind returns None, and the next kind is asked."""

    package: str
    # tag in a message → what reads the rest; it raises Malformed or TooLarge for what `write` never writes
    readers: Mapping[str, Callable[[Reader, list[Any]], object]]
    later: tuple[str, ...] = ()  # modules that the package imports when first used, worth importing early

    def write(self, value: Any, writer: Writer, depth: int) -> object | None:
        """The tree of a value."""
        return None

    def same(self, a: object, b: object) -> bool | None:
        """Whether two values are the same, for values that are not compared as `Numbers`."""
        return None

    def numbers(self, value: Any) -> Numbers | None:
        """A tensor or an array as numbers."""
        return None

    def real(self, value: Any) -> float | None:
        """A single real number as a float."""
        return None

    def truth(self, value: Any) -> bool | None:
        """A single bool."""
        return None

    def described(self, value: Any) -> str | None:
        """The value in a sentence, such as "a tensor of shape (2, 3)"."""
        return None

    def seed(self, seed: int) -> None:
        """Seed the package's global generator."""

    @contextlib.contextmanager
    def generator_kept(self) -> Iterator[None]:
        """Restore the package's global generator afterwards."""
        yield

    @contextlib.contextmanager
    def state_kept(self) -> Iterator[None]:
        """Put back afterwards what code can change for the whole process."""
        yield

    def one_thread(self) -> None:
        """Compute in one thread from now on."""

    def before_fork(self) -> None:
        """Prepare a process from which others are forked: no threads, nothing left to look up."""


_fixed: Callable[[], Iterable[str]] | None = None


def use(packages: Callable[[], Iterable[str]]) -> None:
    """Know the kinds of these packages in this process, and no others. Names without a kind are ignored;
    nothing is imported before a value is sent or compared.
    """
    global _fixed
    _fixed = packages
    _named.cache_clear()


def known() -> tuple[ValueKind, ...]:
    """The kinds that this process knows. Raises UserError if a package of the course is not installed."""
    if _fixed is None:
        return tuple(_kind(package) for package in MODULES if package in sys.modules)
    return _named()


@functools.cache
def _named() -> tuple[ValueKind, ...]:
    assert _fixed is not None
    named = {name.partition(".")[0] for name in _fixed()}
    return tuple(_kind(package) for package in MODULES if package in named)


@functools.cache
def _kind(package: str) -> ValueKind:
    try:
        kind = importlib.import_module(MODULES[package]).KIND
    except ModuleNotFoundError as missing:
        if missing.name != package:
            raise
        raise UserError(
            f"course.toml: packages names {package}, which is not installed here; install it, or remove it"
            " from the list"
        ) from None
    assert isinstance(kind, ValueKind)
    return kind


def seed_all(seed: int) -> None:
    """Seed the global generators of all known packages."""
    for kind in known():
        kind.seed(seed)


@contextlib.contextmanager
def generators_kept() -> Iterator[None]:
    """Restore the global generators of all known packages afterwards."""
    with contextlib.ExitStack() as stack:
        for kind in known():
            stack.enter_context(kind.generator_kept())
        yield


@contextlib.contextmanager
def state_kept() -> Iterator[None]:
    """Put back what code can change for the whole process: an answer may turn off the recording of gradients,
    or choose another default dtype.

    A student's answer runs in a process of its own, but a rejected answer of a key runs in the judge's, with
    which the next submission is judged.
    """
    errors = np.geterr()
    with contextlib.ExitStack() as stack:
        for kind in known():
            stack.enter_context(kind.state_kept())
        try:
            yield
        finally:
            np.seterr(**errors)
