"""The checks of notebook 01: what its keys promise, and hundreds of drawn answers to average_two."""

import importlib
import math
import random
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import equivalents_01 as drawn
import pytest
import sympy as sp
import torch
from course_exercises import average_two
from course_exercises._concrete_keys import Q_TWO, SELECTED, K, weights_of, with_key
from course_exercises._drawn_keys import draw_keys_and_query
from course_keys import average_two as average_two_key
from judged_keys import keys_of, verdict, with_the_argument
from portions import portion

from autograder.answer_key import find_checked
from kqa_core.check.api import visible_seed
from kqa_core.check.exercise import NotYet, Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find, of_notebook
from kqa_core.check.run import run_check
from kqa_core.symbolic.attention import BETA, orthonormal_frame, standard_basis

NOTEBOOK = "01_attention_as_a_lookup"
EXERCISES = of_notebook(NOTEBOOK)


def test_points_and_order_are_those_of_the_course():
    points = {exercise.id: exercise.points for exercise in EXERCISES}
    assert list(points.values()) == [2, 2, 1, 4, 2, 1, 1, 1, 3, 1, 1, 1, 2, 2, 2, 2]
    assert [exercise.id for exercise in EXERCISES if exercise.extra] == ["average_two_rate", "best_query"]


def test_the_notebook_shows_the_keys_that_the_checks_use():
    source = (Path(__file__).parents[2] / "notebooks" / "source" / NOTEBOOK / f"{NOTEBOOK}.py").read_text(
        encoding="utf-8"
    )
    shown = re.search(r"K = torch\.tensor\(\n(.*?),\n    dtype", source, re.DOTALL).group(1)
    assert [float(number) for number in re.findall(r"-?\d\.\d", shown)] == K.flatten().tolist()
    query = re.search(r"q_two = torch\.tensor\(\[(.*?)\]", source).group(1)
    assert [float(number) for number in query.split(",")] == Q_TWO.tolist()


