"""Notebook 12: the oracles, the counts and the bounds that its checks rest on, and what it shows."""

import json
import math
import random

import pytest
import torch
from course_exercises import bytes_and_operations as bytes_exercise
from course_exercises._kernel_parts import (
    attention_of,
    heads,
    nothing_summed,
    same_state,
    shared_state,
    state_after,
)
from course_exercises.merge_states import halves
from course_keys import bytes_and_operations as bytes_key
from course_keys import gather_corruption as gather_key
from course_keys import merge_states as merge_key
from course_keys import one_tile as tile_key
from course_keys import online_softmax as online_key
from course_keys import roofline as roofline_key
from judged_keys import checked, verdict

from kqa_core.check.exercise import NotYet, Outcome
from kqa_core.check.registry import find
from kqa_core.errors import UserError
from kqa_core.exercise_helpers.transformer_parts import draw
from kqa_core.experiments.kernel_race import (
    ABSENT,
    BACKENDS,
    NOT_MEASURED,
    PARTS,
    can_race,
    race,
    race_table,
    recorded_race,
)
from kqa_core.kernels import one_tile as operator
from kqa_core.kernels.flat_memory import load, store, watched
from kqa_core.show import PROCESSORS, roofline_slider, show_memory, tile_walk
from kqa_core.show.figures.nb12_tiles import LOGITS, ORDERS, VALUES, draw_walk
from kqa_core.show.kit.palette import new_figure
from kqa_core.text.span_corruption import DocumentTable, corrupt_rows, spans
from kqa_core.text.vocabulary import Vocabulary

NOTEBOOK = "12_kernels"


@pytest.mark.parametrize("seed", range(12))
def test_any_chunks_give_the_softmax_over_all(seed):
    rng = random.Random(seed)
    n, d = rng.randint(1, 40), rng.randint(1, 6)
    logits, values = draw(rng, n, scale=10 ** rng.uniform(-2, 3)), draw(rng, n, d)
    logits[1:][torch.rand(n - 1, generator=torch.Generator().manual_seed(seed)) < 0.3] = -math.inf
    state, start = nothing_summed(d), 0
    while start < n:
        end = min(n, start + rng.randint(1, 7))
        state = online_key.online_softmax(state, logits[start:end], values[start:end])
        start = end
    torch.testing.assert_close(state[2] / state[1], logits.softmax(0) @ values)
    same_state(state, state_after(logits, values), "")


def test_merging_is_associative_and_the_empty_state_changes_nothing():
    rng = random.Random(1)
    logits, values = draw(rng, 6, 9, scale=20.0), draw(rng, 6, 9, 4)
    a, b, c = (state_after(logits[:, i : i + 3], values[:, i : i + 3]) for i in (0, 3, 6))
    merge = merge_key.merge_states
    for found in (merge(merge(a, b), c), merge(a, merge(b, c)), merge(merge(c, a), b)):
        same_state(found, state_after(logits, values), "")
    same_state(merge(a, nothing_summed(6, 4)), a, "")
    same_state(merge(nothing_summed(6, 4), nothing_summed(6, 4)), nothing_summed(6, 4), "")


def test_the_rows_to_merge_are_of_every_kind():
    left, right, _ = halves(random.Random(2), 4, 5, 2)
    kinds = [(bool(a), bool(b)) for a, b in zip(left[0].isinf(), right[0].isinf(), strict=True)]
    assert kinds == [(False, False), (False, True), (True, False), (True, True)]


def test_a_state_is_read_as_it_is_said():
    good = state_after(draw(random.Random(3), 2, 4), draw(random.Random(4), 2, 4, 3))
    same_state(good, good, "")
    for i in range(3):
        for change in (1.0 + 1e-6, math.nan, math.inf):
            changed = list(good)
            changed[i] = good[i] * change
            with pytest.raises(NotYet):
                same_state(changed, good, "")


