"""A report on a corpus, its baselines and its knowledge ceiling, as rows (label, value)."""

from __future__ import annotations

import hashlib
import statistics
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from kqa_core.errors import UserError
from kqa_core.evaluation import baselines
from kqa_core.stats import Proportion
from kqa_core.text.birthplaces import Pair, person_of
from kqa_core.text.corpus import FILES, Corpus, read_corpus, read_text

BLOCK = 128
SHOWN = BLOCK * 7 // 8  # characters of a line that span corruption can show
TRUTH = "truth.tsv"


def describe(directory: str | Path) -> list[tuple[str, str]]:
    """The rows of the table for the corpus in `directory`. Raises UserError if it is not one."""
    corpus = read_corpus(directory)
    rows = [*_documents(corpus), *_pairs(corpus), *_bounds(corpus)]
    truth = Path(directory) / TRUTH
    if truth.exists():
        rows += _truth(truth)
    digest = hashlib.sha256(b"".join((Path(directory) / name).read_bytes() for name in FILES)).hexdigest()
    return [*rows, ("SHA-256 of the four files", digest[:12])]


def _documents(corpus: Corpus) -> list[tuple[str, str]]:
    lengths = [len(document) for document in corpus.documents]
    distinct = len(set(corpus.text))
    past = sum(length > SHOWN for length in lengths)
    return [
        ("documents", f"{len(lengths):,}"),
        ("characters", f"{sum(lengths) + len(lengths):,}, line feeds included"),
        ("vocabulary", f"{len(corpus.vocabulary)} ({distinct} distinct characters, □ and ⁇)"),
        ("characters a document", f"{min(lengths)} to {max(lengths)}, mean {statistics.mean(lengths):.1f}"),
        (
            f"documents over {SHOWN} characters",
            f"{past:,} ({100 * past / len(lengths):.1f} %): their ends are never shown in a block of {BLOCK}",
        ),
    ]


def _pairs(corpus: Corpus) -> list[tuple[str, str]]:
    places = Counter(pair.answer for pair in (*corpus.train, *corpus.dev))
    names = {person_of(pair.question) for pair in corpus.train}
    both = sum(person_of(pair.question) in names for pair in corpus.dev)
    longest = max(
        len(pair.question) + len(pair.answer or "") + 2 for pair in (*corpus.train, *corpus.dev, *corpus.test)
    )
    used = {
        letter
        for pair in (*corpus.train, *corpus.dev, *corpus.test)
        for letter in pair.question + (pair.answer or "")
    }
    unknown = " ".join(sorted(used - set(corpus.text)))
    return [
        (
            "characters that only questions have",
            f"{unknown}: not in the vocabulary of these documents" if unknown else "none",
        ),
        ("questions", f"{len(corpus.train):,} train, {len(corpus.dev):,} dev, {len(corpus.test):,} test"),
        ("longest question with its answer", f"{longest} characters, two ⁇ included"),
        ("distinct places", f"{len(places)} in train and dev"),
        ("dev names that train holds too", str(both)),
    ]


def _bounds(corpus: Corpus) -> list[tuple[str, str]]:
    train, dev = corpus.train, corpus.dev
    commonest = baselines.majority_place(train)
    return [
        ("dev: always London", str(baselines.constant(dev))),
        ("dev: train's majority", f"{commonest}, {baselines.constant(dev, commonest)}"),
        ("dev: name table", str(baselines.name_table(train, dev))),
        (
            "dev: ceiling",
            f"{baselines.ceiling(dev, corpus.documents)}: the answer is in the person's own line",
        ),
        (
            f"dev: ceiling, first {SHOWN} characters",
            str(baselines.ceiling(dev, corpus.documents, within=SHOWN)),
        ),
        ("train: ceiling", str(baselines.ceiling(train, corpus.documents))),
    ]


def _truth(path: Path) -> list[tuple[str, str]]:
    header, *people = [line.split("\t") for line in read_text(path).rstrip("\n").split("\n")]
    column = {name: index for index, name in enumerate(header)}
    missing = [name for name in ("name_region", "region", "exposures", "split", "seen") if name not in column]
    if missing or any(len(row) != len(header) for row in people):
        raise UserError(
            f"{path}: the columns of a world's truth.tsv were expected: make the world again with kqa data"
            " world"
        )
    exposures = Counter(int(row[column["exposures"]]) for row in people)
    agree = Proportion(
        sum(row[column["region"]] == row[column["name_region"]] for row in people), len(people)
    )
    unseen = Counter(row[column["split"]] for row in people if row[column["seen"]] == "no")
    never = ", ".join(f"{unseen[split]} of {split}" for split in ("train", "dev", "test"))
    return [
        (
            "people by lines that mention them",
            ", ".join(f"{lines}: {count}" for lines, count in sorted(exposures.items())),
        ),
        ("never mentioned", never),
        ("name and birthplace of one region", f"{100 * agree.value:.1f} % of all people"),
    ]


def baseline_rows(
    pairs: Sequence[Pair], train: Sequence[Pair] | None, documents: Sequence[str] | None
) -> list[tuple[str, str]]:
    """The rows of `kqa baseline`, as far as the given files allow."""
    reference = pairs if train is None else train
    commonest = baselines.majority_place(reference)
    rows = [
        ("always London", str(baselines.constant(pairs))),
        (
            "majority" if train is not None else "majority of these pairs",
            f"{commonest}, {baselines.constant(pairs, commonest)}",
        ),
    ]
    if train is not None:
        rows.append(("name table", str(baselines.name_table(train, pairs))))
    if documents is not None:
        rows.append(("ceiling", str(baselines.ceiling(pairs, documents))))
        rows.append(
            (f"ceiling, first {SHOWN} characters", str(baselines.ceiling(pairs, documents, within=SHOWN)))
        )
    return rows
