"""The figures of notebook 05 say what is so."""

import pytest
import torch

from kqa_core.experiments.mini_transformer import VARIANTS, lab_model
from kqa_core.experiments.results import LabResults
from kqa_core.model.positions import sinusoidal_positions
from kqa_core.model.variants.rope import angles, rotate
from kqa_core.show.figures.nb05_lab import alike, batch_curves, draw_positions, influence_maps, influences
from kqa_core.show.kit.palette import new_figure

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
