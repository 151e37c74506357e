"""rope: no right answer is refused, no wrong one let through; and what that rests on."""

import math
import random

import generated_rope as generated
import pytest
import torch
from course_exercises.rope import LOOSE
from course_keys import _rope_mistakes as mistakes
from course_keys import rope as key
from course_keys import rotary_attention as rotary_key
from judged_keys import verdict, wrong_answers
from portions import portion

from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find
from kqa_core.check.run import run_check
from kqa_core.exercise_helpers.transformer_parts import draw
from kqa_core.model.variants.rope import angles, rotate

# these products are tiny: threads would only wait for each other
pytestmark = pytest.mark.usefixtures("one_thread")
RIGHT = generated.right_answers()
WRONG = wrong_answers(generated, 216)


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


def test_every_wrong_form_is_among_the_compositions():
    for place, wrong in enumerate(generated.WRONG_STEPS):
        assert {f"WRONG {name}" for name in wrong} <= {name.split(" · ")[place] for name in WRONG}


def test_the_oracle_turns_one_pair_at_a_time():
    x = draw(random.Random(1), 7, 6)
    for theta in (10_000.0, 50.0):
        found = key.oracle(x, theta)
        for t in range(7):
            for i in range(3):
                angle = t * theta ** (-2 * i / 6)
                a, b = x[t, 2 * i : 2 * i + 2].tolist()
                wanted = [
                    a * math.cos(angle) - b * math.sin(angle),
                    a * math.sin(angle) + b * math.cos(angle),
                ]
                assert found[t, 2 * i : 2 * i + 2].tolist() == pytest.approx(wanted, abs=1e-12)


def test_the_courses_own_rope_is_right_and_far_inside_the_tolerance():
    def library(x, theta=10000.0):
        return rotate(x, angles(torch.arange(x.shape[-2], device=x.device), x.shape[-1], theta))

    assert verdict(key.KEY, library, 1).outcome is Outcome.RIGHT
    x = draw(random.Random(2), 40, 32)
    assert float((library(x) - key.oracle(x)).abs().max()) < 0.3 * LOOSE * float(x.abs().max())


def into_x(x, theta=10000.0):
    """The mistake of writing into x: a is a view of it, and is overwritten before it is used again."""
    angle = torch.arange(x.shape[-2], dtype=x.dtype)[:, None] * theta ** (
        -torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1]
    )
    a, b = x[..., 0::2], x[..., 1::2]
    x[..., 0::2] = a * angle.cos() - b * angle.sin()
    x[..., 1::2] = a * angle.sin() + b * angle.cos()
    return x


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (into_x, "is a view"),
        (mistakes.overwritten, "is a view"),
        (mistakes.into_the_input, "your code changes x in place"),
        (mistakes.half_split_pairs, "components 2 and 3 of the output should be 0"),
        (mistakes.pairs_not_put_back, "components 2 and 3 of the output should be 0"),
        (mistakes.turned_backwards, "from a towards b; yours rotates by -1"),
        (mistakes.half_the_exponent, "yours rotate by 0.6325 there"),
        (mistakes.exponent_with_plus, "the exponent of theta has the wrong sign"),
        (mistakes.one_frequency, "rotate by 0.1 radian per position"),
        (mistakes.both_plus, "a rotation keeps lengths; yours change by up to"),
    ],
)
def test_the_students_own_check_names_the_mistake(wrong, named):
    for seed in range(5):
        found = run_check(find("rope").check, LocalAnswer(wrong, seed), seed)
        assert found.outcome is Outcome.NOT_YET and named in found.sentence


@pytest.mark.parametrize("wrong", [rotary_key.half_split_pairs, rotary_key.exponent_with_plus])
def test_a_mistake_that_only_shows_with_two_pairs_is_told_so(wrong):
    for seed in range(5):
        found = run_check(find("rotary_attention").check, LocalAnswer(wrong, seed), seed)
        assert found.outcome is Outcome.NOT_YET and "for (1, 1, 2, 2) it was right" in found.sentence
