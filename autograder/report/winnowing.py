"""Turns an answer into tokens without names, comments and layout, and measures how surprising they are.

- Pygments reads code, because it also reads broken syntax, where `tokenize` gives up. Names become `v`,
  numbers `n`, strings `s`; comments, docstrings and layout are dropped. We keep what renaming cannot change:
  keywords, operators, builtins, and names after a dot.
- Prose becomes its words, in lower case.
- Fingerprints are k-grams of these tokens, chosen by winnowing (Schleimer, Wilkerson and Aiken, SIGMOD 2003,
  section 3): at least one of each `WINDOW` neighbours. So every shared run of `K_CODE + WINDOW - 1` tokens is
  found, and nothing shorter than `K_CODE`.
- Surprise is -log2 of a text's probability under a trigram model (Witten-Bell smoothing) of the given text
  and the answer key. Text from there is hardly surprising, and neither is a short text. Only a long text that
  does not occur there has many bits.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pygments.lexers.python import PythonLexer  # type: ignore[import-untyped] # ships no types
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String  # type: ignore[import-untyped]

MAX_CHARACTERS = 50_000  # characters of a cell that are looked at
K_CODE = 8  # tokens of a gram: `return sum(values) / len(values)` has 11, and everybody writes that
K_PROSE = 5  # words of a shingle of prose
WINDOW = 4  # grams of which at least one is kept
# how many tokens a writer could choose from, where the model knows nothing
CODE_VOCABULARY, PROSE_VOCABULARY = 100, 10_000
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Tokens:
    """One answer as tokens. `lines` holds each token's line in the source, from 0."""

    tokens: tuple[str, ...]
    lines: tuple[int, ...]
    k: int = K_CODE

    def fingerprints(self) -> dict[int, list[int]]:
        """Each fingerprint, and the positions of the first tokens of its k-grams."""
        positions: dict[int, list[int]] = defaultdict(list)
        for position, value in winnow(grams(self.tokens, self.k)):
            positions[value].append(position)
        return positions

    def all_grams(self) -> set[int]:
        """The hashes of all k-grams, chosen or not: given text must be recognised wherever it stands."""
        return set(grams(self.tokens, self.k))


def code(source: str) -> Tokens:
    """The tokens of Python code, which may have syntax errors."""
    tokens: list[str] = []
    lines: list[int] = []
    text = source[:MAX_CHARACTERS]
    line = last = 0
    after_dot = False
    for position, kind, value in PythonLexer().get_tokens_unprocessed(text):
        line, last = line + text.count("\n", last, position), position
        token = _token(kind, value, after_dot)
        # the pieces of one string are one token
        if token is None or (token == "s" and tokens and tokens[-1] == "s"):
            continue
        after_dot = token == "."
        tokens.append(token)
        lines.append(line)
    return Tokens(tuple(tokens), tuple(lines))


def prose(source: str) -> Tokens:
    """The words of a written answer."""
    text = source[:MAX_CHARACTERS].casefold()
    words = [(match.group(), text.count("\n", 0, match.start())) for match in WORD.finditer(text)]
    return Tokens(tuple(word for word, _ in words), tuple(line for _, line in words), K_PROSE)


def _token(kind: object, value: str, after_dot: bool) -> str | None:
    if kind in Comment or kind is String.Doc or not value.strip():
        return None
    if kind in String:
        return None if kind in (String.Affix, String.Interpol) else "s"
    if kind in Number:
        return "n"
    if kind in Name:
        return value if after_dot or (kind in Name.Builtin and kind is not Name.Builtin.Pseudo) else "v"
    return value if kind in Keyword or kind in Operator or kind in Punctuation else "?"


def grams(tokens: Sequence[str], k: int) -> list[int]:
    """The hash of each run of k tokens; the same in every process."""
    joined = ("\0".join(tokens[i : i + k]) for i in range(len(tokens) - k + 1))
    return [
        int.from_bytes(hashlib.blake2b(gram.encode("utf-8", "replace"), digest_size=8).digest())
        for gram in joined
    ]


def winnow(hashes: Sequence[int], window: int = WINDOW) -> list[tuple[int, int]]:
    """(position, hash) of the smallest hash of each window, the rightmost of equal ones.

    Fewer hashes than a window have one smallest hash.
    """
    if not hashes:
        return []
    chosen: list[tuple[int, int]] = []
    for start in range(max(1, len(hashes) - window + 1)):
        end = min(start + window, len(hashes))
        position = min(range(start, end), key=lambda i: (hashes[i], -i))
        if not chosen or chosen[-1][0] != position:
            chosen.append((position, hashes[position]))
    return chosen


class SurpriseModel:
    """A trigram model of given and known texts. `vocabulary`: how many tokens a writer can choose from."""

    def __init__(self, known: Iterable[Tokens], vocabulary: int = CODE_VOCABULARY) -> None:
        self._vocabulary = vocabulary
        self._counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for text in known:
            tokens = ("", "", *text.tokens)
            for i in range(2, len(tokens)):
                for context in (tokens[i - 2 : i], tokens[i - 1 : i], ()):
                    self._counts[context][tokens[i]] += 1
        self._totals = {context: (counts.total(), len(counts)) for context, counts in self._counts.items()}

    def bits(self, text: Tokens) -> list[float]:
        """-log2 of each token's probability after the two before it."""
        tokens = ("", "", *text.tokens)
        return [-math.log2(self._probability(tokens[i - 2 : i], tokens[i])) for i in range(2, len(tokens))]

    def _probability(self, context: tuple[str, ...], token: str) -> float:
        lower = self._probability(context[1:], token) if context else 1 / self._vocabulary
        total, distinct = self._totals.get(context, (0, 0))
        if not total:
            return lower
        return (self._counts[context][token] + distinct * lower) / (total + distinct)
