"""The lab's text, its runs, and what it measures;
and that the recorded table is there and means what it says.
"""

import json
import math
from dataclasses import replace

import pytest
import torch

from kqa_core.errors import UserError
from kqa_core.evaluation.probes import reads_the_future
from kqa_core.experiments import mini_transformer
from kqa_core.experiments.mini_transformer import (
    BATCH,
    LONG,
    MEASURED,
    ROW_LENGTH,
    VARIANTS,
    WORLD,
    by_batch_size,
    lab_model,
    lab_text,
    loss_of_rows,
    loss_of_sentences,
    loss_word_by_word,
    lr_factor,
    raw_norm,
    rows_of,
    train_lab,
    words_of,
)
from kqa_core.experiments.results import PUBLISHED, recorded_lab
from kqa_core.experiments.small_models import draw_weights

SMALL = replace(WORLD, train=150)


@pytest.fixture(scope="module")
def text():
    return lab_text(SMALL)


def test_words_and_signs_come_apart():
    assert words_of("Bo Ty, 7 (b. 1801).") == ["Bo", "Ty", ",", "7", "(", "b", ".", "1801", ")", "."]


def test_a_scrambled_sentence_has_the_words_of_the_normal_one_in_another_order(text):
    assert len(text.normal) == len(text.scrambled) > 20
    for normal, scrambled in zip(text.normal, text.scrambled, strict=True):
        assert sorted(normal.tolist()) == sorted(scrambled.tolist()) and normal[0] == scrambled[0] == 2
    assert any(not torch.equal(*pair) for pair in zip(text.normal, text.scrambled, strict=True))


def test_sentences_are_lines_of_dev_and_long_ones_longer_than_any_row(text):
    dev = " ".join(map(str, text.dev.tolist()))
    assert all(" ".join(map(str, each.tolist())) in dev for each in (*text.normal, *text.long))
    assert all(len(each) == LONG > ROW_LENGTH for each in text.long)


@pytest.mark.slow
def test_the_text_is_the_same_each_time_and_holds_few_unknown_words():
    full = lab_text()
    assert torch.equal(full.train, lab_text().train)
    assert float((full.train == 1).float().mean()) < 0.01 and (full.train != 0).all()
    assert len(full.vocabulary) == 695  # what the notebook says of it


def test_a_row_ends_with_the_target_that_begins_the_next():
    rows = rows_of(torch.arange(100), length=32)
    assert rows.shape == (3, 33) and rows[0, -1] == rows[1, 0] == 32


@pytest.mark.slow
def test_a_run_is_a_function_of_its_row_and_its_seed_and_learns(text):
    runs = [train_lab(text, VARIANTS["shuffle"], seed, steps=25) for seed in (3, 3, 4)]
    same, other = (
        [torch.equal(a, b) for a, b in zip(runs[0].parameters(), run.parameters(), strict=True)]
        for run in runs[1:]
    )
    assert all(same) and not all(other)
    assert loss_of_rows(runs[0], text.dev) < math.log(len(text.vocabulary)) - 0.5


def test_a_run_leaves_the_global_generator_alone(text):
    torch.manual_seed(8)
    wanted = torch.rand(1)
    torch.manual_seed(8)
    train_lab(text, VARIANTS["shuffle"], 0, steps=2)
    assert torch.equal(torch.rand(1), wanted)


def test_rows_of_one_seed_start_from_the_same_weights():
    plain, leaky = (lab_model(50, VARIANTS[name], seed=2) for name in ("learned", "norm-reweight"))
    assert all(torch.equal(a, b) for a, b in zip(plain.parameters(), leaky.parameters(), strict=True))


@pytest.mark.parametrize("name", VARIANTS)
def test_each_row_is_causal_or_known_to_leak(name):
    model = lab_model(30, VARIANTS[name], seed=0).double().eval()
    tokens = torch.randint(1, 30, (2, 7), generator=torch.Generator().manual_seed(1))
    leaks = name in ("norm-reweight", "raw-norm")
    assert reads_the_future(model, tokens) is leaks


def test_a_raw_norm_is_that_of_a_heads_channels_in_the_whole_batch():
    x = torch.randn(3, 5, 6, dtype=torch.float64)
    for head in range(2):
        part = x[:, :, 3 * head : 3 * head + 3]
        assert torch.allclose(raw_norm(x, 2)[:, :, 3 * head : 3 * head + 3], part * part.norm())


@pytest.mark.slow
def test_only_a_norm_over_the_batch_minds_how_many_rows_are_read_at_once(text):
    for name in ("learned", "norm-reweight", "raw-norm"):
        model = lab_model(len(text.vocabulary), VARIANTS[name], 0).eval()
        draw_weights(model, 1, scale=0.1)  # a fresh model's heads hardly count
        losses = by_batch_size(model, text, sizes=(1, 24))
        gap = abs(losses[1] - losses[24])
        assert gap > 1e-3 if name == "raw-norm" else gap < 1e-5


