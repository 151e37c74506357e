"""Answer key of encode_bpe.

The lists of the hidden check are learned from random words, without joining two pairs to the same token. Then
a pass through the list, merge by merge, gives what joining the earliest pair again and again gives: a merge
that uses a token comes after the one merge that makes it.
"""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter

from course_exercises.encode_bpe import LOW, Merges, judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again


def _joined(tokens: list[str], a: str, b: str) -> list[str]:
    new: list[str] = []
    for token in tokens:
        if token == b and new and new[-1] == a:
            new[-1] = a + b
        else:
            new.append(token)
    return new


def _tokens(word: str, merges: Merges) -> list[str]:
    """The oracle: merge after merge. A joined token is longer than a, so it is not joined again."""
    tokens = list(word)
    for a, b in merges:
        tokens = _joined(tokens, a, b)
    return tokens


def learned(rng: random.Random, letters: str, words: int, count: int) -> tuple[list[str], Merges]:
    """Random words, and at most `count` merges learned from them."""
    text = ["".join(rng.choice(letters) for _ in range(rng.randint(2, 9))) for _ in range(words)]
    rows, merges, made = [list(word) for word in text], [], set(letters)
    for _ in range(count):
        pairs = Counter(pair for row in rows for pair in itertools.pairwise(row))
        new = [pair for pair in pairs if "".join(pair) not in made]
        if not new:
            break
        best = max(new, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        made.add("".join(best))
        rows = [_joined(row, *best) for row in rows]
    return text, merges


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Words of the text from which the merges were learned, and others."""
    kinds = (
        *(("ab", 12, 8), ("abc", 20, 15), ("lower nst", 30, 30), ("Ġäoé", 15, 20)),
        ("a\\.(*", 15, 15),  # signs with a meaning in regular expressions
    )
    for letters, words, count in kinds:
        text, merges = learned(rng, letters, words, count)
        new = ["".join(rng.choice(letters) for _ in range(rng.randint(1, 12))) for _ in range(6)]
        for word in (*text[:6], *new):
            judge(again(answer, word, list(merges)), word, merges, _tokens(word, merges))
    steady(answer, "slower", list(LOW))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Words of few letters, so that pairs compete."""
    calls: list[tuple[object, ...]] = [("slower", list(LOW)), ("aaaaa", [("a", "a"), ("aa", "a")])]
    calls.append(("abcd", [("c", "d"), ("a", "b"), ("ab", "c")]))
    calls.append(("abcabc", [("b", "c"), ("a", "b"), ("a", "bc")]))
    for letters in ("ab", "abc"):
        text, merges = learned(rng, letters, 12, 10)
        calls += [(word, list(merges)) for word in text[:3]]
    return calls


def encode_bpe(word, merges):
    """The reference."""
    rank = {tuple(pair): place for place, pair in enumerate(merges)}
    tokens = list(word)
    while True:
        pairs = [pair for pair in itertools.pairwise(tokens) if pair in rank]
        if not pairs:
            return tokens
        first, second = min(pairs, key=rank.__getitem__)
        joined, i = [], 0
        while i < len(tokens):
            if tokens[i : i + 2] == [first, second]:
                joined.append(first + second)
                i += 2
            else:
                joined.append(tokens[i])
                i += 1
        tokens = joined


def merge_after_merge(word, merges):
    """One pass through the list: a merge that uses a token comes after the one that makes it."""
    tokens = [*word]
    for a, b in merges:
        new: list[str] = []
        for token in tokens:
            if new and token == b and new[-1] == a:
                new[-1] += b
            else:
                new.append(token)
        tokens = new
    return tokens


def leftmost_each_time(word, merges):
    """Joins one place at a time, the leftmost one of the earliest pair."""
    tokens = list(word)
    order = [tuple(m) for m in merges]
    while len(tokens) > 1:
        ranks = [([*order, pair]).index(pair) for pair in itertools.pairwise(tokens)]
        best = min(ranks)
        if best == len(order):
            break
        at = ranks.index(best)
        tokens[at : at + 2] = [tokens[at] + tokens[at + 1]]
    return tokens


def recursive(word, merges):
    """Calls itself with the tokens."""

    def step(tokens):
        for a, b in merges:
            for i in range(len(tokens) - 1):
                if tokens[i] == a and tokens[i + 1] == b:
                    return step((*tokens[:i], a + b, *tokens[i + 2 :]))
        return tokens

    return list(step(tuple(word)))


def with_separators(word, merges):
    """A string with a separator between tokens, and a regular expression for each merge."""
    gap = "\x00"
    text = gap + gap.join(word) + gap
    for a, b in merges:
        pair = re.escape(f"{a}{gap}{b}")
        text = re.sub(f"(?<={gap}){pair}(?={gap})", (a + b).replace("\\", r"\\"), text)
    return text.strip(gap).split(gap)


def with_ends(word, merges):
    """Keeps the places at which tokens end."""
    cuts = list(range(len(word) + 1))
    for a, b in merges:
        i = 0
        while i + 2 < len(cuts):
            if word[cuts[i] : cuts[i + 1]] == a and word[cuts[i + 1] : cuts[i + 2]] == b:
                del cuts[i + 1]
            i += 1
    return [word[i:j] for i, j in itertools.pairwise(cuts)]


def with_a_stack(word, merges):
    """Sorted candidates, worked off one by one."""
    tokens, rank = list(word), {p: n for n, p in enumerate(map(tuple, merges))}
    candidates = sorted({rank[p] for p in itertools.pairwise(tokens) if p in rank})
    while candidates:
        a, b = merges[candidates[0]]
        i = 0
        while i < len(tokens) - 1:
            if (tokens[i], tokens[i + 1]) == (a, b):
                tokens = [*tokens[:i], a + b, *tokens[i + 2 :]]
            i += 1
        candidates = sorted({rank[p] for p in itertools.pairwise(tokens) if p in rank})
    return tokens


def longest_token_first(word, merges):
    """The tokens are the longest of the vocabulary at each place. Byte-pair encoding joins pairs in the order
    in which they were learned, and that can end elsewhere.
    """
    vocabulary = {a + b for a, b in merges} | set(word)
    tokens, i = [], 0
    while i < len(word):
        end = max(j for j in range(i + 1, len(word) + 1) if word[i:j] in vocabulary)
        tokens.append(word[i:end])
        i = end
    return tokens


def first_in_the_word(word, merges):
    """You join the first pair of the word that is in the list. Of all pairs in the word, join the one that
    was learned first.
    """
    tokens, pairs = list(word), {tuple(m) for m in merges}
    i = 0
    while i < len(tokens) - 1:
        if (tokens[i], tokens[i + 1]) in pairs:
            tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
            i = 0
        else:
            i += 1
    return tokens


def last_learned_first(word, merges):
    """You join the pair that was learned last. Join the one that was learned first."""
    rank = {tuple(m): n for n, m in enumerate(merges)}
    tokens = list(word)
    while True:
        pairs = [p for p in itertools.pairwise(tokens) if p in rank]
        if not pairs:
            return tokens
        a, b = max(pairs, key=rank.__getitem__)
        at = next(i for i in range(len(tokens) - 1) if (tokens[i], tokens[i + 1]) == (a, b))
        tokens[at : at + 2] = [a + b]


def one_place_only(word, merges):
    """Each merge is made at one place only. A pair that occurs several times is joined everywhere."""
    tokens = list(word)
    for a, b in merges:
        for i in range(len(tokens) - 1):
            if tokens[i] == a and tokens[i + 1] == b:
                tokens[i : i + 2] = [a + b]
                break
    return tokens


def one_round(word, merges):
    """Only one merge is made, that of the earliest pair. Go on until no pair of the list is left."""
    rank = {tuple(m): n for n, m in enumerate(merges)}
    tokens = list(word)
    pairs = [p for p in itertools.pairwise(tokens) if p in rank]
    a, b = min(pairs, key=rank.__getitem__, default=("", ""))
    for i in range(len(tokens) - 1):
        if tokens[i : i + 2] == [a, b]:
            tokens[i : i + 2] = [a + b]
    return tokens


def from_the_right(word, merges):
    """You join equal pairs from right to left, so a a a becomes a aa. Join them from left to right."""
    tokens = list(word)
    for a, b in merges:
        i = len(tokens) - 2
        while i >= 0:
            if tokens[i : i + 2] == [a, b]:
                tokens[i : i + 2] = [a + b]
                i -= 1
            i -= 1
    return tokens


def characters(word, merges):
    """You return the characters of the word. Join pairs of them as the list of merges says."""
    return list(word)


def overlapping(word, merges):
    """A character is in two tokens: after a joined pair, go on behind both of its parts."""
    tokens = list(word)
    for a, b in merges:
        new = []
        for i, token in enumerate(tokens):
            if tokens[i : i + 2] == [a, b]:
                new.append(a + b)
            elif not (i and tokens[i - 1 : i + 1] == [a, b] and a != b):
                new.append(token)
        tokens = new
    return tokens


def text_replaced(word, merges):
    """The pair is found as text, also in parts of tokens. A token that ends with a is not a: compare whole
    tokens.
    """
    tokens = list(word)
    for a, b in merges:
        i = 0
        while i < len(tokens) - 1:
            if tokens[i].endswith(a) and tokens[i + 1].startswith(b):
                tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
            else:
                i += 1
    return tokens


def joined_text(word, merges):
    """You return one text with spaces between the tokens. Return a list of tokens."""
    tokens = list(word)
    for a, b in merges:
        i = 0
        while i < len(tokens) - 1:
            if tokens[i : i + 2] == [a, b]:
                tokens[i : i + 2] = [a + b]
            i += 1
    return " ".join(tokens)


def whole_word(word, merges):
    """Your result is the word as one token if the vocabulary has it, and its characters otherwise. Words in
    between have tokens of several characters.
    """
    return [word] if word in {a + b for a, b in merges} else list(word)


def used_up(word, merges):
    """Your result is right, but your code changes merges in place. Other cells still need it as it was: make
    a new object
    """
    tokens = list(word)
    while merges:
        a, b = merges.pop(0)
        i = 0
        while i < len(tokens) - 1:
            if tokens[i : i + 2] == [a, b]:
                tokens[i : i + 2] = [a + b]
            i += 1
    return tokens


KEY = AnswerKey(
    id="encode_bpe",
    hidden=hidden,
    reference=encode_bpe,
    accepted=(merge_after_merge, leftmost_each_time, recursive, with_separators, with_ends, with_a_stack),
    rejected=(
        *(longest_token_first, first_in_the_word, last_learned_first, one_place_only, one_round),
        *(from_the_right, characters, overlapping, text_replaced, joined_text, whole_word, used_up),
    ),
    fingerprint=fingerprint,
    commentary="""
The order of the merges decides, not the order in the word and not the length of the tokens. So the earliest
pair in the list is joined first, everywhere in the word, and the new tokens can be part of later merges.

One pass through the whole list gives the same result: a merge that uses a token can only come after the merge
that makes it. With 48,900 merges this takes longer than looking up the few pairs of a word.

The commonest mistake is to take the longest token of the vocabulary at each place. Often that gives the same
tokens, but not always.
""",
)