@pytest.mark.parametrize("seed", range(6))
def test_the_tile_is_what_the_courses_operator_computes(seed):
    rng = random.Random(seed)
    T, d, nh = rng.randint(1, 20), rng.randint(1, 9), rng.randint(1, 3)
    case, causal = heads(rng, T, d, nh), rng.random() < 0.5
    spots = torch.arange(T)[:, None] * case.stride + torch.arange(d)
    q, k, v = (case.memory[start + spots][None, None] for start in (case.query, case.key, case.value))
    expected = operator.reference(q, k, v, None, d**-0.5, causal)[0, 0]
    torch.testing.assert_close(tile_key.one_tile(*case, 32, causal)[:T], expected)
    torch.testing.assert_close(attention_of(case, causal), expected)
    assert case.memory[case.query + T * case.stride :][:1].isnan()  # what reads on behind the rows reads nan


def test_load_and_store_use_what_is_inside_and_nothing_else():
    memory, where, inside = (
        torch.arange(5.0),
        torch.tensor([[4, 5], [-1, 0]]),
        torch.tensor([[True, False], [False, True]]),
    )
    assert load(memory, where, inside, other=-7.0).tolist() == [[4.0, -7.0], [-7.0, 0.0]]
    store(memory, where, torch.tensor([10.0, 20.0]), inside)
    assert memory.tolist() == [20.0, 1.0, 2.0, 3.0, 10.0]
    for outside in (5, -1):
        for use in (load, lambda *given: store(*given[:2], torch.zeros(1), given[2])):
            with pytest.raises(IndexError, match=f"address {outside} lies outside the memory"):
                use(memory, torch.tensor([outside]), torch.tensor([True]))


def test_watching_notes_the_addresses_that_are_used_and_only_inside():
    memory, column = torch.zeros(6), torch.arange(3)[:, None]
    with watched() as seen:
        found = load(memory, column * 2 + torch.arange(2), column < 2)
        store(memory, column + 1, found[:, :1], column > 1)
    load(memory, column, column < 1)
    assert (seen.loads, seen.stores) == ([[0, 1, 2, 3]], [[3]])


def test_a_gather_by_the_indices_is_the_librarys_row():
    text = "the quick brown fox jumps over a lazy dog"
    documents = DocumentTable([text * 4, text[:9], text[:2], ""], Vocabulary.from_text(text))
    rows = torch.arange(4).repeat(50)
    steps = torch.arange(200)
    length, start, masked = spans(documents, rows, 64, 3, steps)
    index = gather_key.gather_corruption(length, start, masked, 64)
    places = torch.where(
        index >= 0,
        documents.offsets[rows][:, None] + index,
        torch.where(index == -1, 0, len(documents.flat) - 1),
    )
    assert torch.equal(documents.flat[places], corrupt_rows(documents, rows, 64, 3, steps))


def test_bytes_and_operations_are_those_of_tensors():
    N, T, d = 3, 10, 4
    q, k, v, out, grad, dq, dk, dv = (torch.empty(N, T, d, dtype=torch.bfloat16) for _ in range(8))
    square, weights = (torch.empty(N, T, T, dtype=torch.bfloat16) for _ in range(2))
    shared = torch.empty(T, d, dtype=torch.bfloat16)
    moved = {
        "in_steps": (q, k, square, square, weights, weights, v, out),
        "one_tile": (q, k, v, out),
        "synthesizer": (q, shared, v, out),
        "backward": (q, k, v, grad, dq, dk, dv),
    }
    said = bytes_key.bytes_and_operations(N, T, d)
    assert {name: sum(each.nbytes for each in tensors) for name, tensors in moved.items()} == {
        n: b for n, (b, _) in said.items()
    }
    product = sum(2 for _ in range(T) for _ in range(T) for _ in range(d)) * N
    assert [said[name][1] / product for name in moved] == [2, 2, 2, 5]


