"""The street stories need far words, the runs learn them, and the recorded table says what notebook 05 says
of it. And the corpus of few people, from which notebook 09 pretrains.
"""

import math
import random
from dataclasses import replace

import pytest
import torch

from kqa_core.errors import UserError
from kqa_core.evaluation.evaluate import evaluate
from kqa_core.evaluation.probes import reads_the_future
from kqa_core.experiments.few_people import PEOPLE, answers_right, few_people_corpus, train_few
from kqa_core.experiments.mini_transformer import LINE, lab_model
from kqa_core.experiments.results import recorded_lab
from kqa_core.experiments.street_stories import (
    LONG,
    QUESTION,
    SHORT,
    STATES,
    STREET_MEASURED,
    STREET_PLAIN,
    STREET_ROWS,
    answer_loss,
    measure_street,
    story,
    street_text,
    train_street,
)
from kqa_core.stats import paired


@pytest.fixture(scope="module")
def text():
    return street_text()


@pytest.mark.parametrize("length", [SHORT, LONG])
def test_a_story_ends_with_the_question_and_the_state_mentioned_last(length):
    rng = random.Random(1)
    for _ in range(200):
        words = story(rng, length)
        mentioned = [word for word in words[:-1] if word in STATES]
        assert len(words) == length and tuple(words[-10:-1]) == QUESTION
        assert words[-1] == mentioned[-1] and 1 <= len(set(mentioned)) == len(mentioned) <= 3


def test_the_last_ten_words_before_the_answer_are_the_same_in_every_story(text):
    for stories in (text.train, text.short, text.long):
        assert (stories[:, -11:-1] == stories[0, -11:-1]).all()


def test_every_state_is_the_answer_about_equally_often(text):
    counts = text.train[:, -1].bincount()
    found = counts[counts > 0] / len(text.train)
    assert len(found) == len(STATES) and ((found - 1 / 8).abs() < 0.03).all()


def test_changed_stories_mention_more_than_one_state(text):
    for each in text.changed[:20]:
        assert len({word for word in text.read(each).split()[:-1] if word in STATES}) > 1
    assert 0 < len(text.changed) < len(text.short)


def test_the_filler_in_front_is_not_read_aloud(text):
    assert LINE not in text.read(text.long[0]) and text.read(text.long[0]).startswith("the animal was")


def test_the_stories_are_the_same_each_time_and_new_ones_are_not_those_of_training(text):
    assert torch.equal(text.train, street_text().train)
    known = {tuple(each.tolist()) for each in text.train}
    assert sum(tuple(each.tolist()) in known for each in text.short) < 0.02 * len(text.short)


@pytest.mark.slow
def test_a_run_is_a_function_of_its_row_and_its_seed_and_reports_each_step(text):
    seen = []
    runs = [
        train_street(text, STREET_PLAIN, seed, steps=3, watch=lambda *each: seen.append(each))
        for seed in (0, 0, 1)
    ]
    same, other = (
        [torch.equal(a, b) for a, b in zip(runs[0].parameters(), run.parameters(), strict=True)]
        for run in runs[1:]
    )
    assert all(same) and not all(other)
    assert [step for step, _ in seen] == [1, 2, 3] * 3 and all(math.isfinite(loss) for _, loss in seen)


@pytest.mark.slow
def test_a_model_that_knows_nothing_guesses_among_all_words_and_training_beats_eight_states(text):
    fresh = lab_model(len(text.vocabulary), STREET_PLAIN, 0).eval()
    assert math.exp(answer_loss(fresh, text.short)) == pytest.approx(len(text.vocabulary), rel=0.1)
    assert measure_street(train_street(text, replace(STREET_PLAIN, n_layer=1), 0, steps=100), text)[
        "short"
    ] < math.log(4)


def test_a_story_that_is_too_long_is_refused_in_one_line(text):
    with pytest.raises(UserError, match="at most 97 words, these have 98"):
        answer_loss(lab_model(len(text.vocabulary), STREET_PLAIN, 0), torch.ones(2, 98, dtype=torch.long))


@pytest.mark.parametrize("name", STREET_ROWS)
def test_only_the_reweighted_row_reads_the_future(name):
    model = lab_model(30, STREET_ROWS[name], seed=0).double().eval()
    tokens = torch.randint(1, 30, (2, 7), generator=torch.Generator().manual_seed(1))
    assert reads_the_future(model, tokens) is (name == "norm-reweight")


def test_the_recorded_table_shows_what_the_notebook_says_of_it():
    results = recorded_lab(name="street")
    assert results.seeds >= 3 and set(results.losses) == set(STREET_ROWS)
    for row in STREET_ROWS:
        assert set(results.losses[row]) == set(STREET_MEASURED)
    losses = results.losses
    assert max(losses["rotary"]["short"] + losses["learned"]["short"]) < 0.1  # both solve it
    assert (
        min(losses["rotary"]["long"]) > math.log(200)
        and paired(losses["rotary"]["long"], losses["learned"]["long"]) < 0.05
    )
    assert paired(losses["none"]["changed"], losses["learned"]["changed"]) > 0.05
    assert paired(losses["none"]["long"], losses["learned"]["long"]) < 0.05
    assert min(losses["none"]["changed"]) > max(losses["learned"]["changed"])


@pytest.mark.usefixtures("one_thread")
def test_every_person_of_the_questions_is_in_three_documents():
    corpus = few_people_corpus()
    assert (len(corpus.train), len(corpus.dev)) == (PEOPLE.train, PEOPLE.dev)
    for pair in (*corpus.train, *corpus.dev):
        name = pair.question.removeprefix("Where was ").removesuffix(" born?")
        lines = [line for line in corpus.documents if line.startswith(f"{name}. ")]
        assert len(lines) == 3 and all(str(pair.answer) in line for line in lines)


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
def test_answers_are_scored_as_if_they_were_generated():
    corpus = few_people_corpus()
    trained = train_few("vanilla", corpus, seed=0, steps=40, show=False)
    pairs = (*corpus.train, *corpus.dev)
    right = answers_right(trained, pairs)
    generated = evaluate(trained.model, trained.vocabulary, pairs).predictions
    assert right.tolist() == [found == pair.answer for found, pair in zip(generated, pairs, strict=True)]
    assert right.dtype is torch.bool and right.any()
