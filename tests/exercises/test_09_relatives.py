"""The other relatives of notebook 09: the oracles, the counts and the bounds that their checks rest on."""

import importlib
import math
import random

import pytest
import torch
from course_exercises import _stacks
from course_exercises.bigbird_mask import well_made
from course_keys import bigbird_mask, linformer_leaks, perceiver_down_up
from course_keys import cost as cost_key
from course_keys import linformer_attention as linformer_key
from course_keys import random_synthesizer as random_key

from kqa_core.check.exercise import NotYet
from kqa_core.evaluation.probes import influence, reads_the_future

pytestmark = pytest.mark.usefixtures("one_thread")  # these products are tiny: threads would only wait for each other


def test_what_is_read_moves_an_output_far_more_than_rounding_does():
    smallest, largest = math.inf, 0.0
    for seed in range(12):
        for E, F in linformer_leaks.matrices(random.Random(seed)):
            moved, read = linformer_leaks.probed(E, F, seed), linformer_leaks.linformer_leaks(E, F)
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
    basis, x = (torch.randn(*shape, generator=generator, dtype=torch.float64) for shape in ((3, 4), (1, 8, 4)))
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
    T, d, r, k, m = 7, 3, 2, 4, 5
    counted = {
        "attention": multiplied(T, d, T) + multiplied(T, T, d),
        "synthesizer": multiplied(T, d, T) + multiplied(T, T, d),
        "random_synthesizer": multiplied(T, T, d),
        "linformer": 2 * multiplied(r, T, d) + multiplied(T, d, r) + multiplied(T, r, d),
        "bigbird": sum(multiplied(1, d, k) + multiplied(1, k, d) for _ in range(T)),
        "perceiver": multiplied(m, d, T) + multiplied(m, T, d) + multiplied(T, d, m) + multiplied(T, m, d),
    }
    assert {name: pair[0] for name, pair in cost_key.cost(T, d, r, k, m).items()} == counted


def test_the_bound_on_links_is_bernsteins():
    for mean, p in ((bigbird_mask.MASKS * 2 / 9, 2 / 9), (bigbird_mask.MASKS * 2 / 5, 2 / 5)):
        e, variance = bigbird_mask.allowed(mean, p), mean * (1 - p)
        assert 14 * 2 * math.exp(-(e**2) / (2 * (variance + e / 3))) == pytest.approx(1e-6)
        assert e < mean  # a link that is never drawn is noticed


def test_a_mask_is_read_place_by_place():
    good = torch.tensor([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 1, 1]]).bool()
    case = (4, 2, 1, 0)
    well_made(good, case)
    for t, s in ((0, 1), (3, 0), (3, 1), (2, 2)):
        with pytest.raises(NotYet, match=f"position {t} "):
            well_made(good ^ (torch.arange(16).reshape(4, 4) == 4 * t + s), case)


@pytest.mark.parametrize("kind", _stacks.KINDS)
def test_a_stack_shares_what_the_table_says(kind):
    model = _stacks.stack(kind, 3, 1)
    owned = [{parameter.data_ptr() for parameter in layer.parameters()} for layer in model.blocks]
    shared = [(i, j) for i in range(4) for j in range(i + 1, 4) if owned[i] & owned[j]]
    assert tuple(shared) == _stacks.PAIRS[kind]
    assert kind not in str(vars(model)) + str(vars(model.blocks[0]))


def test_every_exercise_of_the_notebook_has_its_key():
    for name in ("factorised_synthesizer", "cannot_look_up"):
        assert importlib.import_module(f"course_keys.{name}").KEY.id == name