def test_below_the_ridge_it_is_memory():
    for name, gpu in PROCESSORS.items():
        for factor in (0.5, 0.99, 1.01, 2.0):
            seconds, bound = roofline_key.roofline(1e9, 1e9 * gpu.ridge * factor, gpu.bandwidth, gpu.peak)
            assert bound == ("memory" if factor < 1 else "compute"), name
            assert seconds == pytest.approx(1e9 / gpu.bandwidth * max(1.0, factor))


@pytest.mark.slow
def test_the_slider_moves_the_kernels():
    widget = roofline_slider(bytes_key.bytes_and_operations)
    assert "one tile has 64.0 operations per byte and can reach 307 TFLOP/s" in widget.sentence
    widget.controls["length"].value = 512
    assert "one tile has 256.0 operations per byte and can reach 989 TFLOP/s" in widget.sentence
    widget.controls["processor"].value = "T4"
    assert "The roofline of one T4" in widget.sentence and "can reach 65 TFLOP/s" in widget.sentence


@pytest.mark.skipif(can_race(), reason="this machine has a GPU")
def test_without_a_gpu_nothing_is_measured_and_one_sentence_says_so():
    times = race()
    assert {part: tuple(taken) for part, taken in times.items()} == {
        part: names for part, (_, names) in PARTS.items()
    }
    assert race_table(times) == ABSENT and "\n" not in ABSENT


def test_the_race_shows_only_what_was_measured():
    times = {
        "one tile": {"ours": 4.0, "flash": 6.0, "cudnn": None},
        "corruption": {"ours": None, "torch": None},
    }
    lines = race_table(times).splitlines()
    assert [line.split()[2] for line in lines] == ["ours", "flash"] and lines[1].endswith(
        "ours is  1.50 × as fast"
    )


@pytest.mark.skipif(can_race(), reason="this machine has a GPU")
def test_the_benchmark_says_not_measured_and_leaves_figures_of_another_machine(tmp_path, monkeypatch, capsys):
    from benchmarks import _common
    from benchmarks import kernels as benchmark

    monkeypatch.setattr(_common, "RESULTS", tmp_path)
    path = tmp_path / "kernels.json"
    path.write_text(json.dumps(recording()), encoding="utf-8")
    kept = path.read_bytes()
    benchmark.main()
    assert capsys.readouterr().out.startswith(
        "kernels: not measured here: that takes a GPU and Triton (bar one tile"
    )
    assert path.read_bytes() == kept


def recording():
    """Figures as the benchmark writes them on a machine with a GPU."""
    figures = {f"{part}: {name}, µs": 10.0 for part, (_, names) in PARTS.items() for name in names}
    figures["one tile: cudnn, µs"] = NOT_MEASURED
    return {"figures": figures, "machine": {"device": "NVIDIA H200", "torch": "2.11.0"}}


def test_recorded_figures_are_read_and_a_damaged_file_is_named(tmp_path):
    path = tmp_path / "kernels.json"
    assert not recorded_race(path).measured and recorded_race(path).machine == ""
    path.write_text(json.dumps(recording()), encoding="utf-8")
    found = recorded_race(path)
    assert found.machine == "NVIDIA H200, torch 2.11.0"
    assert found.times["one tile"]["ours"] == 10.0 and found.times["one tile"]["cudnn"] is None
    assert set(BACKENDS) < set(found.times["one tile"])
    path.write_text('{"figures": {}}', encoding="utf-8")
    with pytest.raises(UserError, match=r"kernels\.json: .*`kqa bench kernels`"):
        recorded_race(path)


@pytest.mark.slow
def test_the_tile_walk_ends_at_the_softmax_over_all_keys_in_every_order():
    weights = torch.from_numpy(LOGITS).softmax(0)
    output = weights @ torch.from_numpy(VALUES)
    said = "the output a/ℓ is ({:.2f}, {:.2f}).".format(*output.tolist())
    widget = tile_walk()
    assert "m rises from −∞ to 4" in widget.sentence
    widget.controls["tiles_done"].value = 5
    for order in ORDERS:
        widget.controls["order"].value = order
        assert (
            said in widget.sentence
            and f"ℓ is {float((torch.from_numpy(LOGITS) - 5).exp().sum()):.3f}" in widget.sentence
        )
    widget.controls["tiles_done"].value = 0
    assert "there is no output yet" in widget.sentence


