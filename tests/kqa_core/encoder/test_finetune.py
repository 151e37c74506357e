"""A fine-tuning run is a function of its configuration."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from kqa_core.encoder.finetune import FineTune, fine_tune, reinitialise
from kqa_core.encoder.sentiment import Sentiment
from kqa_core.errors import UserError

CONFIG = FineTune(batch_size=16, epochs=2, learning_rate=1e-3)


def weights(tuned):
    return torch.cat([parameter.detach().flatten() for parameter in tuned.model.parameters()])


def test_a_run_leaves_its_curves_and_does_not_touch_the_test(few, tiny_encoder):
    unseen = Sentiment(few.train, few.validation, ())
    tuned = fine_tune(CONFIG, unseen, tiny_encoder, show=False)
    assert len(tuned.curves.losses) == 2 * 3
    assert len(tuned.curves.validation_loss) == len(tuned.curves.validation_accuracy) == 3
    assert (
        not tuned.model.training and tuned.score(few.validation).value == tuned.curves.validation_accuracy[-1]
    )
    assert torch.equal(weights(tuned), weights(fine_tune(CONFIG, few, tiny_encoder, show=False)))


@pytest.mark.slow
def test_another_seed_is_another_run_and_nothing_else_is_drawn(few, tiny_encoder):
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    one = fine_tune(CONFIG, few, tiny_encoder, show=False)
    assert torch.equal(torch.rand(3), expected)
    assert not torch.equal(
        weights(one), weights(fine_tune(replace(CONFIG, seed=1), few, tiny_encoder, show=False))
    )


@pytest.mark.slow
def test_an_encoder_can_be_made_to_forget_or_be_frozen(few, tiny_encoder):
    before = fine_tune(
        replace(CONFIG, learning_rate=1e-12), few, tiny_encoder, show=False
    ).model.encoder.state_dict()

    def freeze(model):
        model.encoder.requires_grad_(False)

    frozen = fine_tune(CONFIG, few, tiny_encoder, show=False, prepare=freeze).model.encoder.state_dict()
    fresh = fine_tune(
        replace(CONFIG, learning_rate=1e-12), few, tiny_encoder, show=False, prepare=reinitialise
    ).model.encoder.state_dict()
    name = "embeddings.word_embeddings.weight"
    torch.testing.assert_close(frozen[name], before[name])
    assert fresh[name].shape == before[name].shape and (fresh[name] - before[name]).abs().max() > 1e-2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"batch_size": 0}, "batch_size: must be above 0, not 0"),
        ({"learning_rate": -1.0}, "learning_rate"),
        ({"epochs": 0}, "epochs"),
        ({"dropout": 1.5}, r"dropout: must lie in 0\.\.1, not 1\.5"),
        ({"weight_decay": -0.1}, "weight_decay"),
        ({"optimizer": "lion"}, "optimizer: adamw, sgd, adagrad are known, not 'lion'"),
        ({"pooling": "max"}, "pooling: first, mean are known, not 'max'"),
    ],
)
def test_what_cannot_be_trained_is_named(few, tiny_encoder, change, said):
    with pytest.raises(UserError, match=said):
        fine_tune(replace(CONFIG, **change), few, tiny_encoder, show=False)


def test_without_sentences_nothing_is_trained(few, tiny_encoder):
    with pytest.raises(UserError, match="there are none"):
        fine_tune(CONFIG, Sentiment((), few.validation, ()), tiny_encoder, show=False)
