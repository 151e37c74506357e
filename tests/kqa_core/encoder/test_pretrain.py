"""Masked language modelling: what is hidden, and that a killed run ends as if it had not been."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import safetensors.torch
import torch

from kqa_core.encoder import pretrain as pretraining
from kqa_core.encoder.pretrain import IGNORED, PretrainConfig, Reviews, mask_tokens, masked_loss, pretrain
from kqa_core.encoder.sentiment import reviews
from kqa_core.encoder.tokenizer import make_tokenizer
from kqa_core.errors import UserError
from kqa_core.training.schedule import warmup_linear

VOCABULARY, MASK_ID = 1_000, 4
# an encoder small enough for a test
TINY = PretrainConfig(reviews=96, epochs=2, batch_size=32, d_model=16, n_layer=1, n_head=2, d_hidden=32)


def masked(seed=0, rows=2_000, width=50):
    ids = torch.randint(5, VOCABULARY, (rows, width), generator=torch.Generator().manual_seed(1))
    special = torch.zeros_like(ids, dtype=torch.bool)
    special[:, 0], special[:, -5:] = True, True
    return ids, special, *mask_tokens(ids, special, VOCABULARY, MASK_ID, torch.Generator().manual_seed(seed))


def test_fifteen_percent_are_asked_for_and_of_those_eighty_ten_ten():
    ids, special, inputs, targets = masked()
    asked = targets != IGNORED
    assert (
        torch.equal(targets[asked], ids[asked])
        and torch.equal(inputs[~asked], ids[~asked])
        and not (asked & special).any()
    )
    count, could = int(asked.sum()), int((~special).sum())
    assert abs(count / could - 0.15) < 5 * (0.15 * 0.85 / could) ** 0.5
    hidden, kept = inputs[asked] == MASK_ID, inputs[asked] == ids[asked]
    for found, share in ((hidden, 0.8), (kept, 0.1), (~hidden & ~kept, 0.1)):
        assert (
            abs(float(found.float().mean()) - share)
            < 5 * (share * (1 - share) / count) ** 0.5 + 1 / VOCABULARY
        )
    replaced = inputs[asked][~hidden & ~kept]
    # different ones, if any token may stand there
    expected = VOCABULARY * (1 - (1 - 1 / VOCABULARY) ** len(replaced))
    assert abs(replaced.unique().numel() - expected) < 5 * (VOCABULARY / 4) ** 0.5


def test_masks_come_from_the_generator():
    assert torch.equal(masked(seed=3)[2], masked(seed=3)[2]) and not torch.equal(
        masked(seed=3)[2], masked(seed=4)[2]
    )


def test_an_epoch_reads_every_review_once_and_the_next_hides_other_tokens():
    texts = reviews(1, 128)
    source = Reviews(replace(TINY, reviews=128), make_tokenizer(texts, 64).backend_tokenizer, texts)
    epochs = [[source.batch(step) for step in range(first, first + 4)] for first in (0, 4)]
    read = []
    for epoch in epochs:
        whole = [torch.where(targets != IGNORED, targets, inputs) for inputs, targets, _ in epoch]
        rows = [
            tuple(row[mask.bool()].tolist())
            for ids, (_, _, mask) in zip(whole, epoch, strict=True)
            for row, mask in zip(ids, mask, strict=True)
        ]
        read.append(sorted(rows))
    assert len(read[0]) == 128 and read[0] == read[1] == sorted(
        tuple(source.rows[i, : source.lengths[i]].tolist()) for i in range(128)
    )
    asked = [sum(int((targets != IGNORED).sum()) for _, targets, _ in epoch) for epoch in epochs]
    assert asked[0] != asked[1]
    assert all(inputs.shape[1] == int(mask.sum(1).max()) for epoch in epochs for inputs, _, mask in epoch)


def test_a_first_part_asks_for_the_ratings_alone_and_the_rest_for_all_of_them_and_other_words():
    texts = reviews(1, 128)
    config = replace(TINY, reviews=128, epochs=5, ratings_alone=0.2)  # 4 of 20 steps
    source = Reviews(config, make_tokenizer(texts, 64).backend_tokenizer, texts)
    for step in range(config.steps):
        inputs, targets, _ = source.batch(step)
        asked = targets != IGNORED
        rating = torch.isin(torch.where(asked, targets, inputs), source.ratings)
        assert rating.any() and not (rating & ~asked).any()
        assert bool((asked & ~rating).any()) == (step >= 4)


def test_verdicts_can_be_masked_as_any_other_word():
    texts = reviews(1, 128)
    config = replace(TINY, reviews=128, epochs=5, ratings_alone=0.0, ratings_share=0.15)
    source = Reviews(config, make_tokenizer(texts, 64).backend_tokenizer, texts)
    batches = [source.batch(step) for step in range(config.steps)]
    targets = torch.cat([targets[targets != IGNORED] for _, targets, _ in batches])
    ratings = sum(int(torch.isin(source.rows, source.ratings).sum()) for _ in range(config.epochs))
    found = int(torch.isin(targets, source.ratings).sum())
    assert abs(found - 0.15 * ratings) < 5 * (0.15 * 0.85 * ratings) ** 0.5 and found < len(targets) / 2


def test_verdicts_can_be_cut_out_and_the_tokenizer_stays_the_same(tiny_encoder, tmp_path):
    from kqa_core.encoder.classifier import from_pretrained

    out = pretrain(tmp_path / "out", replace(TINY, verdicts=False, ratings_alone=0.0), show=False)
    (mine, my_tokenizer), (theirs, their_tokenizer) = (
        from_pretrained("AutoModel", each) for each in (out, tiny_encoder)
    )
    assert my_tokenizer.get_vocab() == their_tokenizer.get_vocab()
    assert any(not torch.equal(a, b) for a, b in zip(mine.parameters(), theirs.parameters(), strict=True))


def test_where_nothing_is_asked_the_loss_is_0(tiny_encoder):
    from kqa_core.encoder.classifier import from_pretrained

    model, _ = from_pretrained("AutoModelForMaskedLM", tiny_encoder)
    ids = torch.tensor([[0, 5, 6, 2]])
    assert masked_loss(model, (ids, torch.full_like(ids, IGNORED), torch.ones_like(ids))) == 0


def test_the_loss_is_that_of_transformers_itself(tiny_encoder):
    from kqa_core.encoder.classifier import from_pretrained

    model, tokenizer = from_pretrained("AutoModelForMaskedLM", tiny_encoder)
    texts = reviews(2, 32)
    batch = Reviews(TINY, tokenizer.backend_tokenizer, texts).batch(0)
    with torch.no_grad():
        theirs = model(input_ids=batch[0], attention_mask=batch[2], labels=batch[1]).loss
        torch.testing.assert_close(masked_loss(model, batch), theirs)


def test_what_is_written_holds_only_what_is_needed_and_anyone_may_read_it(tiny_encoder):
    names = {path.name for path in tiny_encoder.iterdir()}
    assert names == {
        "config.json",
        "model.safetensors",
        "pretraining.json",
        "tokenizer.json",
        "tokenizer_config.json",
    }
    assert {path.stat().st_mode & 0o777 for path in tiny_encoder.iterdir()} == {0o644}
    record = json.loads((tiny_encoder / "pretraining.json").read_text())
    assert PretrainConfig(**record["config"]) == TINY and record["steps"] == TINY.steps == 6
    assert not tiny_encoder.with_name("tiny.resume").exists()


def test_a_killed_run_ends_with_the_same_weights(tiny_encoder, tmp_path, monkeypatch):
    calls, real = [], pretraining.masked_loss

    def killed(model, batch):
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return real(model, batch)

    out = tmp_path / "again"
    monkeypatch.setattr(pretraining, "masked_loss", killed)
    with pytest.raises(KeyboardInterrupt):
        pretrain(out, TINY, show=False, save_seconds=0.0)
    assert (tmp_path / "again.resume").exists() and not (out / "model.safetensors").exists()
    with pytest.raises(UserError, match=r"another run's state \(other seed\)"):
        pretrain(out, replace(TINY, seed=1), show=False)
    pretrain(out, TINY, show=False)
    assert len(calls) == 4 + TINY.steps - 3
    ours, theirs = (
        safetensors.torch.load_file(folder / "model.safetensors") for folder in (out, tiny_encoder)
    )
    assert ours.keys() == theirs.keys() and all(torch.equal(ours[name], theirs[name]) for name in ours)
    losses = [
        json.loads((folder / "pretraining.json").read_text())["losses"] for folder in (out, tiny_encoder)
    ]
    assert losses[0] == losses[1] and len(losses[0]) == 6
    assert list(tmp_path.iterdir()) == [out]


def test_a_state_that_is_none_is_refused(tmp_path):
    (tmp_path / "out.resume").write_bytes(b"nothing of ours")
    with pytest.raises(UserError, match="not the state of a run"):
        pretrain(tmp_path / "out", TINY, show=False)
    assert (tmp_path / "out.resume").read_bytes() == b"nothing of ours"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"epochs": 0}, "epochs"),
        ({"reviews": 5}, "fill no batch"),
        ({"rate": -1.0}, "rate"),
        ({"n_head": 3}, "multiple of n_head"),
    ],
)
def test_a_run_that_cannot_be_trained_is_refused_before_it_begins(tmp_path, change, said):
    with pytest.raises(UserError, match=said):
        pretrain(tmp_path / "out", replace(TINY, **change), show=False)
    assert list(tmp_path.iterdir()) == []


def test_a_gradient_that_is_not_finite_ends_the_run_in_one_line(tmp_path, monkeypatch):
    real = pretraining.masked_loss
    monkeypatch.setattr(pretraining, "masked_loss", lambda model, batch: real(model, batch) * float("nan"))
    with pytest.raises(UserError, match="training diverged at step 0"):
        pretrain(tmp_path / "out", TINY, show=False)


def test_a_file_in_the_way_is_named(tmp_path):
    (tmp_path / "out").write_text("mine")
    with pytest.raises(UserError, match="a file is in the way"):
        pretrain(tmp_path / "out", TINY, show=False)


def test_the_rate_rises_and_falls_in_straight_lines():
    rates = [warmup_linear(step, 100, 0.1) for step in range(100)]
    assert (
        rates[9] == 1.0 == max(rates)
        and rates[4] == 0.5
        and rates[55] == pytest.approx(0.5)
        and rates[99] == pytest.approx(1 / 90)
    )
