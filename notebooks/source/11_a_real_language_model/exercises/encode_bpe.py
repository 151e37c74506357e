"""Exercise encode_bpe: cut a word into tokens with a given list of merges."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of

Merges = list[tuple[str, str]]

LOW: Merges = [("l", "o"), ("lo", "w"), ("e", "r"), ("low", "er"), ("n", "e")]
CASES: tuple[tuple[str, Merges, list[str]], ...] = (  # worked out by hand
    ("lower", LOW, ["lower"]),
    ("newer", LOW, ["ne", "w", "er"]),
    ("slow", LOW, ["s", "low"]),
    ("lowlow", LOW, ["low", "low"]),
    ("x", LOW, ["x"]),
    ("lol", [], ["l", "o", "l"]),
    # ("b", "c") was learned first, so "ab" is not joined, although it comes first in the word
    ("abc", [("b", "c"), ("a", "b")], ["a", "bc"]),
    # "ab" occurs most often in the word, but it was learned later
    ("abcabab", [("b", "c"), ("a", "b")], ["a", "bc", "ab", "ab"]),
    # the longest token of the vocabulary is not always reached: "abc" needs "ab"
    ("abcd", [("c", "d"), ("a", "b"), ("ab", "c")], ["ab", "cd"]),
    ("aaaaa", [("a", "a"), ("aa", "a")], ["aa", "aaa"]),
    ("abba", [("a", "b")], ["ab", "b", "a"]),
    ("banana", [("a", "n"), ("an", "a"), ("b", "ana")], ["b", "an", "ana"]),
    # the same word once more, with another list
    ("lower", LOW[:3], ["low", "er"]),
    # x + yz gives the text of the merge xy + z, but it is another pair
    ("xyz", [("y", "z"), ("x", "y"), ("xy", "z")], ["x", "yz"]),
    ("Anna", [("n", "n"), ("A", "nn")], ["Ann", "a"]),
    (" a b ", [(" ", "a"), (" ", "b")], [" a", " b", " "]),
    ("a b", [("a", " ")], ["a ", "b"]),
    ("  a", [(" ", "a")], [" ", " a"]),
    ("na" * 15, [("n", "a")], ["na"] * 15),
    ("a|b_c\n-\t|", [("a", "|"), ("-", "\t")], ["a|", "b", "_", "c", "\n", "-\t", "|"]),
    ("\na\n", [("\n", "a")], ["\na", "\n"]),
    (r"\n\n", [("\\", "n")], [r"\n", r"\n"]),  # a backslash has a meaning in regular expressions
    ("née", [("n", "é")], ["né", "e"]),  # é has two bytes in UTF-8
)
UNUSED = "fghijkmpqtuv"  # letters in none of these cases
NEW_LETTERS = (
    "With other letters in place of these, which no earlier call had, your tokens are right. Possible cause:"
    " something is kept from call to call"
)
LETTERS = "".join(chr(0x100 + i) for i in range(120))  # 120 different letters, joined one after the other
CHAIN: Merges = [(LETTERS[:i], LETTERS[i]) for i in range(1, 120)]
SPECIAL = {  # why these tokens of a word are wrong
    (
        "ab",
        "c",
    ): "b + c was learned before a + b, so it is joined first, and a + b does not join a with a part of bc",
    ("abc", "d"): "c + d was learned before ab + c, so c is no longer free when ab + c has its turn",
    ("aaa", "aa"): "equal pairs are joined from left to right; a a a a a becomes aa aa a, and then aa aaa",
    ("lol",): "without merges a word is cut into its characters",
    ("xyz",): "x + yz is not in the list; it spells what xy + z spells, but it is another pair",
    (
        "lower",
    ): "low + er is not in this list; it was in that of an earlier call. Possible cause: something is kept"
    " from call to call",
    ("ab", "ba"): "b + a is not in the list; the first token of a pair stands first in the word",
}


def _quoted(token: str) -> str:
    """A token as a sentence shows it: in quotes if it holds a space or a sign that is not printed."""
    return token if token.isprintable() and " " not in token else repr(token)


def _shown(tokens: Sequence[str]) -> str:
    listed = list(tokens)
    return str(listed) if len(listed) < 13 else f"{str(listed[:6])[:-1]}, …], {len(listed)} in all"


def _some(lengths: list[int]) -> str:
    return str(lengths) if len(lengths) < 9 else f"{str(lengths[:8])[:-1]}, …]"


def judge(
    answered: object,
    word: str,
    merges: Merges,
    wanted: Sequence[str],
    why: Mapping[tuple[str, ...], str] = {},
) -> None:
    """Raise NotYet unless `answered` is the list `wanted`. `why` says of some wrong tokens what is wrong."""
    if not isinstance(answered, list | tuple) or not all(isinstance(token, str) for token in answered):
        raise NotYet(f"return a list of str, the tokens; yours is {kind_of(answered)}")
    found = list(answered)
    shown = ", ".join(" + ".join(map(_quoted, pair)) for pair in merges[:6])
    shown += ", …" if len(merges) > 6 else ""
    said = f"{word!r} with the merges {shown or '(none)'}"
    expect("".join(found) == word, f"{said}: your tokens {found} do not spell the word")
    reason = f": {why[tuple(found)]}" if tuple(found) in why else ""
    expect(found == list(wanted), f"{said} should give {_shown(wanted)}; yours is {_shown(found)}{reason}")


def in_new_letters(answer: Answer, word: str, merges: Merges, wanted: Sequence[str]) -> bool:
    """Whether the tokens are right if the letters are replaced by others, which no earlier call had."""
    letters = sorted(set(word).union(*map("".join, merges)))
    if len(letters) > len(UNUSED) or not all("a" <= letter <= "z" for letter in letters):
        return False
    table = str.maketrans("".join(letters), UNUSED[: len(letters)])
    found = answer(word.translate(table), [(a.translate(table), b.translate(table)) for a, b in merges])
    return isinstance(found, list | tuple) and list(found) == [token.translate(table) for token in wanted]


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Words cut by hand; arguments unchanged."""
    for word, merges, wanted in CASES:
        answered = answer(word, list(merges))
        try:
            judge(answered, word, merges, wanted, SPECIAL)
        except NotYet as wrong:
            if POSSIBLE not in str(wrong) and in_new_letters(answer, word, merges, wanted):
                raise NotYet(f"{wrong}. {NEW_LETTERS}") from None
            raise
    for word in (LETTERS, LETTERS[:70] + "." + LETTERS):
        parts = [word] if word == LETTERS else [LETTERS[:70], ".", LETTERS]
        found = answer(word, list(CHAIN))
        said = (
            f"a word of {len(word)} letters (Ā, ā, Ă, …), with {len(CHAIN)} merges, each of which joins one"
            " letter more"
        )
        if not isinstance(found, list | tuple) or not all(isinstance(token, str) for token in found):
            raise NotYet(f"{said}: return a list of str, the tokens; yours is {kind_of(found)}")
        expect("".join(found) == word, f"{said}: your tokens do not spell the word")
        lengths = [len(token) for token in found]
        expect(
            list(found) == parts,
            f"{said}, should give tokens of the lengths {[*map(len, parts)]}; yours have {_some(lengths)}",
        )
    leaves_alone(answer, ("word", "merges"), "lower", list(LOW))
    return right("your tokens are those of byte-pair encoding")


EXERCISE = Exercise(
    id="encode_bpe",
    title="Encode a word with given merges",
    order=1,
    points=3,
    difficulty=3,
    importance=4,
    minutes=20,
    source="ours, after Sennrich et al. 2016",
    hints=(
        (
            "Do it on paper first, with 'newer' and the five merges of the example: which adjacent pairs are"
            " there, and which of them was learned first?"
        ),
        (
            "Begin with the list of characters. As long as some adjacent pair is in the list of merges, take"
            " the pair that was learned first, and make a new list of tokens in which it is joined"
            " everywhere,"
            " from left to right."
        ),
        (
            "A dict from each pair to its place in `merges` gives the rank of a pair: min(pairs, key=…) finds"
            " the one to join. While you make the new list, move on by two places after a joined pair and by"
            " one otherwise."
        ),
    ),
    check=check,
)
