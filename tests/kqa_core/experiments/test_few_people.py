"""The short pretraining of notebook 09: its world, and its way to score answers without generating them."""

import pytest
import torch

from kqa_core.evaluation.evaluate import evaluate
from kqa_core.experiments.few_people import PEOPLE, answers_right, few_people_corpus, train_few

pytestmark = pytest.mark.usefixtures("one_thread")


def test_every_person_of_the_questions_is_in_three_documents():
    corpus = few_people_corpus()
    assert (len(corpus.train), len(corpus.dev)) == (PEOPLE.train, PEOPLE.dev)
    for pair in (*corpus.train, *corpus.dev):
        name = pair.question.removeprefix("Where was ").removesuffix(" born?")
        lines = [line for line in corpus.documents if line.startswith(f"{name}. ")]
        assert len(lines) == 3 and all(str(pair.answer) in line for line in lines)


@pytest.mark.slow
def test_answers_are_scored_as_if_they_were_generated():
    corpus = few_people_corpus()
    trained = train_few("vanilla", corpus, seed=0, steps=40, show=False)
    pairs = (*corpus.train, *corpus.dev)
    right = answers_right(trained, pairs)
    generated = evaluate(trained.model, trained.vocabulary, pairs).predictions
    assert right.tolist() == [found == pair.answer for found, pair in zip(generated, pairs, strict=True)]
    assert right.dtype is torch.bool and right.any()
