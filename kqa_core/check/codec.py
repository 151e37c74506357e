"""The values that cross between a check and an answer, as bytes.

- One message is a JSON tree followed by raw blobs: no pickle, no code, no callbacks. Decoding never runs
  anything in the bytes.
- Only exact types are values (`type(v) is int`, not `isinstance`), so an object that claims to equal
  everything is not sent: None, bool, int, float, complex, str, list, tuple, dict, set, frozenset, Fraction,
  numeric numpy arrays and scalars, and the values of the packages that the process knows (`value_kinds`):
  torch's tensors, sympy's expressions. Related types are copied to the plain type: named tuple, torch.Size,
  sympy.Tuple → tuple; OrderedDict, defaultdict, Counter → dict; Fraction → sympy; a Parameter or a tensor on
  another device becomes a plain CPU tensor without gradient. Anything else is sent as a `Handle`.
- *Arguments* (check → answer) may also hold `Seeded` and `Build`, and their tensors keep `requires_grad`.
  *Results* may not.
- Sizes are limited in both directions, so that decoding takes little memory whatever was sent. A long text is
  a blob, so the JSON text is short. Bad bytes raise `Malformed`, too many raise `TooLarge`; decoding raises
  nothing else.

Layout: 4 bytes, big endian, length of the JSON text; the text `[tree, [length of blob 0, …]]` in ASCII; the
blobs.
"""

from __future__ import annotations

import importlib
import json
import math
import random
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from kqa_core.check import array_codec
from kqa_core.check.answer import Build, Handle, Seeded
from kqa_core.check.array_codec import MAX_ARRAY, array_bytes
from kqa_core.check.codec_errors import BuildFailed, CodecError, Foreign, Malformed, TooLarge
from kqa_core.check.value_kinds import ValueKind, known

MAX_BYTES = 96 * 2**20  # one message
MAX_JSON = 16 * 2**20  # of its text
MAX_TEXT = 4 * 2**20  # characters of one str
SHORT = 200  # characters of a str that is part of the JSON text
MAX_NODES = 500_000
# commas and opening brackets of the JSON text: each may cost a hundred bytes when it is parsed
MAX_MARKS = 4 * MAX_NODES
MAX_DEPTH = 60
MAX_BITS = 14_000  # of one int: Python prints 4,300 digits at most, which are 14,284 bits
MAX_NAME = 60  # characters of the name of a type
PLAIN_INT = 2**53  # larger ones are written in hexadecimal

_DICTS = (dict, OrderedDict, defaultdict, Counter)


class Handles:
    """The objects that stay in the answer's process, by number."""

    def __init__(self) -> None:
        self._kept: list[object] = []

    def keep(self, value: object) -> Handle:
        """A new handle for `value`."""
        self._kept.append(value)
        return Handle(len(self._kept) - 1, _type_name(value))

    def get(self, number: int) -> object:
        """The object behind handle `number`. Raises Malformed if there is no such handle."""
        if not 0 <= number < len(self._kept):
            raise Malformed(f"there is no handle {number}")
        return self._kept[number]


def encode(value: object, handles: Handles | None = None, *, arguments: bool = False) -> bytes:
    """The bytes of `value`.

    `handles` keeps the objects that are not values (without it, such an object raises Foreign). `arguments`
    says that the message goes from the check to the answer. Raises TooLarge beyond a limit.
    """
    writer = _Writer(handles, arguments)
    try:
        tree = writer.node(value, 0)
    except RecursionError:
        raise TooLarge("the value is too deep") from None
    text = _ENCODER.encode([tree, [len(blob) for blob in writer.blobs]]).encode("ascii")
    message = b"".join([len(text).to_bytes(4, "big"), text, *writer.blobs])
    if len(message) > MAX_BYTES:
        raise TooLarge(f"the value takes {len(message)} bytes")
    return message


def decode(data: bytes, handles: Handles | None = None, *, arguments: bool = False) -> object:
    """The value of `data`.

    With `handles`, a handle becomes its object; without, it stays a `Handle`. Raises Malformed or TooLarge;
    with `arguments` also BuildFailed.
    """
    if len(data) > MAX_BYTES:
        raise TooLarge(f"the message has {len(data)} bytes")
    kinds = known()
    try:
        size = int.from_bytes(data[:4], "big")
        marks = data.count(b",", 4, 4 + size) + data.count(b"[", 4, 4 + size) + data.count(b"{", 4, 4 + size)
        if size > MAX_JSON or marks > MAX_MARKS:
            raise TooLarge(f"the message's text has {size} bytes")
        tree, lengths = _DECODER.decode(data[4 : 4 + size].decode("ascii"))
        if len(data) < 4 or type(lengths) is not list:
            raise Malformed("a message starts with its length and ends with its blobs")
        blobs, start = [], 4 + size
        for length in lengths:
            if type(length) is not int or length < 0:
                raise Malformed("a blob's length must be a whole number")
            blobs.append(memoryview(data)[start : start + length])
            start += length
        if start != len(data):
            raise Malformed("the message's length is not that of its parts")
        return _Reader(blobs, handles, arguments, kinds).node(tree, 0)
    except CodecError:
        raise
    except Exception as error:  # hostile bytes can raise anything; the caller sees one error
        raise Malformed(f"not a message of this protocol ({type(error).__name__})") from None


