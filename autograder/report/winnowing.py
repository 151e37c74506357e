"""What an answer is made of once its author's names, numbers, comments and layout are gone, and how surprising that is.

- Code is read by Pygments, which never gives up on broken syntax, as `tokenize` does. Names become `v`, numbers `n`, strings `s`;
  comments, docstrings and layout go. Kept are what a renamer cannot change: keywords, operators, builtins, and names after a dot.
- Prose becomes its words, in lower case.
- Fingerprints are k-grams of these tokens, chosen by winnowing (Schleimer, Wilkerson and Aiken, SIGMOD 2003, section 3): one of
  each `WINDOW` neighbours, so every shared run of `K + WINDOW - 1` tokens is found, and nothing shorter than `K`.
- Surprise is -log2 of a text's probability under a trigram model (Witten-Bell smoothing) of what was given and what the answer
  key knows. What stands there costs next to nothing, short text costs little: only long text that is nowhere there surprises.
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

LONGEST = 50_000  # characters of a cell that are looked at
K = 8  # tokens of a gram: `return sum(values) / len(values)` has 11, and everybody writes that
WORDS = 5  # words of a shingle of prose
WINDOW = 4  # grams of which at least one is kept
CODE_KINDS, PROSE_KINDS = 100, 10_000  # how many tokens a writer could choose from, where the model knows nothing
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Text:
    """One answer, in tokens. `lines` holds the line of the source on which each token stands, from 0."""

    tokens: tuple[str, ...]
    lines: tuple[int, ...]
    k: int = K

    def fingerprints(self) -> dict[int, list[int]]:
        """Each fingerprint, and the places (first tokens) where it stands."""
        found: dict[int, list[int]] = defaultdict(list)
        for place, value in winnow(grams(self.tokens, self.k)):
            found[value].append(place)
        return found

    def all_grams(self) -> set[int]:
        """Every k-gram, chosen or not: what is given must be recognised wherever it stands."""
        return set(grams(self.tokens, self.k))


def code(source: str) -> Text:
    """Python, or what a student took for it."""
    tokens: list[str] = []
    lines: list[int] = []
    text = source[:LONGEST]
    line = at = 0
    dotted = False
    for place, kind, value in PythonLexer().get_tokens_unprocessed(text):
        line, at = line + text.count("\n", at, place), place
        token = _token(kind, value, dotted)
        if token is None or (token == "s" and tokens and tokens[-1] == "s"):  # the pieces of one string are one token
            continue
        dotted = token == "."
        tokens.append(token)
        lines.append(line)
    return Text(tuple(tokens), tuple(lines))


def prose(source: str) -> Text:
    """A written answer."""
    text = source[:LONGEST].casefold()
    found = [(match.group(), text.count("\n", 0, match.start())) for match in WORD.finditer(text)]
    return Text(tuple(word for word, _ in found), tuple(line for _, line in found), WORDS)


def _token(kind: object, value: str, dotted: bool) -> str | None:
    if kind in Comment or kind is String.Doc or not value.strip():
        return None
    if kind in String:
        return None if kind in (String.Affix, String.Interpol) else "s"
    if kind in Number:
        return "n"
    if kind in Name:
        return value if dotted or (kind in Name.Builtin and kind is not Name.Builtin.Pseudo) else "v"
    return value if kind in Keyword or kind in Operator or kind in Punctuation else "?"


def grams(tokens: Sequence[str], k: int) -> list[int]:
    """The hash of each run of k tokens; the same in every process."""
    joined = ("\0".join(tokens[i : i + k]) for i in range(len(tokens) - k + 1))
    return [int.from_bytes(hashlib.blake2b(each.encode("utf-8", "replace"), digest_size=8).digest()) for each in joined]


def winnow(hashes: Sequence[int], window: int = WINDOW) -> list[tuple[int, int]]:
    """(place, hash) of the smallest hash of each window, the rightmost of equals; of fewer than a window, the smallest of all."""
    if not hashes:
        return []
    chosen: list[tuple[int, int]] = []
    for start in range(max(1, len(hashes) - window + 1)):
        end = min(start + window, len(hashes))
        place = min(range(start, end), key=lambda i: (hashes[i], -i))
        if not chosen or chosen[-1][0] != place:
            chosen.append((place, hashes[place]))
    return chosen


class Surprise:
    """A trigram model of texts that need no explanation."""

    def __init__(self, known: Iterable[Text], kinds: int = CODE_KINDS) -> None:
        self._kinds = kinds
        self._counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for text in known:
            tokens = ("", "", *text.tokens)
            for i in range(2, len(tokens)):
                for context in (tokens[i - 2 : i], tokens[i - 1 : i], ()):
                    self._counts[context][tokens[i]] += 1
        self._totals = {context: (counts.total(), len(counts)) for context, counts in self._counts.items()}

    def bits(self, text: Text) -> list[float]:
        """-log2 of each token's probability after the two before it."""
        tokens = ("", "", *text.tokens)
        return [-math.log2(self._probability(tokens[i - 2 : i], tokens[i])) for i in range(2, len(tokens))]

    def _probability(self, context: tuple[str, ...], token: str) -> float:
        lower = self._probability(context[1:], token) if context else 1 / self._kinds
        total, kinds = self._totals.get(context, (0, 0))
        if not total:
            return lower
        return (self._counts[context][token] + kinds * lower) / (total + kinds)
