"""Facts about people that questions can ask for, besides the birthplace, and who is asked.

The answers are read off the documents by a rule, one rule for each relation. So only people are asked whose
text states the answer.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks._cloze_forms import Forms, cloze_question
from kqa_core.errors import UserError
from kqa_core.text.answer_extractor import answered, fit_extractor, name_of
from kqa_core.text.birthplaces import Pair, person_of
from kqa_core.text.corpus import Corpus
from kqa_core.text.salient_spans import Span, salient_spans, title_length
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.text.world import templates
from kqa_core.text.world.generator import TRUTH

YEAR = re.compile(r"\((?:born )?[^()]*?\b(1\d{3}|20\d\d)\b|\bborn\b[^.()]*?\b(1\d{3}|20\d\d)\b")
JOB = re.compile(rf"\b({'|'.join(templates.JOBS)})\b")


@dataclass(frozen=True)
class Relation:
    """A fact about people: how it is asked for, and the rule that finds it in a document."""

    question: str
    rule: Callable[[str], str | None] | None = None  # None: the corpus has the questions


def year_of(document: str) -> str | None:
    """The year of birth that a document states, in its brackets or after the word born; None if it has
    none.
    """
    found = YEAR.search(document)
    return None if found is None else found[1] or found[2]


def job_of(document: str) -> str | None:
    """The first job of an invented world in a document; None if it has none."""
    found = JOB.search(document)
    return None if found is None else found[1]


RELATIONS = {
    "place": Relation(templates.QUESTION),
    "year": Relation("When was {name} born?", year_of),
    "job": Relation("What did {name} do?", job_of),
}


def pairs_of_relation(corpus: Corpus, name: str, split: Sequence[Pair]) -> tuple[Pair, ...]:
    """The questions of a relation about the people of `split` whose text states the answer."""
    relation = RELATIONS[name]
    if relation.rule is None:
        return tuple(split)
    stated: dict[str, Counter[str]] = {}
    for document in corpus.documents:
        answer = relation.rule(document)
        if answer is not None:
            stated.setdefault(name_of(document), Counter())[answer] += 1
    people = [person_of(pair.question) for pair in split]
    return tuple(
        Pair(relation.question.format(name=person), stated[person].most_common(1)[0][0])
        for person in people
        if person in stated
    )


def with_test_people(corpus: Corpus, folder: Path) -> Corpus:
    """The corpus with the test people of an invented world in place of the dev people."""
    path = folder / "truth.tsv"
    if not path.is_file():
        raise UserError(f"relations: --test needs {path.name}, which invented worlds have; {folder} has none")
    head, *lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    place = dict.fromkeys(TRUTH) | {name: head.index(name) for name in TRUTH}
    people = [line for line in lines if line[place["split"]] == "test"]
    question = templates.QUESTION
    test = (Pair(question.format(name=p[place["person"]]), p[place["place"]]) for p in people)
    return replace(corpus, dev=tuple(test))


def part_of(corpus: Corpus, share: float) -> Corpus:
    """The corpus of a share of the people: their documents, and the train and dev questions about them.

    The same people are drawn each time, and a smaller share is a part of a larger one. The vocabulary stays
    that of all documents.
    """
    names = sorted({name_of(document) for document in corpus.documents})
    random.Random("people").shuffle(names)
    drawn = set(names[: max(1, round(share * len(names)))])
    documents = tuple(document for document in corpus.documents if name_of(document) in drawn)
    text = "\n".join(documents)
    train, dev = (
        tuple(pair for pair in split if person_of(pair.question) in drawn)
        for split in (corpus.train, corpus.dev)
    )
    return replace(
        corpus,
        text=text,
        documents=documents,
        train=train,
        dev=dev,
        documents_sha256=hashlib.sha256(text.encode()).hexdigest(),
        train_sha256=digest_of_pairs(train),
    )


def exposures(corpus: Corpus, rows: float) -> float:
    """How often `rows` rows mask the whole answer of a dev question in a document about its person, on
    average over the questions.

    A row draws a document and then one of its salient spans, all equally likely. This is the expected
    number; it is not counted in batches.
    """
    answers = {_name(pair): pair.answer for pair in corpus.dev}
    share = 0.0
    for document in corpus.documents:
        answer, spans = answers.get(name_of(document)), salient_spans(document)
        if answer is not None and spans:
            share += sum(answer in document[slice(*span)] for span in spans) / len(spans)
    return rows * share / len(corpus.documents) / len(corpus.dev)


def in_own_words(corpus: Corpus, width: int, forms: Forms | None) -> tuple[Pair, ...]:
    """The dev questions as pretraining asks for their answers, with as many words as it has at most and all
    in their order: a cloze question with `forms`, else a salient row up to the ⁇ before its span.

    Asked about are the people who have a document with the answer as a salient span; the first of these
    documents is used.
    """
    answers = {_name(pair): pair.answer for pair in corpus.dev}
    pairs = []
    for document in corpus.documents:
        answer = answers.get(name_of(document))
        spans = [span for span in salient_spans(document) if document[slice(*span)] == answer]
        if answer is not None and spans:
            del answers[name_of(document)]
            if forms is None:
                asked = salient_row(document, spans[0], width)
            else:
                plain = replace(forms, drop=0.0, moves=1.0)
                asked = cloze_question(document, spans[0], plain, random.Random(document))
            pairs.append(Pair(asked, answer))
    return tuple(pairs)


def salient_row(document: str, span: Span, width: int) -> str:
    """A row of pretraining up to the ⁇ before `span`, with the nearest words that fit into `width`.

    >>> salient_row("Ada Bell. Bell was born in Oslo in 1920 .", (27, 31), 40)
    'Ada Bell. was born in ⁇ in 1920 .'
    """
    title, (start, end) = document[: title_length(document)], span
    before, after = document[len(title) : start].split(" "), document[end:].split(" ")
    room = width - len(title) - (end - start) - 3
    while sum(sizes := [len(" ".join(words)) for words in (before, after)]) > max(room, 0):
        far = before if sizes[0] > sizes[1] else after
        far.pop(0 if far is before else -1)
    return f"{title}{' '.join(before)}{Vocabulary.MASK}{' '.join(after)}"


def digest_of_pairs(pairs: Sequence[Pair]) -> str:
    """The SHA-256 of questions and their answers."""
    return hashlib.sha256(json.dumps([list(pair) for pair in pairs]).encode()).hexdigest()


def asking(corpus: Corpus, name: str) -> Corpus:
    """The corpus with the train and dev questions of a relation. Raises UserError if it states none."""
    train, dev = (pairs_of_relation(corpus, name, split) for split in (corpus.train, corpus.dev))
    if not train or not dev:
        raise UserError(f"relations: {corpus.path} states no answer to {RELATIONS[name].question!r}")
    return replace(corpus, train=train, dev=dev, train_sha256=digest_of_pairs(train))


def open_book(corpus: Corpus, asked: Corpus) -> tuple[int, int] | None:
    """How many dev questions of a relation the extractor answers, fitted on its train questions;
    None if it cannot pick such answers.
    """
    named = [
        [Pair(templates.QUESTION.format(name=_name(pair)), pair.answer) for pair in split]
        for split in (asked.train, asked.dev)
    ]
    try:
        extractor = fit_extractor(corpus.documents, named[0])
    except UserError:
        return None
    return answered(corpus.documents, named[1], extractor), len(named[1])


def _name(pair: Pair) -> str:
    """The person of a question of any relation."""
    for relation in RELATIONS.values():
        before, after = relation.question.split("{name}")
        if pair.question.startswith(before) and pair.question.endswith(after):
            return pair.question[len(before) : -len(after)]
    return pair.question