def _type_name(value: object) -> str:
    """The name of a value's type, whatever its metaclass says: an identifier, so that it can be shown."""
    name = type.__dict__["__name__"].__get__(type(value))
    return name if name.isidentifier() and len(name) <= MAX_NAME else "object"


def _text_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _no_constant(name: str) -> object:
    raise Malformed(f"{name} is not plain JSON")


_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)
_DECODER = json.JSONDecoder(parse_constant=_no_constant)
_COLLECTIONS = {kind.__name__: kind for kind in (list, tuple, set, frozenset)}


class _Writer:
    """Turns values into the JSON tree: JSON's own scalars unchanged,
    everything else as a list that starts with its tag.
    """

    def __init__(self, handles: Handles | None, arguments: bool) -> None:
        self.handles, self.arguments, self.kinds = handles, arguments, known()
        self.blobs: list[bytes] = []
        self.nodes = self.bytes = 0

    def node(self, value: Any, depth: int) -> object:  # noqa: PLR0911, PLR0912 - one branch for each kind of value
        self.nodes += 1
        if self.nodes > MAX_NODES or depth > MAX_DEPTH:
            raise TooLarge("the value has too many parts or is too deep")
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is int:
            if -PLAIN_INT < value < PLAIN_INT:
                return value
            if value.bit_length() > MAX_BITS:
                raise TooLarge(f"an int of {value.bit_length()} bits is too large")
            return ["int", hex(value)]
        if kind is float:
            return value if math.isfinite(value) else ["float", repr(value)]
        if kind is str:
            if len(value) > MAX_TEXT:
                raise TooLarge(f"a str of {len(value)} characters is too long")
            if len(value) > SHORT:
                return ["text", self.blob(len(value), _text_bytes, value)]
            self._count(len(value))
            return value
        if kind is np.str_:
            return self.node(str(value), depth)
        if kind is complex:
            return ["complex", self.node(value.real, depth + 1), self.node(value.imag, depth + 1)]
        if kind is list or kind is tuple or kind is set or kind is frozenset:
            if self.nodes + len(value) > MAX_NODES:  # before the parts are looked at one by one
                raise TooLarge("the value has too many parts or is too deep")
            return [kind.__name__, *[self.node(item, depth + 1) for item in value]]
        if issubclass(kind, tuple):
            return self.node(tuple(tuple.__iter__(value)), depth + 1)
        if kind in _DICTS:
            pairs = [[self.node(key, depth + 1), self.node(item, depth + 1)] for key, item in value.items()]
            return ["dict", *pairs]
        if kind is np.ndarray:
            if value.dtype.str[1:] in array_codec.DTYPES:
                number = self.blob(value.nbytes, array_bytes, value)
                return ["array", value.dtype.str[1:], [int(n) for n in value.shape], number]
        elif isinstance(value, np.generic):
            if value.dtype.str[1:] in array_codec.DTYPES and kind is value.dtype.type:
                number = self.blob(value.nbytes, array_bytes, np.asarray(value))
                return ["scalar", value.dtype.str[1:], number]
        else:
            for values in self.kinds:
                tree = values.write(value, self, depth)
                if tree is not None:
                    return tree
            if kind is Fraction:
                return ["fraction", *(self.node(part, depth + 1) for part in value.as_integer_ratio())]
        return self._marker(value, depth)

    def _marker(self, value: Any, depth: int) -> object:
        kind = type(value)
        if self.arguments and kind is Seeded:
            return ["seeded", self.node(value.seed, depth + 1)]
        if self.arguments and kind is Build:
            parts = (value.target, tuple(value.args), dict(value.kwargs))
            return ["build", *(self.node(part, depth + 1) for part in parts)]
        if self.arguments and kind is Handle:
            return ["handle", value.number, value.type_name]
        if self.handles is None:
            raise Foreign(f"a {kind.__name__} is not a value")
        handle = self.handles.keep(value)
        return ["handle", handle.number, handle.type_name]

    def _count(self, size: int) -> None:
        self.bytes += size
        if self.bytes > MAX_BYTES:
            raise TooLarge(f"the value takes more than {MAX_BYTES} bytes")

    def blob(self, size: int, to_bytes: Any, value: Any) -> int:
        # tested before anything is copied: an expanded tensor is larger than its storage
        if size > MAX_ARRAY:
            raise TooLarge(f"an array of {size} bytes is too large")
        self._count(size)
        self.blobs.append(to_bytes(value))
        return len(self.blobs) - 1


