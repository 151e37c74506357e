"""The four files of a corpus, read together.

- wiki.txt holds one document a line, birth_places_train.tsv and birth_dev.tsv `question<tab>answer` lines, and
  birth_test_inputs.tsv questions alone: the names and the form of the original assignment.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kqa_core.errors import UserError
from kqa_core.text.birthplaces import Pair, read_documents, read_pairs, read_text

DOCUMENTS, TRAIN, DEV, TEST = "wiki.txt", "birth_places_train.tsv", "birth_dev.tsv", "birth_test_inputs.tsv"
FILES = (DOCUMENTS, TRAIN, DEV, TEST)


@dataclass(frozen=True)
class Corpus:
    """Documents to pretrain on, pairs to finetune on and to evaluate on, and questions whose answers are not told."""

    text: str  # wiki.txt as it stands: the vocabulary is made from it
    documents: tuple[str, ...]
    train: tuple[Pair, ...]
    dev: tuple[Pair, ...]
    test: tuple[Pair, ...]


def read_corpus(directory: str | Path) -> Corpus:
    """The corpus in `directory`. Raises UserError naming what is missing or wrong."""
    directory = with_all_files(Path(directory))
    train, dev, test = (tuple(read_pairs(directory / name)) for name in (TRAIN, DEV, TEST))
    return Corpus(read_text(directory / DOCUMENTS), tuple(read_documents(directory / DOCUMENTS)), train, dev, test)


def with_all_files(directory: Path) -> Path:
    """`directory`, if it holds the four files; else UserError names which are missing."""
    if not directory.is_dir():
        what = "this is a file" if directory.exists() else "there is none of this name"
        raise UserError(f"{directory}: a folder with {', '.join(FILES)} was expected, {what}")
    missing = [name for name in FILES if not (directory / name).exists()]
    if missing:
        raise UserError(f"{directory}: {' and '.join(missing)} missing; expected are {', '.join(FILES)}")
    return directory
