"""causal_self_attention and cross_attention:
no right answer is refused, no wrong one let through; and what that rests on.
"""

import random

import generated_attention as generated
import pytest
import torch
from course_exercises.causal_self_attention import case
from course_exercises.cross_attention import case as cross_case
from course_keys import causal_self_attention as causal_key
from course_keys import cross_attention as cross_key
from judged_keys import right_answers, verdict, wrong_answers
from portions import portion

from kqa_core.check.exercise import Outcome
from kqa_core.exercise_helpers.named_mistakes import torch_module
from kqa_core.exercise_helpers.transformer_parts import apart

# these products are tiny: threads would only wait for each other
pytestmark = pytest.mark.usefixtures("one_thread")
RIGHT = right_answers(generated, 240)
WRONG = wrong_answers(generated, 240)


def drawn(answers):
    """An eighth of the answers, by name; others after every change of the key or of the answers."""
    return portion(list(answers.items()), 8, causal_key.__file__, generated.__file__)


@pytest.mark.slow
def test_no_right_composition_is_refused():
    refused = {
        name: found.sentence
        for name, f in drawn(RIGHT)
        if (found := verdict(causal_key.KEY, f, 3)).outcome is not Outcome.RIGHT
    }
    assert refused == {}
    assert len(RIGHT) >= 200


@pytest.mark.slow
def test_no_wrong_composition_is_let_through():
    passed = {
        name: found.outcome
        for name, f in drawn(WRONG)
        if (found := verdict(causal_key.KEY, f, 3)).outcome is not Outcome.NOT_YET
    }
    assert passed == {}
    assert len(WRONG) >= 200


def test_every_form_of_every_step_is_among_the_compositions():
    for place, (right, wrong) in enumerate(zip(generated.STEPS, generated.WRONG_STEPS, strict=True)):
        assert {name.split(" · ")[place] for name in RIGHT} == set(right)
        assert {f"WRONG {name}" for name in wrong} <= {name.split(" · ")[place] for name in WRONG}


@pytest.mark.parametrize(("dtype", "most"), [(torch.float64, 1e-3), (torch.float32, 0.2)])
def test_right_answers_differ_by_a_small_part_of_the_tolerance(dtype, most):
    rng = random.Random(1)
    for function in (causal_key.KEY.reference, *causal_key.KEY.accepted):
        for B, T, C, n_head in causal_key.SIZES:
            given = [each.to(dtype) for each in case(rng, B, T, C)]
            assert apart(function(*given, n_head), causal_key.oracle(*given, n_head)) < most


def test_the_two_oracles_agree():
    rng = random.Random(2)
    x, *maps = case(rng, 2, 5, 12)
    assert torch.allclose(
        causal_key.oracle(x, *maps, 3), torch_module(x, x, *maps, n_head=3, causal=True), atol=1e-12
    )
    x, memory, *maps = cross_case(rng, 2, 3, 5, 12, 8, 3, 4, 4)
    assert torch.allclose(
        cross_key.oracle(x, memory, *maps, 3),
        torch_module(x, memory, *maps, n_head=3, causal=False),
        atol=1e-12,
    )


def test_the_past_of_the_reference_stays_bit_equal_when_the_future_changes():
    rng = random.Random(3)
    for function in (causal_key.KEY.reference, *causal_key.KEY.accepted):
        x, *maps = case(rng, 2, 6, 8)
        later = x.clone()
        later[:, 3:] += 5.0
        assert torch.equal(function(x, *maps, 2)[:, :3], function(later, *maps, 2)[:, :3]), function.__name__


def test_shuffled_queries_give_shuffled_outputs_and_a_shuffled_memory_the_same():
    rng = random.Random(4)
    x, memory, *maps = cross_case(rng, 2, 4, 5, 6, 8, 2, 3, 5)
    for function in (cross_key.KEY.reference, *cross_key.KEY.accepted):
        out = function(x, memory, *maps, 2)
        assert torch.allclose(
            function(x[:, [2, 0, 3, 1]], memory, *maps, 2), out[:, [2, 0, 3, 1]], atol=1e-12
        )
        assert torch.allclose(function(x, memory[:, [4, 2, 0, 1, 3]], *maps, 2), out, atol=1e-12)


@pytest.mark.slow
def test_an_answer_by_vmap_or_a_custom_function_is_right():
    def by_vmap(x, w_q, w_k, w_v, w_o, n_head):
        def row(each):
            q, k, v = ((each @ w).unflatten(-1, (n_head, -1)).transpose(0, 1) for w in (w_q, w_k, w_v))
            future = torch.ones(len(each), len(each), dtype=torch.bool, device=x.device).triu(1)
            scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(future, -torch.inf)
            return (scores.softmax(-1) @ v).transpose(0, 1).flatten(1) @ w_o

        return torch.func.vmap(row)(x)

    found = verdict(causal_key.KEY, by_vmap, 5)
    assert found.outcome is Outcome.RIGHT, found.sentence


@pytest.mark.slow
def test_an_answer_that_leaves_torch_is_refused_because_it_cannot_be_trained():
    def by_lists(x, w_q, w_k, w_v, w_o, n_head):
        return torch.tensor(
            causal_key.causal_self_attention(x, w_q, w_k, w_v, w_o, n_head).tolist(), dtype=x.dtype
        )

    found = verdict(causal_key.KEY, by_lists, 5)
    assert found.outcome is Outcome.NOT_YET and found.sentence.startswith("No gradient flows back")
