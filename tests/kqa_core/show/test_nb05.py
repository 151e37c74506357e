"""The figures of notebook 05 say what is so."""

import math

import numpy as np
import pytest
import torch

from kqa_core.errors import UserError
from kqa_core.experiments.mini_transformer import VARIANTS, lab_model
from kqa_core.experiments.results import LabResults
from kqa_core.model.positions import sinusoidal_positions
from kqa_core.model.variants.rope import angles, rotate
from kqa_core.show.figures.nb05_lab import alike, batch_curves, draw_positions, influence_maps, influences
from kqa_core.show.figures.nb05_paired import show_paired_test
from kqa_core.show.figures.nb05_rotary import EXPONENTS, FURTHEST, frequencies, likeness, rotary_slider
from kqa_core.show.figures.nb05_runs import live_runs, runs_figure
from kqa_core.show.kit.palette import new_figure
from kqa_core.stats import paired

LEARNED = torch.cat((torch.randn(5, 6, generator=torch.Generator().manual_seed(1)), torch.zeros(4, 6)))
WORDS = tuple(f"w{number}" for number in range(20))
TOKENS = torch.tensor([2, 7, 9, 4, 12, 5])


@pytest.mark.parametrize("kind", ["sinusoidal", "rotary"])
def test_how_alike_two_positions_are_hangs_on_their_distance_alone(kind):
    found = alike(kind, 9, LEARNED)
    for distance in range(9):
        along = found.diagonal(distance)
        assert torch.allclose(along, along[0].expand_as(along), atol=1e-6)
    assert torch.allclose(found, found.T) and torch.allclose(
        found.diagonal(), torch.ones(9, dtype=torch.float64), atol=1e-6
    )


def test_waves_are_compared_by_their_cosine():
    rows = sinusoidal_positions(9, 6).double()
    assert torch.allclose(
        alike("sinusoidal", 9, LEARNED), torch.nn.functional.cosine_similarity(rows[:, None], rows, dim=-1)
    )


def test_rotary_is_what_turning_does_to_the_product_of_a_vector_with_itself():
    # (T, d): one vector everywhere
    turned = rotate(torch.ones(9, 16, dtype=torch.float64), angles(torch.arange(9), 16).double())
    assert torch.allclose(alike("rotary", 9, LEARNED), turned @ turned.T / 16, atol=1e-5)


def test_rows_that_were_never_trained_are_like_nothing():
    found = alike("learned", 9, LEARNED)
    assert (
        torch.allclose(found[:5, :5].diagonal(), torch.ones(5, dtype=torch.float64))
        and (found[5:] == 0).all()
    )


@pytest.mark.slow
def test_the_widget_draws_every_kind_at_both_ends_and_says_what_is_seen():
    for kind in ("sinusoidal", "rotary", "learned"):
        for position in (0, 4, 8):
            figure = new_figure(10, 3.6)
            said = draw_positions(figure, kind, position, LEARNED, 5)
            # with the colour bar
            assert said.startswith(kind) and str(position) in said and len(figure.axes) == 3
    assert "never occurred" in said


def test_a_plain_model_feels_no_later_word_and_a_re_weighted_one_does():
    plain, leaky = (
        influences(lab_model(20, VARIANTS[name], 0), TOKENS, 20) for name in ("learned", "norm-reweight")
    )
    assert (plain.triu(1) == 0).all() and (plain.tril() > 0).any(dim=1).all()
    assert (leaky.triu(1) > 0).any() and leaky.max() <= 1


def test_the_maps_say_which_model_reads_ahead():
    models = {name: lab_model(20, VARIANTS[name], 0) for name in ("learned", "norm-reweight")}
    said = influence_maps(models, TOKENS, WORDS).sentence
    assert (
        "plain: no prediction depends on a later word" in said
        and "re-weighted over the row: above the diagonal, predictions change" in said
    )


def test_the_batch_curves_tell_their_ends_and_their_best():
    results = LabResults({}, {"learned": {1: [2.0, 2.0], 24: [1.0, 1.0], 48: [1.5, 1.5]}}, 2)
    said = batch_curves(results, rows=("learned",)).sentence
    assert "learned: 7.4 at 1 row, 2.7 at best, 4.5 at 48" in said


