"""The four files of a corpus, each read once.

- wiki.txt holds one document a line, birth_places_train.tsv and birth_dev.tsv `question<tab>answer` lines,
  and birth_test_inputs.tsv questions alone: the names and the form of the original assignment.
- A training run needs the first two, which may have any names: `training_corpus`.
- Differences between machines are accepted (CRLF, a byte-order mark, no line feed at the end). For anything
  else that is wrong, the error names the line.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from kqa_core.errors import UserError
from kqa_core.text.answer_extractor import AnswerExtractor, fit_extractor
from kqa_core.text.birthplaces import Pair, pairs_of
from kqa_core.text.vocabulary import Vocabulary

DOCUMENTS, TRAIN, DEV, TEST = "wiki.txt", "birth_places_train.tsv", "birth_dev.tsv", "birth_test_inputs.tsv"
FILES = (DOCUMENTS, TRAIN, DEV, TEST)


@dataclass(frozen=True)
class Corpus:
    """Documents to pretrain on, pairs to finetune on and to evaluate on, and questions without answers."""

    path: str  # of the documents, for messages
    text: str  # of that file
    documents: tuple[str, ...]
    vocabulary: Vocabulary  # of the text
    train: tuple[Pair, ...] = ()
    dev: tuple[Pair, ...] = ()
    test: tuple[Pair, ...] = ()
    documents_sha256: str = ""
    train_sha256: str = ""  # empty where no train pairs were read

    @cached_property
    def extractor(self) -> AnswerExtractor:
        """Finds the answer's span in a document, fitted to the train pairs. Raises UserError if none fits."""
        return fit_extractor(self.documents, self.train)


def training_corpus(documents: str | Path, train: str | Path | None = None) -> Corpus:
    """The corpus of two files, or of documents alone. Raises UserError naming what is missing or wrong."""
    data = read_bytes(documents)
    text = text_of(data, str(documents))
    questions = b"" if train is None else read_bytes(train)
    return Corpus(
        path=str(documents),
        text=text,
        documents=tuple(documents_of(text, str(documents))),
        vocabulary=Vocabulary.from_text(text),
        train=() if train is None else tuple(pairs_of(text_of(questions, str(train)), str(train))),
        documents_sha256=hashlib.sha256(data).hexdigest(),
        train_sha256="" if train is None else hashlib.sha256(questions).hexdigest(),
    )


def read_corpus(directory: str | Path) -> Corpus:
    """The corpus in `directory`. Raises UserError naming what is missing or wrong."""
    directory = with_all_files(Path(directory))
    dev, test = (tuple(read_pairs(directory / name)) for name in (DEV, TEST))
    return replace(training_corpus(directory / DOCUMENTS, directory / TRAIN), dev=dev, test=test)


def with_all_files(directory: Path) -> Path:
    """`directory`, if it holds the four files; else UserError names which are missing."""
    if not directory.is_dir():
        what = "this is a file" if directory.exists() else "there is none of this name"
        raise UserError(f"{directory}: a folder with {', '.join(FILES)} was expected, {what}")
    missing = [name for name in FILES if not (directory / name).exists()]
    if missing:
        raise UserError(f"{directory}: {' and '.join(missing)} missing; expected are {', '.join(FILES)}")
    return directory


def read_text(path: str | Path) -> str:
    """The text of a UTF-8 file, with line feeds, no byte-order mark. Raises UserError if unreadable."""
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
    """The text of UTF-8 `data`, line ends and byte-order mark normalised; `name` is for messages."""
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
    """The documents of a corpus, one a line. Raises UserError for an unreadable file, or without any."""
    return documents_of(read_text(path), str(path))


def documents_of(text: str, name: str) -> list[str]:
    """The documents in `text`, one a line. Raises UserError if there is none, of the file `name`."""
    documents = text.split("\n")
    if documents[-1] == "":
        documents.pop()
    if not any(documents):
        raise UserError(f"{name}: one document a line was expected, the file holds none")
    return documents


def read_pairs(path: str | Path) -> list[Pair]:
    """The pairs of a TSV file, all with answers or without. Raises UserError naming a line that differs."""
    return pairs_of(read_text(path), str(path))
