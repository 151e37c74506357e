"""synthesizer_attention and same_thing: no right answer is refused, no wrong one let through;
and what that rests on.
"""

import itertools
import random
from fractions import Fraction

import generated_synthesizer as generated
import pytest
import sympy as sp
import torch
from course_exercises.synthesizer_attention import case, read_at
from course_keys import synthesizer_attention as key
from judged_keys import right_answers, verdict, wrong_answers
from portions import portion

from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find
from kqa_core.check.run import run_check
from kqa_core.exercise_helpers.transformer_parts import apart

# these products are tiny: threads would only wait for each other
pytestmark = pytest.mark.usefixtures("one_thread")
RIGHT = right_answers(generated, 210)
WRONG = wrong_answers(generated, 210)


def drawn(answers):
    """An eighth of the answers, by name; others after every change of the key or of the answers."""
    return portion(list(answers.items()), 8, key.__file__, generated.__file__)


@pytest.mark.slow
def test_no_right_composition_is_refused():
    refused = {
        name: found.sentence
        for name, f in drawn(RIGHT)
        if (found := verdict(key.KEY, f, 3)).outcome is not Outcome.RIGHT
    }
    assert refused == {}
    assert len(RIGHT) >= 200


def test_no_wrong_composition_is_let_through():
    passed = {
        name: found.outcome
        for name, f in drawn(WRONG)
        if (found := verdict(key.KEY, f, 3)).outcome is not Outcome.NOT_YET
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
    for function in (key.KEY.reference, *key.KEY.accepted):
        for size in (*key.SIZES, *key.FULL):
            given = [each.to(dtype) for each in case(rng, *size)]
            assert apart(function(*given), key.oracle(*given)) < most, function.__name__


def test_the_oracle_is_the_formula_one_number_at_a_time():
    rng = random.Random(2)
    for T, L in ((1, 1), (1, 4), (5, 5), (4, 7)):
        given = case(rng, 1, T, L, 3, 4)
        plain = torch.tensor([read_at(t, given) for t in range(T)], dtype=torch.float64)
        torch.testing.assert_close(key.oracle(*given)[0], plain, rtol=0, atol=1e-12)


def test_it_is_attention_with_constant_keys_as_sympy_says():
    T, d_h, L = 2, 2, 3
    z = sp.Matrix(T, d_h, sp.symbols(f"z:{T * d_h}", real=True))  # X A + b1
    B, b2 = (
        sp.Matrix(d_h, L, sp.symbols(f"b:{d_h * L}", real=True)),
        sp.Matrix(1, L, sp.symbols(f"c:{L}", real=True)),
    )
    hidden = z.applyfunc(lambda entry: sp.Max(0, entry))
    query = hidden.row_join(sp.ones(T, 1))
    keys = B.col_join(b2).T
    assert (query * keys.T - (hidden * B + sp.ones(T, 1) * b2)).applyfunc(sp.expand) == sp.zeros(T, L)
    assert keys.free_symbols.isdisjoint(z.free_symbols)


def test_no_part_of_a_look_up_tells_the_answer():
    """The claim of `cannot_look_up`, for three pairs: each place's key, and each place's value, leaves all
    answers equally likely.
    """
    counts = {}
    orders = list(itertools.permutations(range(3)))
    for keys, values, asked in itertools.product(orders, orders, range(3)):
        answer = values[keys.index(asked)]
        for s in range(3):
            for seen in (("key", s, keys[s]), ("value", s, values[s])):
                row = counts.setdefault((asked, *seen), [0, 0, 0])
                row[answer] += 1
    for row in counts.values():
        assert [Fraction(count, sum(row)) for count in row] == [Fraction(1, 3)] * 3


def test_the_hand_set_weights_are_right_in_15_of_64_rows():
    """The notebook's derivation, 1/n + (n − 1)/n·1/n, counted over all rows of three pairs;
    and that its formula gives 15/64.
    """
    right, total = 0, 0
    orders = list(itertools.permutations(range(3)))
    for keys, values, asked in itertools.product(orders, orders, range(3)):
        logits = [(j == values[0]) - 2 * (j == keys[0]) + 2 * (j == asked) for j in range(3)]
        right += max(range(3), key=logits.__getitem__) == values[keys.index(asked)]
        total += 1
        assert sorted(logits)[-1] > sorted(logits)[-2]  # the largest one is clear
    assert Fraction(right, total) == Fraction(1, 3) + Fraction(2, 3) * Fraction(1, 3)
    assert Fraction(1, 8) + Fraction(7, 8) * Fraction(1, 8) == Fraction(15, 64)


@pytest.mark.parametrize(
    ("wrong", "said"), [("masked_with_zero", "e⁰ is 1"), ("mask_after_softmax", "after the softmax")]
)
def test_the_student_s_own_check_names_a_wrong_mask(wrong, said):
    found = run_check(find("synthesizer_attention").check, LocalAnswer(getattr(key, wrong)), 1)
    assert found.outcome is Outcome.NOT_YET and said in found.sentence, found.sentence