class _Reader:
    """Turns the JSON tree back into values."""

    def __init__(
        self, blobs: list[memoryview], handles: Handles | None, arguments: bool, kinds: Sequence[ValueKind]
    ) -> None:
        self.blobs, self.handles, self.arguments, self.kinds = blobs, handles, arguments, kinds
        self.nodes = 0

    def node(self, tree: Any, depth: int) -> Any:
        self.nodes += 1
        if self.nodes > MAX_NODES or depth > MAX_DEPTH:
            raise TooLarge("the value has too many parts or is too deep")
        if type(tree) is not list:
            if type(tree) is dict or (type(tree) is float and not math.isfinite(tree)):
                raise Malformed("the tree holds what no value writes")
            return tree
        tag, rest = tree[0], tree[1:]
        if tag in _COLLECTIONS:
            return _COLLECTIONS[tag]([self.node(item, depth + 1) for item in rest])
        if tag == "dict":
            return {self.node(key, depth + 1): self.node(item, depth + 1) for key, item in rest}
        if tag in _TAGS:
            return getattr(self, f"_read_{tag}")(rest, depth + 1)
        for values in self.kinds:
            if tag in values.readers:
                return values.readers[tag](self, rest)
        raise Malformed("unknown tag")

    def _read_int(self, rest: list[Any], depth: int) -> int:
        (text,) = rest
        if type(text) is not str or len(text) > MAX_BITS // 4 + 3:
            raise Malformed("an int must be a hexadecimal string within the cap")
        return int(text, 16)

    def _read_text(self, rest: list[Any], depth: int) -> str:
        (number,) = rest
        if type(number) is not int or number < 0 or len(self.blobs[number]) > 4 * MAX_TEXT:
            raise Malformed("a long text has a blob within the cap")
        return str(self.blobs[number], "utf-8", "surrogatepass")

    def _read_float(self, rest: list[Any], depth: int) -> float:
        (text,) = rest
        # a new nan each time: `is math.nan` finds one object only
        return {"nan": float("nan"), "inf": math.inf, "-inf": -math.inf}[text]

    def _read_complex(self, rest: list[Any], depth: int) -> complex:
        real, imaginary = (self.node(part, depth) for part in rest)
        if type(real) is not float or type(imaginary) is not float:
            raise Malformed("a complex number has two floats")
        return complex(real, imaginary)

    def elements(self, place: list[Any], itemsize: int) -> tuple[list[int], bytearray]:
        """Shape and bytes of an array. Raises Malformed unless the bytes fill the shape."""
        shape, number = place
        if not array_codec.is_shape(shape) or type(number) is not int or number < 0:
            raise Malformed("an array has a shape of whole numbers and a blob")
        blob = self.blobs[number]
        if len(blob) > MAX_ARRAY:
            raise TooLarge(f"an array of {len(blob)} bytes is too large")
        if math.prod(shape) * itemsize != len(blob):
            raise Malformed("an array's bytes do not fill its shape")
        return shape, bytearray(blob)

    def _read_array(self, rest: list[Any], depth: int) -> np.ndarray[Any, Any]:
        name, *place = rest
        if name not in array_codec.DTYPES:
            raise Malformed("an array's dtype is not on the list")
        return array_codec.to_array(name, *self.elements(place, np.dtype(name).itemsize))

    def _read_scalar(self, rest: list[Any], depth: int) -> Any:
        name, number = rest
        return self._read_array([name, [], number], depth)[()]

    def _read_fraction(self, rest: list[Any], depth: int) -> Fraction:
        above, below = (self.node(part, depth) for part in rest)
        if type(above) is not int or type(below) is not int or below <= 0:
            raise Malformed("a fraction has two whole numbers, and none below zero")
        return Fraction(above, below)

    def _read_handle(self, rest: list[Any], depth: int) -> object:
        number, name = rest
        is_name = type(name) is str and len(name) <= MAX_NAME and name.isidentifier()
        if not is_name or type(number) is not int or number < 0:
            raise Malformed("a handle is a number and a name")
        return Handle(number, name) if self.handles is None else self.handles.get(number)

    def _read_seeded(self, rest: list[Any], depth: int) -> random.Random:
        (tree,) = rest
        seed = self.node(tree, depth)
        if not self.arguments or type(seed) is not int:
            raise Malformed("only an argument is seeded, with an int")
        return random.Random(seed)

    def _read_build(self, rest: list[Any], depth: int) -> object:
        target, args, kwargs = (self.node(part, depth) for part in rest)
        typed = type(target) is str and type(args) is tuple and type(kwargs) is dict
        if not self.arguments or not typed:
            raise Malformed("only an argument is built, from a name and values")
        module, _, name = target.partition(":")
        ours = module.startswith(("kqa_core.", "course_exercises."))
        if not ours or not name.isidentifier() or name.startswith("_"):
            raise Malformed("only public names of kqa_core and of the course's exercises are built")
        try:
            return getattr(importlib.import_module(module), name)(*args, **kwargs)
        except Exception as error:
            raise BuildFailed(f"{target} could not be built") from error


_TAGS = frozenset(name.removeprefix("_read_") for name in vars(_Reader) if name.startswith("_read_"))
