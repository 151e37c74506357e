"""Questions about birthplaces, and the documents that answer them.

- The files have the original assignment's format: lines `Where was NAME born?<tab>Place` (without tab and
  place in a test set), and one document a line in wiki.txt.
- Differences between machines are accepted (CRLF, a byte-order mark, no line feed at the end). For anything
  else that is wrong, the error names the line.
- `NameDataset` has exactly the layout of the assignment, with one exception: the original removes characters
  outside ASCII from training pairs (and not in evaluation); here they are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from torch.utils.data import TensorDataset

from kqa_core.errors import UserError
from kqa_core.text.vocabulary import Vocabulary

QUESTION = ("Where was ", " born?")  # the text before and after the name


class Pair(NamedTuple):
    """A question and its answer; None if the file has no answers (a test set)."""

    question: str
    answer: str | None


def read_text(path: str | Path) -> str:
    """The text of a UTF-8 file, with line feeds and without byte-order mark. Raises UserError for a file that
    cannot be read.
    """
    return text_of(read_bytes(path), str(path))


def read_bytes(path: str | Path) -> bytes:
    """The contents of a file. Raises UserError if it cannot be read."""
    path = Path(path)
    if path.is_dir():
        raise UserError(f"{path}: a text file was expected, this is a directory: give the file inside it")
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise UserError(f"{path}: no such file: check the path (it is read from {Path.cwd()} on)") from None
    except OSError as error:
        raise UserError(f"{path}: could not be read ({error.strerror}): check its permissions") from None


def text_of(data: bytes, name: str) -> str:
    """The text of UTF-8 `data`, line ends and byte-order mark normalised; `name` is its name in error
    messages.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise UserError(f"{name}: UTF-8 was expected, this is UTF-16: save it as UTF-8") from None
        line = data.count(b"\n", 0, error.start) + 1
        where = f"byte {error.start} (0x{data[error.start]:02x}, line {line})"
        raise UserError(f"{name}: UTF-8 was expected, but {where} is not: save the file as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_documents(path: str | Path) -> list[str]:
    """The documents of a corpus, one a line. Raises UserError for a file that cannot be read or holds
    none.
    """
    return documents_of(read_text(path), str(path))


def documents_of(text: str, name: str) -> list[str]:
    """The documents in `text`, one a line; a final line feed adds none. Raises UserError for none; `name` is
    for its message.
    """
    documents = text.split("\n")
    if documents[-1] == "":
        documents.pop()
    if not any(documents):
        raise UserError(f"{name}: one document a line was expected, the file holds none")
    return documents


def read_pairs(path: str | Path) -> list[Pair]:
    """The pairs of a TSV file, all with answers or all without. Raises UserError naming the first line that
    differs.
    """
    return pairs_of(read_text(path), str(path))


def pairs_of(text: str, name: str, answered: bool | None = None) -> list[Pair]:
    """The pairs in `text`, all with answers or all without, as `answered` says; if it is None, the first line
    decides.

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
    """Birthplace pairs for finetuning: item i is (x, y), two int64 tensors (block_size − 1,), as from
    `encode_pair`.
    """

    def __init__(self, pairs: Sequence[Pair], vocabulary: Vocabulary, block_size: int) -> None:
        super().__init__(*encode_pairs(pairs, vocabulary, block_size))