@pytest.mark.parametrize("theta", [10.0, 10_000.0])
def test_the_widget_computes_the_logit_of_two_vectors_that_are_alike(theta):
    # pairs (1, 0), whose dot product is the cosine
    ones = torch.tensor([1.0, 0.0]).repeat(16).expand(FURTHEST + 1, 32).double()
    turned = rotate(ones, angles(torch.arange(FURTHEST + 1), 32, theta).double())
    logits = (turned @ turned[0]).numpy() / 16
    np.testing.assert_allclose(
        likeness(np.arange(FURTHEST + 1), theta, -1.0), logits, atol=1e-4
    )  # the library's angles are float32


def test_with_the_sign_wrong_no_pair_is_slower_than_a_radian_a_step():
    assert (frequencies(10_000.0, -1.0) <= 1).all()
    assert (frequencies(10_000.0, 1.0) >= 1).all()


@pytest.mark.slow
def test_the_slider_draws_anew_and_says_so():
    widget = rotary_slider(8)
    assert "at distance 8 the logit" in widget.sentence and "1 of 16 pairs" in widget.sentence
    before = widget.png
    widget.controls["exponent"].value = list(EXPONENTS)[1]
    assert widget.png != before and "+2m/d" in widget.sentence
    widget.controls["distance"].value = 0
    assert "1.00 of what it is at distance 0; 0 of 16" in widget.sentence


CASES = (
    ([61.0, 58.0, 63.0], [47.0, 50.0, 44.0]),  # t = 4.3: just below the limit
    ([8.425, 8.519, 8.543], [8.617, 8.685, 8.72]),
    ([1.0, 2.0, 3.0, 4.0], [1.5, 1.0, 3.5, 3.2]),
)


@pytest.mark.parametrize("case", CASES)
def test_the_sentence_gives_the_verdict_of_the_test_both_ways_round(case):
    for first, second in (case, case[::-1]):
        said = show_paired_test(first, second, ("a", "b")).sentence
        assert ("not shown to differ" in said) is (paired(first, second) > 0.05) and said.startswith(
            "a minus b: "
        )


def test_the_interval_and_t_are_those_of_the_formula():
    said = show_paired_test([3.0, 5.0, 7.0], [1.0, 2.0, 3.0]).sentence  # differences 2, 3, 4: mean 3, s.d. 1
    half = 4.3027 / math.sqrt(3)
    assert (
        f"{3 - half:.3g} to {3 + half:.3g}" in said
        and f"t = {3 * math.sqrt(3):.1f} against a limit of 4.30" in said
    )


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ([1.0], [2.0], "at least 2"),
        ([1.0, 2.0], [1.0], "one length"),
        ([1.0, 2.0], [0.0, 1.0], "deviation is 0"),
    ],
)
def test_lists_without_a_test_are_refused_in_one_line(first, second, said):
    with pytest.raises(UserError, match=said):
        show_paired_test(first, second)


def test_every_run_has_a_line_and_every_variant_one_label():
    losses = {("plain", 0): [2.0, 1.0], ("mine", 0): [2.0, 0.0], ("plain", 1): [2.0]}
    still = runs_figure(losses, ("plain", "mine"), 10, 8.0)
    axes = still.figure.axes[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["plain", "mine"]
    assert len(axes.get_lines()) == 4  # three runs and the line of guessing
    assert "plain, seed 1: 7.39 after 1 steps" in still.sentence


def test_the_picture_before_the_first_run_says_so():
    assert "No run has started" in runs_figure({}, ("plain",), 10, None).sentence


def test_a_run_that_never_took_a_step_is_drawn_with_the_others():
    still = runs_figure({("plain", 0): [2.0], ("mine", 0): []}, ("plain", "mine"), 10, None)
    assert "plain, seed 0: 7.39 after 1 steps; mine, seed 0: no step yet" in still.sentence


def test_outside_a_notebook_the_losses_are_kept_and_nothing_is_shown(capsys):
    with live_runs(("plain",), 3) as picture:
        watch = picture.watch("plain", 0)
        for step in range(3):
            watch(step + 1, 2.0 - step)
    assert picture.losses == {("plain", 0): [2.0, 1.0, 0.0]} and capsys.readouterr().out == ""
    with live_runs(("plain",), 3) as picture:  # a run that starts again starts a new curve
        picture.watch("plain", 0)(1, 5.0)
        picture.watch("plain", 0)(1, 4.0)
    assert picture.losses == {("plain", 0): [4.0]}