@pytest.mark.slow
def test_word_by_word_is_the_same_for_a_causal_model_and_not_for_a_leak(text):
    for name in ("learned", "norm-reweight-causal", "norm-reweight"):
        model = train_lab(text, VARIANTS[name], 0, steps=20)
        gap = abs(loss_of_sentences(model, text.normal[:4]) - loss_word_by_word(model, text.normal[:4]))
        assert gap > 1e-4 if name == "norm-reweight" else gap < 1e-5


def test_the_loss_of_rows_is_the_mean_over_all_their_words(text):
    model = lab_model(len(text.vocabulary), VARIANTS["learned"], 0).eval()
    rows = rows_of(text.dev)[: 2 * BATCH]
    with torch.no_grad():
        log_p = model(rows[:, :-1])[0].log_softmax(-1)
    wanted = -log_p.gather(-1, rows[:, 1:, None]).mean()
    assert loss_of_rows(model, text.dev, most=2 * BATCH) == pytest.approx(float(wanted), rel=1e-5)


def test_the_rate_rises_and_falls_to_a_tenth():
    rates = [lr_factor(step, 100) for step in range(100)]
    assert (
        max(rates) == pytest.approx(1.0)
        and rates[0] == pytest.approx(0.2)
        and rates[-1] == pytest.approx(0.1, abs=0.001)
    )
    assert rates[5:] == sorted(rates[5:], reverse=True)


@pytest.mark.slow
def test_a_finished_run_is_loaded_and_another_one_trained(text, tmp_path, monkeypatch, capsys):
    def run(row="learned", seed=0, steps=2):
        seen = []
        model = train_lab(
            text, VARIANTS[row], seed, steps, watch=lambda *loss: seen.append(loss), folder=tmp_path
        )
        return seen, {name: weight.tolist() for name, weight in model.state_dict().items()}

    first = run()
    [file] = tmp_path.iterdir()
    assert not capsys.readouterr().out
    assert run() == first
    assert not capsys.readouterr().out, "it was trained here"
    monkeypatch.setattr(mini_transformer, "_told", set())  # as in a new kernel
    assert run() == run() == first
    said = capsys.readouterr().out
    assert said.startswith(f"loaded from {'/'.join(file.parts[-3:])}, trained on 2") and said.count("\n") == 1
    for changed in ({"row": "raw-norm"}, {"seed": 1}, {"steps": 3}):
        assert run(**changed) != first, changed
    assert not capsys.readouterr().out and len(list(tmp_path.iterdir())) == 4
    file.write_bytes(file.read_bytes()[:100])
    assert run() == first
    assert capsys.readouterr().out.endswith(f"{file.name} cannot be read, so the training begins anew.\n")
    train_lab(text, VARIANTS["learned"], 0, steps=1, folder=file)
    assert ": could not be written (" in capsys.readouterr().out


def test_no_steps_are_refused(text):
    with pytest.raises(UserError, match="at least one step"):
        train_lab(text, VARIANTS["learned"], 0, steps=0)


def test_the_recorded_table_has_three_seeds_of_every_row_and_every_figure():
    results = recorded_lab()
    assert results.seeds >= 3 and set(results.losses) == set(VARIANTS)
    for row in VARIANTS:
        assert set(results.losses[row]) == set(MEASURED)
        each = [*results.losses[row].values(), *results.batches[row].values()]
        assert all(len(losses) == results.seeds and all(0 < loss < 40 for loss in losses) for losses in each)


def test_the_recorded_table_shows_what_the_notebook_says_of_it():
    results = recorded_lab()
    for where in ("train", "dev"):  # the leak looks better, the repair is the plain model again
        assert results.ratio("norm-reweight", "learned", where)[0] < 0.98
        assert abs(results.ratio("norm-reweight-causal", "learned", where)[0] - 1) < 0.015
    assert (
        results.ratio("norm-reweight", "learned", "word by word")[0]
        > results.ratio("norm-reweight", "learned", "dev")[0] + 0.015
    )
    assert results.ratio("raw-norm", "learned", "normal")[0] > 4  # the collapse
    for row in set(VARIANTS) - {"norm-reweight", "raw-norm"}:
        for whole, stepwise in zip(
            results.losses[row]["normal"], results.losses[row]["word by word"], strict=True
        ):
            assert whole == pytest.approx(stepwise, abs=1e-3)


def test_the_table_prints_a_line_a_row_and_perplexities():
    lines = recorded_lab().table(rows=("learned", "rotary"), columns=("train", "long")).splitlines()
    assert len(lines) == 3 and lines[1].startswith("learned") and lines[1].count("±") == 2


def test_a_missing_or_broken_table_is_said_to_be_so(tmp_path):
    path = tmp_path / "mini_transformer.json"
    for content in (None, "{", "[]", json.dumps({"figures": {"rows": 3, "seeds": []}})):
        if content is not None:
            path.write_text(content, encoding="utf-8")
        with pytest.raises(UserError, match="kqa bench mini_transformer"):
            recorded_lab(path)


def test_the_published_figures_are_the_printed_ones():
    assert PUBLISHED["learned"] == {"train": 401.0, "dev": 380.8, "single sentence": 280.2}
    assert PUBLISHED["sinusoidal"] == {"train": 525.0}
    assert PUBLISHED["norm-reweight"] == {"train": 362.8, "dev": 345.6, "single sentence": 2_200_000.0}
