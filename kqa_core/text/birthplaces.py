"""Questions about birthplaces, and the documents that answer them.

- A text of pairs has the original assignment's format: lines `Where was NAME born?<tab>Place` (without tab
  and place in a test set). The error for anything else names the line; `kqa_core.text.corpus` reads files.
- `NameDataset` has exactly the layout of the assignment, with one exception: the original removes characters
  outside ASCII from training pairs (and not in evaluation); here they are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.utils.data import TensorDataset

from kqa_core.errors import UserError
from kqa_core.text.vocabulary import Vocabulary

QUESTION = ("Where was ", " born?")  # the text before and after the name


class Pair(NamedTuple):
    """A question and its answer; None if the file has no answers (a test set).

    >>> Pair("Where was Ada born?", "London").answer
    'London'
    """

    question: str
    answer: str | None


def pairs_of(text: str, name: str, answered: bool | None = None) -> list[Pair]:
    """The pairs in `text`, all with answers or all without: as `answered` says, or else the first line.

    `name` is the text's name in error messages. Raises UserError naming the first line that differs.
    """
    lines = text.rstrip("\n").split("\n")
    if lines == [""]:
        raise UserError(f"{name}: a question a line was expected, the file is empty")
    if answered is None:
        answered = "\t" in lines[0]
    return [_pair(line, f"{name}, line {number}", answered) for number, line in enumerate(lines, 1)]


def _pair(line: str, where: str, answered: bool) -> Pair:
    fields = line.split("\t")
    tabs = len(fields) - 1
    if not line.strip():
        raise UserError(f"{where}: a question was expected, the line is empty: remove it")
    if answered and tabs != 1:
        raise UserError(f"{where}: one tab was expected, between question and answer; there are {tabs}")
    if not answered and tabs:
        raise UserError(
            f"{where}: a question without answer was expected, as in the lines before; there are {tabs} tabs"
        )
    if not fields[0].strip():
        raise UserError(f"{where}: a question was expected before the tab, there is none")
    if answered and not fields[1].strip():
        raise UserError(f"{where}: an answer was expected after the tab, there is none")
    if (
        fields[0].startswith(QUESTION[0].rstrip())
        and fields[0].endswith(QUESTION[1].lstrip())
        and not person_of(fields[0])
    ):
        raise UserError(f"{where}: a name was expected in {fields[0]!r}, there is none")
    return Pair(fields[0], fields[1] if answered else None)


def person_of(question: str) -> str:
    """The name in `Where was NAME born?`; the whole question if it has another form."""
    before, after = QUESTION
    if question.startswith(before.rstrip()) and question.endswith(after.lstrip()):
        return question[len(before.rstrip()) : -len(after.lstrip())].strip()
    return question


def encode_pair(pair: Pair, vocabulary: Vocabulary, block_size: int) -> tuple[list[int], list[int]]:
    """x and y of one pair, each `block_size` − 1 long.

    The row is  question ⁇ answer ⁇ □ … □.  x is the row without its last character. y is the row shifted by
    one, with □ at the question's characters, which the loss ignores. So the first prediction target is the ⁇
    after the question. Raises UserError for a pair without answer, or one longer than the block.

    >>> vocabulary = Vocabulary.from_text("Who?me")
    >>> x, y = encode_pair(Pair("Who?", "me"), vocabulary, block_size=10)
    >>> vocabulary.decode(x), vocabulary.decode(y)
    ('Who?⁇me⁇□', '□□□⁇me⁇□□')
    """
    if pair.answer is None:
        raise UserError(f"{pair.question!r} has no answer to learn from: finetune on a file with answers")
    row = pair.question + vocabulary.MASK + pair.answer + vocabulary.MASK
    if len(row) > block_size:
        raise UserError(
            f"{pair.question!r} with its answer takes {len(row)} characters, the block holds {block_size}:"
            " use a longer block"
        )
    codes = vocabulary.encode(row) + [vocabulary.pad_index] * (block_size - len(row))  # (block_size,)
    ignored = len(pair.question) - 1  # y[t] = row[t + 1] is part of the question for t < ignored
    return codes[:-1], [vocabulary.pad_index] * ignored + codes[ignored + 1 :]


def encode_pairs(pairs: Sequence[Pair], vocabulary: Vocabulary, block_size: int) -> tuple[Tensor, Tensor]:
    """x and y of all pairs: two int64 tensors (number of pairs, block_size − 1)."""
    rows = [encode_pair(pair, vocabulary, block_size) for pair in pairs]
    shape = (len(rows), block_size - 1)
    x = torch.tensor([row[0] for row in rows], dtype=torch.int64).reshape(shape)
    return x, torch.tensor([row[1] for row in rows], dtype=torch.int64).reshape(shape)


class NameDataset(TensorDataset):
    """Birthplace pairs for finetuning: item i is (x, y), int64 (block_size − 1,) each, as `encode_pair`.

    >>> vocabulary = Vocabulary.from_text("Who?me")
    >>> x, y = NameDataset([Pair("Who?", "me")], vocabulary, block_size=10)[0]
    >>> vocabulary.decode(x)
    'Who?⁇me⁇□'
    """

    def __init__(self, pairs: Sequence[Pair], vocabulary: Vocabulary, block_size: int) -> None:
        super().__init__(*encode_pairs(pairs, vocabulary, block_size))
