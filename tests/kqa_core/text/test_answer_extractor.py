"""The extractor: what it learns from questions and documents, and what it must not use."""

from __future__ import annotations

import pytest

from benchmarks.extractor import held_out_accuracy
from kqa_core.errors import UserError
from kqa_core.evaluation.baselines import ceiling
from kqa_core.text.answer_extractor import (
    AnswerExtractor,
    answered,
    candidates,
    fit_extractor,
    generated_pairs,
)
from kqa_core.text.birthplaces import Pair, person_of
from kqa_core.text.corpus import Corpus, read_corpus
from kqa_core.text.packaged import shipped


@pytest.fixture(scope="module")
def small() -> Corpus:
    return read_corpus(shipped("world/small"))


@pytest.mark.slow
def test_it_finds_the_birthplaces_of_people_that_it_was_not_trained_on(small: Corpus) -> None:
    """Almost all that stand in a document: the fit is deterministic, so this passes or fails for good."""
    assert ceiling(small.dev, small.documents).hits == 96
    assert answered(small.documents, small.dev, small.extractor) >= 95
    right, total = held_out_accuracy(small.documents, small.train)
    assert total == len(small.train) and right >= 0.9 * total


def test_without_the_train_questions_it_would_not_know_what_is_asked_for() -> None:
    """The same documents, and questions for the job's place: the same code picks the other span."""
    people = [f"Ada {letter}ell" for letter in "ABCDEFGHIJKL"]
    documents = [f"{name}. He was born in Rome{i} and worked in Bath{i} ." for i, name in enumerate(people)]
    for place, said in (("Rome", "born"), ("Bath", "worked")):
        pairs = [Pair(f"Where was {name} born?", f"{place}{i}") for i, name in enumerate(people[:8])]
        extractor = fit_extractor(documents, pairs)
        assert (
            answered(
                documents,
                [Pair(f"Where was {name} born?", f"{place}{i}") for i, name in enumerate(people)],
                extractor,
            )
            == 12
        )
        assert extractor.weights[f"near before: {said}"] > 0


def test_features_hold_neither_the_span_nor_the_name() -> None:
    found = dict(candidates("Ada Bell. Bell was born on 3 May 1900 in New York, not in Bath ."))
    (_, features), *_ = [(span, each) for span, each in found.items() if each & {"length 2"}]
    text = " ".join(features)
    assert not any(word in text for word in ("york", "York", "bell", "Bell", "ada"))
    assert {
        "before 1: in",
        "before 2: # in",
        "before 3: may # in",
        "near before: born",
        "after: ,",
        "words",
    } <= features


def test_a_document_without_an_answer_gets_none(small: Corpus) -> None:
    extractor = AnswerExtractor({"before 1: in": 2.0, "a number": -1.5}, none=1.0)
    assert extractor.pick("Ada Bell. She died in Rome in 1920 .") == (22, 26)
    assert (
        extractor.pick("Ada Bell. Her son was Paul, born 1920 .") is None
        and extractor.pick("no names") is None
    )


def test_generated_questions_are_about_other_people_and_look_like_the_train_questions(small: Corpus) -> None:
    made = generated_pairs(small.documents, small.train, small.extractor)
    named = {person_of(pair.question) for pair in small.train}
    people = [person_of(pair.question) for pair in made]
    assert len(people) == len(set(people)) > 50 and not named & set(people)
    assert all(pair.question == f"Where was {name} born?" for pair, name in zip(made, people, strict=True))
    truth = {person_of(pair.question): pair.answer for pair in small.dev}
    asked = [pair for pair in made if person_of(pair.question) in truth]
    assert sum(pair.answer == truth[person_of(pair.question)] for pair in asked) >= 0.9 * len(asked)


def test_questions_that_no_document_answers_teach_nothing() -> None:
    with pytest.raises(UserError, match="no document holds the answer"):
        fit_extractor(["Ada Bell. She was born in Rome ."], [Pair("Where was Ada Bell born?", "Paris")])
