"""Notebook 11: the oracles, the counts and the bounds that its checks rest on, and what it shows."""

import importlib
import json
import math
import random

import pytest
import torch
from course_exercises._kernel_parts import attention_of, heads, nothing_read, p_value, same_state, state_after
from course_exercises.merge_states import halves
from course_keys import bytes_and_operations as bytes_key
from course_keys import gather_corruption as gather_key
from course_keys import merge_states as merge_key
from course_keys import one_tile as tile_key
from course_keys import online_softmax as online_key
from course_keys import roofline as roofline_key
from judged_keys import checked

from kqa_core.check.exercise import NotYet
from kqa_core.check.helpers.transformer_parts import draw
from kqa_core.check.registry import find
from kqa_core.errors import UserError
from kqa_core.experiments.kernel_race import BACKENDS, NOT_MEASURED, PARTS, can_race, race, race_table
from kqa_core.experiments.results import recorded_race
from kqa_core.kernels import one_tile as operator
from kqa_core.kernels.flat_memory import load
from kqa_core.show.figures.nb11_roofline import PROCESSORS, roofline_figure, roofline_slider
from kqa_core.text.span_corruption import DocumentTable, corrupt_rows, spans
from kqa_core.text.vocabulary import Vocabulary

NOTEBOOK = "11_kernels"


@pytest.mark.parametrize("seed", range(12))
def test_any_chunks_give_the_softmax_over_all(seed):
    rng = random.Random(seed)
    n, d = rng.randint(1, 40), rng.randint(1, 6)
    logits, values = draw(rng, n, scale=10 ** rng.uniform(-2, 3)), draw(rng, n, d)
    logits[1:][torch.rand(n - 1, generator=torch.Generator().manual_seed(seed)) < 0.3] = -math.inf
    state, start = nothing_read(d), 0
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
    same_state(merge(a, nothing_read(6, 4)), a, "")
    same_state(merge(nothing_read(6, 4), nothing_read(6, 4)), nothing_read(6, 4), "")


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


def test_load_reads_what_is_inside_and_nothing_else():
    memory = torch.arange(5.0)
    got = load(memory, torch.tensor([[4, 5], [-1, 0]]), torch.tensor([[True, False], [False, True]]), other=-7.0)
    assert got.tolist() == [[4.0, -7.0], [-7.0, 0.0]]
    for where in (5, -1):
        with pytest.raises(IndexError, match=f"address {where} lies outside the memory"):
            load(memory, torch.tensor([where]), torch.tensor([True]))


def test_a_gather_by_the_indices_is_the_librarys_row():
    text = "the quick brown fox jumps over a lazy dog"
    documents = DocumentTable([text * 4, text[:9], text[:2], ""], Vocabulary.from_text(text))
    rows = torch.arange(4).repeat(50)
    steps = torch.arange(200)
    length, start, masked = spans(documents, rows, 64, 3, steps)
    index = gather_key.gather_corruption(length, start, masked, 64)
    places = torch.where(
        index >= 0, documents.offsets[rows][:, None] + index, torch.where(index == -1, 0, len(documents.flat) - 1)
    )
    assert torch.equal(documents.flat[places], corrupt_rows(documents, rows, 64, 3, steps))


def test_a_chi_square_of_two_degrees_is_an_exponential():
    counts = torch.tensor([40, 25, 35])
    statistic = sum((n - 100 / 3) ** 2 / (100 / 3) for n in counts.tolist())
    assert p_value(counts, 100 / 3) == pytest.approx(math.exp(-statistic / 2))


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
    assert {name: sum(each.nbytes for each in tensors) for name, tensors in moved.items()} == {n: b for n, (b, _) in said.items()}
    product = sum(2 for _ in range(T) for _ in range(T) for _ in range(d)) * N
    assert [said[name][1] / product for name in moved] == [2, 2, 2, 5]


def test_below_the_ridge_it_is_memory():
    for name, gpu in PROCESSORS.items():
        for factor in (0.5, 0.99, 1.01, 2.0):
            seconds, bound = roofline_key.roofline(1e9, 1e9 * gpu.ridge * factor, gpu.bandwidth, gpu.peak)
            assert bound == ("memory" if factor < 1 else "compute"), name
            assert seconds == pytest.approx(1e9 / gpu.bandwidth * max(1.0, factor))


def test_the_figure_fills_what_was_measured_and_says_so():
    kernels = {"one": (1e6, 1e8), "two": (1e6, 1e6)}
    assert "Nothing was measured" in roofline_figure(kernels).sentence
    said = roofline_figure(kernels, "H200", {"one": 1e-6}).sentence  # 1e8 operations in a microsecond
    assert "one has 100.0 operations a byte and can reach 480 TFLOP/s, measured 100" in said and "Filled" in said


def test_the_slider_moves_the_kernels():
    widget = roofline_slider(bytes_key.bytes_and_operations)
    assert "one tile has 64.0 operations a byte and can reach 307 TFLOP/s" in widget.sentence
    widget.controls["length"].value = 512
    assert "one tile has 256.0 operations a byte and can reach 989 TFLOP/s" in widget.sentence
    widget.controls["processor"].value = "T4"
    assert "The roof of one T4" in widget.sentence and "can reach 65 TFLOP/s" in widget.sentence


@pytest.mark.skipif(can_race(), reason="this machine has a GPU")
def test_without_a_gpu_nothing_is_measured_and_every_line_says_so():
    times = race()
    assert {part: tuple(taken) for part, taken in times.items()} == {part: names for part, (_, names) in PARTS.items()}
    lines = race_table(times).splitlines()
    assert len(lines) == 11 and all(line.endswith(NOT_MEASURED) for line in lines)


@pytest.mark.skipif(can_race(), reason="this machine has a GPU")
def test_the_benchmark_says_not_measured_and_leaves_figures_of_another_machine(tmp_path, monkeypatch, capsys):
    from benchmarks import _common
    from benchmarks import kernels as benchmark

    monkeypatch.setattr(_common, "RESULTS", tmp_path)
    path = tmp_path / "kernels.json"
    monkeypatch.setattr(benchmark, "recorded_race", lambda: recorded_race(path))
    benchmark.main()
    assert capsys.readouterr().out.splitlines()[-1].startswith("kernels: not measured: that takes a GPU and Triton (bar one tile")
    assert not recorded_race(path).measured
    path.write_text(json.dumps(recording()), encoding="utf-8")
    kept = path.read_bytes()
    benchmark.main()
    assert path.read_bytes() == kept and "stay" in capsys.readouterr().out


def recording():
    """What the benchmark writes on a machine with a GPU."""
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


def test_every_exercise_of_the_notebook_has_its_key():
    assert importlib.import_module("course_keys.why_one_tile").KEY.id == "why_one_tile"
    assert sum(find(key.id).points for key in checked(NOTEBOOK)) + find("why_one_tile").points == 25
