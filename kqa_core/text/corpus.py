"""The four files of a corpus, each read once.

- wiki.txt holds one document a line, birth_places_train.tsv and birth_dev.tsv `question<tab>answer` lines,
  and birth_test_inputs.tsv questions alone: the names and the form of the original assignment.
- A training run needs the first two, which may have any names: `training_corpus`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from kqa_core.errors import UserError
from kqa_core.text.answer_extractor import AnswerExtractor, fit_extractor
from kqa_core.text.birthplaces import Pair, documents_of, pairs_of, read_bytes, read_pairs, text_of
from kqa_core.text.vocabulary import Vocabulary

DOCUMENTS, TRAIN, DEV, TEST = "wiki.txt", "birth_places_train.tsv", "birth_dev.tsv", "birth_test_inputs.tsv"
FILES = (DOCUMENTS, TRAIN, DEV, TEST)


@dataclass(frozen=True)
class Corpus:
    """Documents to pretrain on, pairs to finetune on and to evaluate on, and questions without answers."""

    path: str  # of the documents, for messages
    text: str  # of that file: the vocabulary is made from it
    documents: tuple[str, ...]
    train: tuple[Pair, ...] = ()
    dev: tuple[Pair, ...] = ()
    test: tuple[Pair, ...] = ()
    documents_sha256: str = ""
    train_sha256: str = ""  # empty where no train pairs were read

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The characters of the documents, □ and ⁇. Raises UserError where the text holds □ or ⁇."""
        return Vocabulary.from_text(self.text)

    @cached_property
    def extractor(self) -> AnswerExtractor:
        """Learned from the train pairs: which span of a document answers its question. Raises UserError if
        none does.
        """
        return fit_extractor(self.documents, self.train)


def training_corpus(documents: str | Path, train: str | Path | None = None) -> Corpus:
    """The corpus of two files, or of the documents alone. Raises UserError naming what is missing or
    wrong.
    """
    data = read_bytes(documents)
    text = text_of(data, str(documents))
    questions = b"" if train is None else read_bytes(train)
    return Corpus(
        path=str(documents),
        text=text,
        documents=tuple(documents_of(text, str(documents))),
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
