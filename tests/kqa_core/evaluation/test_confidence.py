import math

import pytest
import torch

from kqa_core.errors import UserError
from kqa_core.evaluation.confidence import answer_logits, guesses
from kqa_core.evaluation.generate import LONGEST_ANSWER, answer_questions
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.text.vocabulary import Vocabulary

QUESTIONS = ["Where was Ada Lo born?", "Where was Bo born?", "Where was Carla Dunmore born?"]


@pytest.fixture(scope="module", params=["vanilla", "synthesizer", "linformer"])
def asked(request):
    vocabulary = Vocabulary.from_text("".join(QUESTIONS))
    torch.manual_seed(4)
    model = GPT(
        GPTConfig(len(vocabulary), block_size=80, n_layer=2, n_head=2, d_model=32, variant=request.param)
    )
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(8)  # a model with opinions; answers of different lengths
    return model.eval(), vocabulary


def test_the_answers_are_those_of_decoding(asked):
    model, vocabulary = asked
    assert [guess.answer for guess in guesses(model, vocabulary, QUESTIONS)] == answer_questions(
        model, vocabulary, QUESTIONS
    )


@pytest.mark.slow
def test_a_confidence_is_the_product_of_each_characters_probability(asked):
    model, vocabulary = asked
    for question in QUESTIONS:
        [guess] = guesses(model, vocabulary, [question])
        row, expected = vocabulary.encode(question + "⁇"), 1.0
        for character in (guess.answer + "⁇")[:LONGEST_ANSWER]:
            with torch.no_grad():
                shares = model(torch.tensor([row]))[0][0, -1].double().softmax(-1)
            token = vocabulary.encode(character)[0]
            expected *= float(shares[token])
            row.append(token)
        if model.causal:  # else a character's probability changes as the row grows
            assert math.isclose(guess.confidence, expected, rel_tol=1e-4)
        assert 0 <= guess.confidence <= 1


def test_the_logits_of_an_answer_end_with_its_closing_mark(asked):
    model, vocabulary = asked
    logits, tokens = answer_logits(model, vocabulary, QUESTIONS[0], "Bo")
    assert vocabulary.decode(tokens) == "Bo⁇" and logits.shape == (3, len(vocabulary))
    logits, tokens = answer_logits(model, vocabulary, QUESTIONS[0], "o" * LONGEST_ANSWER)
    assert vocabulary.decode(tokens) == "o" * LONGEST_ANSWER and len(logits) == LONGEST_ANSWER


def test_both_ways_give_the_same_confidence(asked):
    model, vocabulary = asked
    if not model.causal:
        pytest.skip("padding behind a row changes what such a model makes of it")
    for question, guess in zip(QUESTIONS, guesses(model, vocabulary, QUESTIONS), strict=True):
        logits, tokens = answer_logits(model, vocabulary, question, guess.answer)
        alone = float(logits.double().log_softmax(-1).gather(1, tokens[:, None]).sum().exp())
        assert math.isclose(guess.confidence, alone, rel_tol=1e-4)


def test_a_model_in_training_stays_in_it(asked):
    model, vocabulary = asked
    model.train()
    before = guesses(model, vocabulary, QUESTIONS)
    assert model.training
    assert before == guesses(model.eval(), vocabulary, QUESTIONS)


def test_a_question_too_long_for_the_model_is_one_line(asked):
    model, vocabulary = asked
    with pytest.raises(UserError, match="the model's block holds 80: ask a shorter question"):
        guesses(model, vocabulary, ["Where was " + 20 * "Carla " + "born?"])


def test_no_questions_no_guesses(asked):
    assert guesses(*asked, []) == []
