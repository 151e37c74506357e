"""The other relatives of notebook 09: the oracles, the counts and the bounds that their checks rest on."""

import math
import random

import pytest
import torch
from course_exercises import layers_reach
from course_exercises.bigbird_mask import MASKS, allowed, well_made
from course_keys import cost as cost_key
from course_keys import linformer_attention as linformer_key
from course_keys import linformer_leaks, perceiver_down_up
from course_keys import random_synthesizer as random_key

from kqa_core.check.api import judged
from kqa_core.check.exercise import NotYet, Outcome
from kqa_core.check.registry import find
from kqa_core.evaluation.probes import influence, reads_the_future
from kqa_core.show.figures.nb09_weights import singular_shares

# these products are tiny: threads would only wait for each other
pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.slow
def test_what_is_read_moves_an_output_far_more_than_rounding_does():
    smallest, largest = math.inf, 0.0
    for seed in range(12):
        for E, F, unused in linformer_leaks.matrices(random.Random(seed)):
            moved, read = linformer_leaks.probed(E, F, seed), linformer_leaks.linformer_leaks(E, F)
            assert [s for s in range(E.shape[1]) if not read[:, s].any()] == list(unused)
            smallest = min([smallest, *moved[read].tolist()])
            largest = max([largest, *moved[~read].tolist()])
    assert largest < 1e-12 and smallest > 1e-4


def test_only_a_linformer_that_reads_position_0_alone_is_causal():
    generator = torch.Generator().manual_seed(1)
    q, rows = (torch.randn(1, 5, 4, generator=generator, dtype=torch.float64) for _ in range(2))
    E, F = (torch.randn(3, 5, generator=generator, dtype=torch.float64) for _ in range(2))
    assert reads_the_future(lambda kv: linformer_key.linformer_attention(q, kv, kv, E, F), rows)
    E[:, 1:], F[:, 1:] = 0.0, 0.0
    assert not reads_the_future(lambda kv: linformer_key.linformer_attention(q, kv, kv, E, F), rows)


def test_the_perceivers_output_reads_what_the_notebook_says():
    generator = torch.Generator().manual_seed(2)
    basis, x = (
        torch.randn(*shape, generator=generator, dtype=torch.float64) for shape in ((3, 4), (1, 8, 4))
    )
    found = influence(lambda each: perceiver_down_up.perceiver_down_up(each, basis)[1], x)
    expected = torch.tensor([[s <= t if t < 3 else s < 3 or s == t for s in range(8)] for t in range(8)])
    assert torch.equal(found, expected)


def test_a_random_synthesizer_is_linear_in_x():
    generator = torch.Generator().manual_seed(3)
    R, V = (torch.randn(6, 6, generator=generator, dtype=torch.float64) for _ in range(2))
    x, y = torch.randn(2, 1, 5, 6, generator=generator, dtype=torch.float64)
    parts = random_key.random_synthesizer(x, R, V) + random_key.random_synthesizer(y, R, V)
    torch.testing.assert_close(random_key.random_synthesizer(x + y, R, V), parts)


def multiplied(a, b, c):
    """The multiplications of an (a, b) and a (b, c) matrix, one at a time."""
    return sum(1 for _ in range(a) for _ in range(c) for _ in range(b))


def test_the_counts_are_those_of_plain_loops():
    T, d, r, k = 7, 3, 2, 4
    counted = {
        "attention": multiplied(T, d, T) + multiplied(T, T, d),
        "synthesizer": multiplied(T, d, T) + multiplied(T, T, d),
        "linformer": 2 * multiplied(r, T, d) + multiplied(T, d, r) + multiplied(T, r, d),
        "bigbird": sum(multiplied(1, d, k) + multiplied(1, k, d) for _ in range(T)),
    }
    assert {name: pair[0] for name, pair in cost_key.cost(T, d, r, k).items()} == counted


def test_the_bound_on_links_is_bernsteins():
    for p in (2 / 9, 2 / 5, 1 / 10, 5 / 12):
        mean = MASKS * p
        e, variance = allowed(mean, p), mean * (1 - p)
        assert 44 * 2 * math.exp(-(e**2) / (2 * (variance + e / 3))) == pytest.approx(1e-6)
        assert e < mean  # a link that is never drawn is noticed


def test_a_mask_is_read_place_by_place():
    good = torch.tensor([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 1, 1]]).bool()
    case = (4, 2, 1, 0)
    well_made(good, case)
    for t, s in ((0, 1), (3, 0), (3, 1), (2, 2)):
        with pytest.raises(NotYet, match=f"position {t} "):
            well_made(good ^ (torch.arange(16).reshape(4, 4) == 4 * t + s), case)


def test_a_path_has_at_most_as_many_steps_as_there_are_layers():
    rng = random.Random(4)
    for _ in range(20):
        mask, layers = layers_reach.draw_mask(rng, 9, 0.15, causal=rng.random() < 0.5), rng.randint(1, 4)
        found = layers_reach.paths(mask, layers)
        for t in range(9):
            for i in range(9):
                route = layers_reach.route(mask, t, i)
                assert bool(found[t, i]) == (t == i or 0 < route.count("→") <= layers), (t, i, route)


def test_a_wrong_reach_is_told_with_a_path():
    chain = torch.tensor([[t - i in (0, 1) for i in range(4)] for t in range(4)])
    with pytest.raises(NotYet, match="position 2 depends on input 0, by the path 2 → 1 → 0; yours says no"):
        layers_reach.compare(chain, chain, 2)
    with pytest.raises(
        NotYet, match="position 2 does not depend on input 0: the shortest path, 2 → 1 → 0, has 2 steps"
    ):
        layers_reach.compare(torch.ones(4, 4).tril() > 0, chain, 1)


def test_a_product_of_bool_matrices_is_named():
    verdict, _ = judged(find("layers_reach"), lambda mask, layers: mask @ mask if layers > 1 else mask)
    assert verdict.outcome is not Outcome.RIGHT
    assert (
        verdict.sentence.startswith(
            "your code stops where torch has no such operation. "
            "Possible cause: a product of matrices of bools: convert them with .float() first"
        )
        and "did not in the calls before" not in verdict.sentence
    )


def test_two_layers_of_the_published_bigbird_reach_everything():
    mask = torch.eye(30, dtype=torch.bool)
    mask[0], mask[:, 0] = True, True
    assert layers_reach.paths(mask, 2).all() and not layers_reach.paths(mask, 1).all()


def test_real_attention_needs_fewer_singular_values_than_the_identity():
    assert singular_shares(torch.eye(8))[3] == pytest.approx(0.5)
    halves = torch.tensor([[0.5, 0.5, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5], [0, 0, 0.5, 0.5]])
    assert singular_shares(halves)[1] == pytest.approx(1.0)  # the notebook's example has rank 2