def test_no_later_cell_needs_the_optional_section():
    source = (Path(__file__).parents[2] / "notebooks" / "source" / NOTEBOOK / f"{NOTEBOOK}.py").read_text(
        encoding="utf-8"
    )
    before, optional, after = re.split(r"(?m)^(?=# ## Going deeper \(optional\)|# ## Summary)", source)
    assert "rekey_unit_select" in before and "rates_figure" in optional and "progress()" in after
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--quiet", "--select", "F821", "-"]
    found = subprocess.run(command, input=f"{before}\n{after}", capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


def test_a_unit_key_can_take_all_the_weight_but_the_obvious_ones_cannot():
    pairs = [(K, Q_TWO), *(draw_keys_and_query(random.Random(seed)) for seed in range(50))]
    for keys, query in pairs:

        def weight(direction, keys=keys, query=query):
            return float(weights_of(with_key(keys, 2, direction / direction.norm()), query)[2])

        assert weight(query) > 0.999  # along q: feasible, with room for "near it"
        assert max(weight(keys[0]), weight(keys[1]), weight(keys[0] + keys[1])) < SELECTED - 0.01
        assert weights_of(keys, query)[:2].tolist() == pytest.approx([0.5, 0.5], abs=0.001)


def test_drawn_keys_make_the_known_mistakes_show():
    for seed in range(50):
        keys, _ = draw_keys_and_query(random.Random(seed))
        assert weights_of(keys, 100 * keys[0])[0] < 0.01  # along key 0: selects key 1
        for scale in (15.0, 60.0, 1000.0):
            fitted = torch.linalg.pinv(keys) @ torch.tensor([scale, 0, 0, 0], dtype=torch.float64)
            assert weights_of(keys, fitted)[0] < 0.95


def test_keys_whose_first_three_rows_lie_in_a_plane_are_drawn_again():
    keys, query = draw_keys_and_query(SimpleNamespace(getrandbits=lambda bits: 11806230103813411977))
    assert weights_of(keys, query)[:2].tolist() == pytest.approx([0.5, 0.5], abs=0.001)


@pytest.mark.slow
def test_one_function_serves_all_three_exercises():
    """The worked steps of the hints: the wanted weights, none of them 0."""
    keys = keys_of(NOTEBOOK)
    exact = keys["exact_logits"].reference

    def identity_map(K):
        return torch.stack([exact(K, row) for row in 0.001 + 0.996 * torch.eye(4, dtype=K.dtype)])

    def average_first_two(K):
        return exact(K, torch.tensor([0.499, 0.499, 0.001, 0.001], dtype=K.dtype))

    def select_first(K):
        return exact(K, torch.tensor([0.997, 0.001, 0.001, 0.001], dtype=K.dtype))

    for answer in (identity_map, average_first_two, select_first):
        for seed in range(5):
            found = verdict(keys[answer.__name__], answer, seed)
            assert found.outcome is Outcome.RIGHT, found.sentence


def seen(name, answer):
    """The verdict of the check that the student runs in the notebook."""
    return run_check(find(name).check, LocalAnswer(answer, 0), visible_seed(name))


def test_the_visible_check_of_best_query_finds_where_the_second_query_stops_winning():
    """The two margins are equal for eight keys:
    the check compares whole numbers, so no rounding decides the tie.
    """
    right = keys_of(NOTEBOOK)["best_query"].reference
    for limit in (6, 7, 8, 9):
        said = seen(
            "best_query", lambda keys, a, b, R, limit=limit: (len(keys) < limit, *right(keys, a, b, R)[1:])
        )
        assert (said.outcome is Outcome.RIGHT) == (limit == 8), limit
        assert ("the same margin" in said.sentence) == (limit == 9), said.sentence


def test_a_comparison_that_sympy_leaves_open_is_named():
    right = keys_of(NOTEBOOK)["best_query"].reference
    said = seen(
        "best_query",
        lambda keys, a, b, R: (2 * R / sp.sqrt(len(keys)) > R / sp.sqrt(2), *right(keys, a, b, R)[1:]),
    )
    assert said.outcome is Outcome.NOT_YET and "left open: compare without R" in said.sentence


def test_a_decimal_base_is_named_and_decimal_constants_are_right():
    def rates(n, beta, base=math.e):
        return (n - 2) * sp.exp(-beta) / 4, (n - 2) * base ** (-2 * beta) / 4

    said = seen("average_two_rate", rates)
    assert (
        said.outcome is Outcome.NOT_YET
        and "your second rate has a power of the decimal number 2.71828; with the power of e" in said.sentence
    )
    exact = seen("average_two_rate", lambda n, beta: rates(n, beta, sp.E))
    assert exact.outcome is Outcome.RIGHT


NUMERIC = ("average_all", "select_first", "exact_logits", "identity_map", "average_first_two")
REKEYED = ("rekey_average_three", "rekey_unit_select")
TIED = {
    "a_lucky_direction",
    "the_notebooks_k",
    "the_notebooks_logit",
    "for_this_k_only",
    "small_enough_for_this_k",
}
TIED |= {"only_the_standard_basis", "for_the_weights_of_the_example"}


@pytest.mark.parametrize("name", [*NUMERIC, *REKEYED, "copy_one", "average_two", "best_query"])
def test_the_visible_check_refuses_answers_that_are_tied_to_the_notebooks_keys(name):
    key = keys_of(NOTEBOOK)[name]
    assert seen(name, key.reference).outcome is Outcome.RIGHT
    tied = [answer for answer in key.rejected if answer.__name__ in TIED]
    assert tied
    for answer in tied:
        assert seen(name, answer).outcome is Outcome.NOT_YET, answer.__name__


@pytest.mark.parametrize("name", [*NUMERIC[1:], *REKEYED])
def test_the_right_result_for_the_notebooks_keys_is_no_method(name):
    """Every query or key that the reference or an accepted answer gives for the notebook,
    returned for all inputs.
    """
    key = keys_of(NOTEBOOK)[name]
    for answer in (key.reference, *key.accepted):
        if name == "exact_logits":
            said = seen(name, lambda _, weights, answer=answer: answer(K, weights))
        else:
            result = answer(K, Q_TWO) if name in REKEYED else answer(K)
            said = seen(name, lambda *_, result=result: result)
        assert said.outcome is Outcome.NOT_YET and "with another K" in said.sentence, (
            answer.__name__,
            said.sentence,
        )


@pytest.mark.parametrize(
    ("slow", "simple"),
    [
        (sp.exp(-BETA) / 4, True),
        (1 / (4 * sp.exp(BETA)), True),
        ((sp.cosh(BETA) - sp.sinh(BETA)) / 4, True),
        (sp.exp(sp.log(sp.Rational(1, 4)) - BETA), True),
        (sp.Float(0.25) * sp.exp(-1.0 * BETA), True),
        (1 / (2 * (2 * sp.exp(BETA) + 1)), False),
        ((1 - sp.tanh(BETA / 2)) / 8, False),
        ((1 + 1 / BETA) * sp.exp(-BETA) / 4, False),
        (sp.Float(0.25) * (sp.exp(-BETA) + sp.exp(-9 * BETA)), False),
    ],
    ids=str,
)
def test_a_leading_order_is_one_exponential(slow, simple):
    """With n = 3; all of these have the ratio 1 to ½ − α in the limit. The second rate is right."""

    def rates(n, beta):
        return (n - 2) * with_the_argument(slow, beta), (n - 2) * sp.exp(-2 * beta) / 4

    said = seen("average_two_rate", rates)
    assert (said.outcome is Outcome.RIGHT) == simple, said.sentence
    assert simple or "constant times one exponential" in said.sentence


@pytest.mark.parametrize(
    ("logits", "better"),
    [
        ((1, 1, 0, 0, 0), "lowers the logits of the other keys more"),
        ((1, 1, -1, -1, -1), "lowers the logits of the other keys less"),
        ((3, 2, -1, -1, -1), "gives keys a and b the same logit"),
        ((3, 3, -3, -3, 0), "gives all other keys the same logit"),
        ((1, 0, 0, 0, 0), "puts keys a and b ahead of all other keys"),
        ((-1, -1, 0, 0, 0), "puts keys a and b ahead of all other keys"),
    ],
)
def test_a_query_with_too_small_a_margin_is_told_what_to_change(logits, better):
    def best_query(keys, a, b, R):
        n = len(keys)
        numbers = iter([*logits[:2], *(logits[2 + i % 3] for i in range(n - 2))])
        order = [a, b, *(i for i in range(n) if i not in (a, b))]
        query = sum((next(numbers) * keys[i] for i in order), sp.zeros(*keys[0].shape))
        return n < 8, R * query / query.norm(), R

    judge = importlib.import_module("course_exercises.best_query").judge
    with pytest.raises(NotYet, match=better):
        judge(LocalAnswer(best_query, 0), standard_basis(5), 3, 1)


@pytest.mark.parametrize("n", [3, 4, 5, 8, 10, 30])
def test_a_better_query_is_found_exactly_if_the_margin_is_below_its_bound(n):
    better_move = importlib.import_module("course_exercises.best_query").better_move
    best = [0.5, 0.5, *[-1 / (n - 2)] * (n - 2)]
    drawn = random.Random(n)
    for spread in (0, 1e-3, 0.1, 1):
        wrong = [x + spread * drawn.gauss(0, 1) for x in best]
        assert (better_move([x / math.hypot(*wrong) for x in wrong], 1.0, 0, 1) is None) == (spread == 0)
    for lower in (0, -1):
        given = [1, 1, *[lower] * (n - 2)]
        assert (better_move([x / math.hypot(*given) for x in given], 1.0, 0, 1) is None) == (
            n == 4 and lower == -1
        )


def test_a_part_that_no_key_sees_is_named():
    def best_query(keys, a, b, R):
        q = keys_of(NOTEBOOK)["best_query"].reference(keys, a, b, R)[1]
        unseen = sp.Matrix.hstack(*keys).T.nullspace()[0]
        longer = q / R + unseen / unseen.norm()
        return True, R * longer / longer.norm(), R

    judge = importlib.import_module("course_exercises.best_query").judge
    with pytest.raises(NotYet, match="no part that is perpendicular"):
        judge(LocalAnswer(best_query, 0), orthonormal_frame(3, 4, random.Random(2)), 0, 1)


EACH = 220  # answers of each kind; more than the course asks for
CHUNK = 5  # in one test, so that they can be shared among workers
KEY = keys_of("01_attention_as_a_lookup")["average_two"]
CHUNKS = portion(
    [range(start, start + CHUNK) for start in range(0, EACH, CHUNK)],
    44,
    average_two.__file__,
    average_two_key.__file__,
)


def misjudged(seeds, draw, wanted):
    found = {seed: verdict(KEY, draw(seed), seed) for seed in seeds}
    return {seed: said.sentence for seed, said in found.items() if said.outcome is not wanted}


@pytest.mark.slow
@pytest.mark.parametrize("seeds", CHUNKS, ids=lambda seeds: f"from-{seeds[0]}")
def test_every_query_that_averages_is_accepted(seeds):
    assert misjudged(seeds, drawn.right_query, Outcome.RIGHT) == {}


@pytest.mark.slow
@pytest.mark.parametrize("seeds", CHUNKS, ids=lambda seeds: f"from-{seeds[0]}")
def test_no_query_that_fails_is_accepted(seeds):
    assert misjudged(seeds, drawn.wrong_query, Outcome.NOT_YET) == {}


@pytest.mark.parametrize("seed", range(12))
def test_the_logits_of_a_drawn_query_are_those_it_was_drawn_for(seed):
    """This is why the drawn answers are right or wrong by construction."""
    keys = orthonormal_frame(3, 4, random.Random(seed))
    query = drawn.right_query(seed)(keys, 2, 0, BETA)
    wanted = drawn.logits(random.Random(seed), 3, 2, 0)
    at = {BETA: sp.Rational(7, 3)}
    for key, logit in zip(keys, wanted, strict=True):
        assert abs(key.dot(query.subs(at).evalf(40)) - logit.subs(at).evalf(40)) < 1e-9 * (
            1 + abs(logit.subs(at))
        )


@pytest.mark.nightly
def test_the_drawn_answers_are_many_and_different():
    keys = orthonormal_frame(4, 5, random.Random(1))
    right, wrong = (
        {sp.ImmutableMatrix(draw(seed)(keys, 1, 3, BETA)) for seed in range(EACH)}
        for draw in (drawn.right_query, drawn.wrong_query)
    )
    assert len(right) >= 200 and len(wrong) >= 200 and not right & wrong


def test_a_wrong_value_beside_a_change_in_place_is_told_with_the_change():
    def overwrites(K):
        K[:, 2] = 0
        return torch.zeros(4, 3, dtype=K.dtype)

    found = verdict(find_checked("identity_map"), overwrites, 5)
    assert found.outcome is Outcome.NOT_YET
    assert "Your code changes K in place" in found.sentence and "before the call" in found.sentence
    unchanged = verdict(find_checked("identity_map"), lambda K: torch.zeros(4, 3, dtype=K.dtype), 5)
    assert unchanged.outcome is Outcome.NOT_YET and "in place" not in unchanged.sentence
