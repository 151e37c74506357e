"""Batches, the classifier and a training step, with an encoder that has hardly read anything."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from kqa_core.encoder.classifier import (
    MAX_LENGTH,
    LengthGroups,
    SentimentClassifier,
    collate,
    evaluate,
    from_pretrained,
    load_encoder,
    make_loader,
    make_optimizer,
    predict,
    train_epoch,
)
from kqa_core.encoder.prompting import PromptClassifier, fill_mask
from kqa_core.encoder.sentiment import Example
from kqa_core.errors import UserError

SHORT, LONG = ("the plot is clever .", 1), ("although i enjoyed the plot , the cast is far from good .", 0)


@pytest.fixture(scope="module")
def loaded(tiny_encoder):
    return load_encoder(tiny_encoder)


@pytest.fixture
def model(tiny_encoder):
    torch.manual_seed(0)
    return SentimentClassifier(load_encoder(tiny_encoder)[0])


@pytest.mark.slow
def test_a_batch_is_as_long_as_its_longest_sentence_and_its_mask_marks_the_tokens(loaded):
    _, tokenizer = loaded
    batch = collate([SHORT, LONG], tokenizer)
    lengths = [len(tokenizer(sentence)["input_ids"]) for sentence, _ in (SHORT, LONG)]
    assert batch["input_ids"].shape == batch["attention_mask"].shape == (2, max(lengths))
    assert batch["attention_mask"].sum(1).tolist() == lengths and batch["labels"].tolist() == [1, 0]
    padded = batch["input_ids"] == tokenizer.pad_token_id
    assert torch.equal(padded, batch["attention_mask"] == 0)
    assert {tensor.dtype for tensor in batch.values()} == {torch.int64}


def test_what_is_too_long_is_cut_and_keeps_its_end_mark(loaded):
    _, tokenizer = loaded
    batch = collate([("very " * 100 + "good .", 1)], tokenizer)
    assert batch["input_ids"].shape == (1, MAX_LENGTH)
    assert batch["input_ids"][0, [0, -1]].tolist() == [tokenizer.bos_token_id, tokenizer.eos_token_id]


@pytest.mark.slow
@pytest.mark.parametrize("pooling", ["first", "mean"])
def test_a_sentences_logits_do_not_depend_on_its_neighbours(loaded, pooling):
    encoder, tokenizer = loaded
    torch.manual_seed(0)
    model = SentimentClassifier(encoder, pooling).eval()
    alone, together = collate([SHORT], tokenizer), collate([LONG, SHORT], tokenizer)
    with torch.no_grad():
        one = model(alone["input_ids"], alone["attention_mask"])  # (1, 2)
        two = model(together["input_ids"], together["attention_mask"])  # (2, 2)
    torch.testing.assert_close(one[0], two[1], rtol=0, atol=2e-6)
    assert (two[0] - two[1]).abs().max() > 1e-4


def test_a_sentence_of_unknown_words_is_spelled(loaded):
    _, tokenizer = loaded
    tokens = tokenizer.convert_ids_to_tokens(tokenizer("The PLOT is zzz!")["input_ids"])
    assert tokens == ["<s>", "the", "plot", "is", "z", "##z", "##z", "!", "</s>"]


def test_loaders_shuffle_by_their_seed(loaded, few):
    _, tokenizer = loaded

    def labels(**how):
        return [batch["input_ids"][:, 1:4].tolist() for batch in make_loader(few.train, tokenizer, 16, **how)]

    assert labels(shuffle=True, seed=1) == labels(shuffle=True, seed=1) != labels(shuffle=True, seed=2)
    assert labels() != labels(shuffle=True)


def test_a_step_is_the_three_lines(model, loaded, few):
    """One batch by `train_epoch` is one step of plain SGD on the clipped gradient."""
    _, tokenizer = loaded
    (batch,) = make_loader(few.train[:8], tokenizer, 8)
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    loss = nn.functional.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
    gradients = torch.autograd.grad(loss, list(model.parameters()), allow_unused=True)
    length = torch.cat([each.flatten() for each in gradients if each is not None]).norm()
    expected = model.head.weight.detach() - 0.1 * gradients[-2] / max(1.0, float(length))
    losses = train_epoch(model, [batch], torch.optim.SGD(model.parameters(), 0.1))
    assert losses == pytest.approx([float(loss.detach())]) and model.training
    torch.testing.assert_close(model.head.weight.detach(), expected, rtol=1e-4, atol=1e-6)


def test_scoring_is_without_dropout_or_gradient_and_gives_the_mode_back(model, loaded, few):
    _, tokenizer = loaded
    loader = make_loader(few.test, tokenizer, 7)
    for training in (True, False):
        model.train(training)
        first, second = evaluate(model, loader), evaluate(model, loader)
        assert first == second and model.training is training
    assert all(parameter.grad is None for parameter in model.parameters())
    positive = predict(model, tokenizer, [each.sentence for each in few.test])
    right = sum(int(p > 0.5) == each.label for p, each in zip(positive.tolist(), few.test, strict=True))
    assert first[1].hits == right and first[1].total == 24


@pytest.mark.slow
@pytest.mark.parametrize("name", ["adamw", "sgd", "adagrad"])
def test_every_optimiser_lowers_the_loss_of_one_batch(name, model, loaded, few):
    _, tokenizer = loaded
    (batch,) = make_loader(few.train[:8], tokenizer, 8)
    rate = {"adamw": 1e-2, "sgd": 0.1, "adagrad": 3e-2}[name]
    rarer = int(batch["labels"].float().mean() < 0.5)
    model.head.bias.data[rarer] += 3.0  # it begins by expecting the rarer label
    before = evaluate(model, [batch])[0]
    train_epoch(model, [batch] * 40, make_optimizer(name, model.parameters(), rate))
    assert evaluate(model, [batch])[0] < 0.9 * before


def test_what_is_not_known_is_named(model, tmp_path):
    with pytest.raises(UserError, match="adamw, sgd, adagrad are known, not 'lion'"):
        make_optimizer("lion", model.parameters(), 0.1)
    with pytest.raises(UserError, match="first or mean was expected, not 'max'"):
        SentimentClassifier(model.encoder, "max")
    with pytest.raises(UserError, match=r"nowhere: no such folder"):
        load_encoder(tmp_path / "nowhere")
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(UserError, match="not an encoder") as raised:
        load_encoder(tmp_path)
    assert "\n" not in str(raised.value)


def test_loading_draws_no_random_number(tiny_encoder):
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    load_encoder(tiny_encoder)
    assert torch.equal(torch.rand(3), expected)


def test_examples_need_no_kind(loaded):
    loader = make_loader([Example("good .", 1)], loaded[1], 4)
    assert [batch["labels"].tolist() for batch in loader] == [[1]]


@pytest.mark.parametrize(("count", "size"), [(10, 4), (7, 7), (3, 8), (200, 3), (1, 1)])
def test_groups_by_length_give_every_sentence_once_an_epoch(count, size):
    lengths = [1 + (7 * i) % 23 for i in range(count)]
    groups = LengthGroups(lengths, size)
    batches = list(groups)
    assert sorted(number for batch in batches for number in batch) == list(range(count))
    assert len(batches) == len(groups) and max(map(len, batches)) <= size


def test_groups_by_length_need_little_padding_and_are_new_in_each_epoch():
    generator = torch.Generator().manual_seed(0)
    lengths = torch.randint(3, 60, (640,), generator=generator).tolist()

    def places(batches):
        return sum(len(batch) * max(lengths[i] for i in batch) for batch in batches)

    groups = LengthGroups(lengths, 16)
    first, second = list(groups), list(groups)
    unsorted = torch.randperm(640, generator=generator).view(-1, 16).tolist()
    assert places(first) < 1.1 * sum(lengths) < places(unsorted)
    assert first != second and first == list(LengthGroups(lengths, 16))
    widths = [max(lengths[i] for i in batch) for batch in first]
    assert widths != sorted(widths), "long and short batches come in random order"


def test_a_loader_that_groups_by_length_has_the_same_batches_as_its_groups(loaded):
    _, tokenizer = loaded
    examples = [Example(*(SHORT if i % 3 else LONG)) for i in range(12)]
    batches = list(make_loader(examples, tokenizer, 4, group_by_length=True))
    assert [len(batch["labels"]) for batch in batches] == [4, 4, 4]
    widths = sorted({batch["input_ids"].shape[1] for batch in batches})
    assert len(widths) == 2, "the four long sentences are in one batch"


def test_hidden_words_come_with_their_probabilities(tiny_encoder):
    words = fill_mask(tiny_encoder, "the plot is <mask> .", count=3)
    assert len(words) == 3 and words == sorted(words, key=lambda pair: -pair[1])
    with pytest.raises(UserError, match="has no <mask>"):
        fill_mask(tiny_encoder, "the plot is good .")


def test_a_rating_compares_two_words_and_padding_changes_nothing(tiny_encoder):
    short, long = "good .", "although i enjoyed the plot , the cast is dull ."
    rated = PromptClassifier(tiny_encoder).predict([short, long])
    assert rated.shape == (2,) and torch.allclose(
        rated[:1], PromptClassifier(tiny_encoder).predict([short]), atol=1e-5
    )
    assert torch.allclose(
        1 - rated, PromptClassifier(tiny_encoder, words=("up", "down")).predict([short, long]), atol=1e-6
    )
    model, tokenizer = from_pretrained("AutoModelForMaskedLM", tiny_encoder)
    given = tokenizer(f"{long} two thumbs <mask> .", return_tensors="pt")
    place = given["input_ids"][0].tolist().index(tokenizer.mask_token_id)
    with torch.no_grad():
        found = model(**given).logits[0, place].softmax(-1)
    up, down = (float(found[tokenizer.convert_tokens_to_ids(word)]) for word in ("up", "down"))
    assert float(rated[1]) == pytest.approx(up / (up + down), abs=1e-5)


def test_words_that_are_no_tokens_are_refused(tiny_encoder):
    with pytest.raises(UserError, match="one token each"):
        PromptClassifier(tiny_encoder, words=("down", "upwards")).predict(["good ."])


def test_a_prompt_that_hides_nothing_and_a_sentence_that_is_too_long_are_refused(tiny_encoder):
    with pytest.raises(UserError, match="two thumbs up': has no <mask>"):
        PromptClassifier(tiny_encoder, prompt="two thumbs up").predict(["good ."])
    for asked in (
        lambda text: fill_mask(tiny_encoder, f"{text} <mask>"),
        lambda text: PromptClassifier(tiny_encoder).predict(["good .", text]),
    ):
        with pytest.raises(UserError, match="longer than this encoder's 64 tokens"):
            asked("very " * 64)
