"""The machines of find_the_leak are what they are said to be, by derivatives;
and what the keys of notebook 05 rest on.

Of the seeds a fourth or a fifth is tried, and others after each change of the machines or the mistakes.
"""

import math
import random

import pytest
import torch
from course_exercises import _leaks, rearrange_heads
from course_exercises._leaks import CLEAN, JUMPS, LEAKY, SMALL, machine
from course_exercises.find_the_leak import EXERCISE as LEAK
from course_exercises.find_the_leak import leaks
from course_exercises.is_it_a_difference import EDGES, MARGIN, SURE, UNSURE, differ, with_t
from course_exercises.is_it_a_difference import EXERCISE as DIFFERENCE
from course_keys import _leak_mistakes
from course_keys import is_it_a_difference as difference_key
from course_keys.find_the_leak import cases
from mpmath import gammainc
from portions import portion

from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.run import run_check
from kqa_core.stats import mean_sd, paired, welch

FILES = (_leaks.__file__, difference_key.__file__, _leak_mistakes.__file__)


def influence(how, B, T, C, seed):
    """The largest derivative of any output at t with respect to any input at s, in any rows: (T, T)."""
    forward = machine(how, C, seed)
    x = torch.randn(B, T, C, dtype=torch.float64, generator=torch.Generator().manual_seed(seed + 1))
    return torch.autograd.functional.jacobian(forward, x).abs().amax(dim=(0, 2, 3, 5))


@pytest.mark.slow
@pytest.mark.parametrize("seed", portion(range(4), 4, *FILES))
@pytest.mark.parametrize("how", [*CLEAN, *LEAKY])
def test_a_machine_reads_the_future_exactly_if_it_is_said_to(how, seed):
    for _, (B, T, C) in (case for case in cases() if case[0] == how and case[1][1] > 1):
        future = float(influence(how, B, T, C, seed).triu(1).max())
        assert future == 0.0 if how in (*CLEAN, *JUMPS) else future > SMALL / 100


@pytest.mark.parametrize("seed", portion(range(4), 4, *FILES))
@pytest.mark.parametrize("how", CLEAN)
def test_clean_machines_keep_the_past_to_the_last_bit(how, seed):
    forward, generator = machine(how, 6, seed), torch.Generator().manual_seed(seed)
    x = torch.randn(3, 7, 6, dtype=torch.float64, generator=generator)
    for s in range(1, 7):
        for size in (0.0, 1.0, 1e6):
            changed = x.clone()
            changed[:, s:] = size * torch.randn(3, 7 - s, 6, dtype=torch.float64, generator=generator)
            assert torch.equal(forward(changed)[:, :s], forward(x)[:, :s])


@pytest.mark.parametrize("seed", portion(range(20), 5, *FILES))
def test_every_leak_moves_a_past_output_by_far_more_than_a_fine_tolerance(seed):
    generator = torch.Generator().manual_seed(seed)
    for how, (B, T, C) in (case for case in cases() if leaks(case)):
        forward, x = machine(how, C, seed), torch.randn(B, T, C, dtype=torch.float64, generator=generator)
        moved = 0.0
        for s in range(1, T):
            changed = x.clone()
            changed[:, s:] = torch.randn(B, T - s, C, dtype=torch.float64, generator=generator)
            moved = max(moved, float((forward(changed)[:, :s] - forward(x)[:, :s]).abs().max()))
        assert moved > 1e-8, (how, B)


def test_the_faintest_leak_is_too_faint_for_the_usual_tolerance():
    for seed in range(20):
        forward = machine("one part in a million", 6, seed)
        x, other = torch.randn(2, 3, 7, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
        assert torch.allclose(forward(torch.cat((x[:, :3], other[:, 3:]), dim=1))[:, :3], forward(x)[:, :3])


def test_half_of_what_a_probe_meets_must_not_be_guessable():
    drawn = cases()
    assert len(drawn) == 75 and {how for how, _ in drawn} == {*CLEAN, *LEAKY}


@pytest.mark.parametrize("seed", portion(range(25), 5, *FILES))
def test_the_cases_of_is_it_a_difference_are_clear_and_some_need_the_pairs(seed):
    found, against_welch = {True: 0, False: 0}, {True: 0, False: 0}
    edges = 0
    for case in difference_key.cases(random.Random(seed)):
        chance, other = paired(*case), welch(*case)
        if SURE <= chance <= UNSURE:
            assert abs(chance - 0.05) > MARGIN
            edges += 1
            continue
        found[chance < SURE] += 1
        against_welch[chance < SURE] += (chance < SURE) != (other < 0.05)
    edge_cases = (*EDGES, *difference_key.FAR_EDGES)
    made = [
        *(with_t(random.Random(seed), n, t) for n, t in edge_cases),
        difference_key.unequal(random.Random(seed)),
    ]
    assert edges == 2 * sum(SURE <= paired(*case) <= UNSURE for case in made)
    assert min(found.values()) >= 8 and min(against_welch.values()) >= 4


@pytest.mark.parametrize("seed", portion(range(25), 5, *FILES))
def test_unequal_spreads_tell_the_test_with_one_common_spread_from_welchs(seed):
    case = difference_key.unequal(random.Random(seed))
    assert difference_key.pooled(*case) and not difference_key.welch_test(*case) and not differ(case)


@pytest.mark.parametrize("seed", portion(range(25), 5, *FILES))
def test_where_differences_grow_with_the_figures_a_test_of_logarithms_says_the_opposite(seed):
    for first, second in difference_key.growing(random.Random(seed)):
        logarithms = [math.log(each) for each in first], [math.log(each) for each in second]
        assert {differ((first, second)), paired(*logarithms) < SURE} == {True, False}


@pytest.mark.parametrize(("n", "t"), (*EDGES, *difference_key.FAR_EDGES))
def test_a_case_at_the_edge_has_the_t_that_is_said(n, t):
    mean, sd = mean_sd([a - b for a, b in zip(*with_t(random.Random(n), n, t), strict=True)])
    assert mean / (sd / math.sqrt(n)) == pytest.approx(t, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("seed", portion(range(5), 5, *FILES))
@pytest.mark.parametrize(
    ("exercise", "wrong"),
    [
        *(
            (DIFFERENCE, getattr(difference_key, name))
            for name in ("normal_table", "one_sided", "two_degrees", "n_degrees")
        ),
        (DIFFERENCE, difference_key.divided_by_n),
        (LEAK, _leak_mistakes.coarse),
        *((DIFFERENCE, getattr(difference_key, name)) for name in ("n_minus_two", "ninety_eight")),
        *(
            (LEAK, getattr(_leak_mistakes, name))
            for name in ("signs_turned", "next_only", "rows_must_not_mix", "in_place")
        ),
        *(
            (LEAK, getattr(_leak_mistakes, name))
            for name in ("own_row_only", "first_row_changed", "one_added", "doubled")
        ),
        *((LEAK, getattr(_leak_mistakes, name)) for name in ("gradient_of_the_sum", "first_row_compared")),
        *(
            (LEAK, getattr(_leak_mistakes, name))
            for name in ("one_component_changed", "one_component_compared")
        ),
    ],
)
def test_the_students_own_check_refuses_common_mistakes(exercise, wrong, seed):
    assert run_check(exercise.check, LocalAnswer(wrong, seed), seed).outcome is Outcome.NOT_YET


def test_the_false_alarm_of_rearrange_heads_is_what_its_key_says():
    alarm = gammainc((rearrange_heads.ORDERS - 1) / 2, rearrange_heads.LIMIT / 2, regularized=True)
    assert float(alarm) < 5e-9