@pytest.mark.slow
@pytest.mark.parametrize(("order", "below"), [*zip(ORDERS, ([1, 4], [1, 2, 4, 5], [1]), strict=True)])
def test_the_sums_shrink_at_the_tiles_that_the_notebook_names(order, below):
    found = []
    for tile in range(1, 6):
        said = draw_walk(new_figure(), tile, order)
        found += [tile] * (" m rises " in said)
        assert (" = 1.000. Now" in said) == (tile not in found)
    assert found == below


def test_the_memory_is_drawn_with_every_number_and_address():
    memory = torch.tensor([1.5, -2.0, math.nan, 4.0, 5.0])
    still = show_memory(memory, {"one": [1, 3], "two": [4]}, {"first": 0, "second": 3})
    texts = [text.get_text() for text in still.figure.axes[0].texts]
    assert [text for text in texts if text in ("1.5", "−2", "nan", "4", "5")].count("nan") == 1
    assert {"first", "second", "1.5", "−2", *map(str, range(5))} <= set(texts)
    assert still.sentence == "A memory of 5 numbers with their addresses, 0 to 4. one: 1, 3; two: 4."
    for groups, lines in (
        ({"one": [5]}, {"all": 0}),
        ({}, {"all": 1}),
        ({key: [0] for key in "abcdef"}, {"all": 0}),
    ):
        with pytest.raises(UserError, match="expected"):
            show_memory(memory, groups, lines)
    with pytest.raises(UserError, match="1 to 16 boxes"):
        show_memory(torch.zeros(17), {}, {"all": 0})


def test_the_worked_tile_has_the_output_that_is_computed_by_hand():
    strip = torch.full((4, 3, 2, 2), 5.0)
    strip[:3, :, 1] = torch.tensor(
        [
            [[1.0, 1.0], [2.0, 0.0], [0.0, 1.0]],
            [[1.0, 1.0], [1.0, 0.0], [-1.0, 1.0]],
            [[10.0, 0.0], [0.0, 10.0], [20.0, 20.0]],
        ]
    )
    strip[3] = math.nan
    tile = tile_key.one_tile(strip.flatten(), 2, 14, 26, 4, 3, 2, 4, False)
    exponentials = [math.exp(2 / 2**0.5), math.exp(1 / 2**0.5), 1.0]
    weights = [each / sum(exponentials) for each in exponentials]
    by_hand = [10 * weights[0] + 20 * weights[2], 10 * weights[1] + 20 * weights[2]]
    assert by_hand == pytest.approx([8.56, 5.64], abs=5e-3) and tile[0].tolist() == pytest.approx(
        by_hand, rel=1e-5
    )


def test_a_change_in_place_of_a_state_is_named():
    assert shared_state((3,)).args[1] == [(3,), (3,), (3, 1)]
    keys = {key.id: key for key in checked(NOTEBOOK)}
    for key in (online_key, merge_key):
        found = verdict(keys[key.KEY.id], key.changed_in_place, 3)
        assert found.outcome is Outcome.NOT_YET and "in place" in found.sentence


def test_the_table_that_is_counted_by_hand_is_the_references():
    counted = bytes_key.bytes_and_operations(1, 4, 2)
    assert {name: counted[name] for name in bytes_exercise.TABLE} == bytes_exercise.TABLE
    assert bytes_key.bytes_and_operations(2, 5, 3) == bytes_exercise.TWO_HEADS


def test_every_exercise_of_the_notebook_has_its_key():
    assert sum(find(key.id).points for key in checked(NOTEBOOK)) + find("why_one_tile").points == 22
