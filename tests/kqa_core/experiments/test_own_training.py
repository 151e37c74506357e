"""What surrounds a student's own training changes nothing in it; the short pretraining of notebook 09."""

import json

import pytest
import torch

from kqa_core.errors import UserError
from kqa_core.evaluation.evaluate import evaluate
from kqa_core.experiments.few_people import PEOPLE, answers_right, few_people_corpus, train_few
from kqa_core.experiments.own_training import STAGES, recorded_own, watched
from kqa_core.experiments.step_limit import limited
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.text.birthplaces import Pair
from kqa_core.text.corpus import Corpus
from kqa_core.text.vocabulary import Vocabulary

TEXT = "Where was Bo born? Ty"
CORPUS = Corpus("", TEXT, ("Bo. Ty.",), Vocabulary.from_text(TEXT), dev=(Pair("Where was Bo born?", "Ty"),))


def batches():
    generator = torch.Generator().manual_seed(1)
    while True:
        codes = torch.randint(2, 12, (2, 9), generator=generator)
        yield codes[:, :-1], codes[:, 1:]


def model():
    torch.manual_seed(0)
    return GPT(GPTConfig(len(CORPUS.vocabulary), block_size=64, n_layer=1, n_head=2, d_model=8))


def asks_for_one_more(source, steps):
    return (batch for batch, _ in zip(source, range(steps), strict=False))


def counts_its_steps(source, steps):
    return (batch for _, batch in zip(range(steps), source, strict=False))


def trained(source, steps=5, loop=asks_for_one_more, kept=None):
    torch.manual_seed(3)
    network = model()
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.01)
    losses = []
    given = source(network)
    if kept is not None:
        kept.append((given, network))
    for x, y in loop(given, steps):
        optimizer.zero_grad()
        _, loss = network.train()(x, y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def test_a_watched_training_is_the_same_training(capsys):
    assert trained(lambda network: watched(batches(), network, 5, "test", CORPUS)) == trained(
        lambda network: batches()
    )
    said = capsys.readouterr().err
    assert "step 5 of 5" in said and "accuracy" in said and "loss" in said


def test_the_picture_is_complete_after_the_last_step_of_a_loop_that_counts_its_steps(capsys):
    alive = []  # the batches are not collected as garbage before the test looks
    same = trained(lambda network: batches())
    assert (
        trained(
            lambda network: watched(batches(), network, 5, "test", CORPUS), loop=counts_its_steps, kept=alive
        )
        == same
    )
    ((_, network),) = alive
    assert not network._forward_hooks and capsys.readouterr().err.count("step 5 of 5") == 1
    assert trained(lambda network: watched(batches(), network, 5, "test", CORPUS)) == same
    assert capsys.readouterr().err.count("step 5 of 5") == 1


def test_it_ends_after_its_steps_and_leaves_no_hook(capsys):
    network = model()
    assert len(list(watched(batches(), network, 3, "test", CORPUS))) == 3
    assert not network._forward_hooks
    stopped = watched(batches(), network, 3, "test", CORPUS)
    next(stopped)
    stopped.close()
    assert not network._forward_hooks


def test_the_number_of_steps_can_be_limited_from_outside(monkeypatch):
    monkeypatch.delenv("KQA_STEPS", raising=False)
    assert limited(900) == 900
    monkeypatch.setenv("KQA_STEPS", "20")
    assert (limited(900), limited(7)) == (20, 7)


def test_recorded_runs_are_a_table_with_a_line_a_seed(tmp_path):
    file = tmp_path / "own_training.json"
    figures = {
        "right": {stage: [10 * i, 10 * i + 1] for i, stage in enumerate(STAGES)},
        "questions": 100,
        "seconds": [1, 2],
    }
    file.write_text(
        json.dumps({"figures": figures, "machine": {"processor": "X", "cores": 2}}), encoding="utf-8"
    )
    runs = recorded_own(file)
    assert runs.right["text, then questions"] == [20, 21] and runs.machine == "X, 2 cores"
    assert [line.split()[0] for line in runs.table().split("\n")] == ["seed", "0", "1"]
    assert runs.table().endswith("21")
    with pytest.raises(UserError, match="kqa bench own_training"):
        recorded_own(tmp_path / "absent.json")


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
