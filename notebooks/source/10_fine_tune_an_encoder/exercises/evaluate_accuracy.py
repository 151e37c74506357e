"""Exercise evaluate_accuracy: evaluate a model without changing it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import torch
from course_exercises._encoder_parts import HERE, Batch, classifier, draw_batches
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised, Build
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import fraction, told

RECORDED = (
    "gradients are recorded in a forward pass, which costs memory and time. Possible cause:"
    " torch.no_grad() is missing, or is over by then"
)
ITSELF = (
    "in a forward pass, model.training is True, so a model that asks for it, as for F.dropout, still drops."
    " Possible cause: eval() is called for parts of the model only; eval() of the model itself sets them, too"
)
NOT_RESTORED = (
    "model.training was True before your call and is False after it. Possible cause: it is not noted before"
    " eval() and restored with model.train(…)"
)
PARTS = (
    "model.training was True before your call and is True after it, but parts of the model stay in evaluation"
    " mode. Possible cause: only the model's own flag is restored; model.train(mode) sets them all"
)
SWITCHED_OFF = (
    "after your call, torch records no gradients any more, so training fails. Possible cause: the"
    " recording is switched off and not on again; `with torch.no_grad():` does both"
)
SWITCHED_ON = (
    "called where gradients are not recorded, as inside torch.no_grad(), your function leaves their recording"
    " switched on. Possible cause: it is switched on at the end, whatever it was; `with torch.no_grad():`"
    " restores what it was"
)
FROZEN = (
    "after your call, parameters of the model no longer require gradients, so it cannot be trained. Possible"
    " cause: their requires_grad is set to False; `with torch.no_grad():` is enough"
)
LEFT_AWAKE = (
    "a model that came in evaluation mode, or a part of it, is in training mode after your call. Possible"
    " cause: train() is called at the end, whatever the mode was"
)
OWN_MASK = (
    ". Possible cause: the mask is made from the ids, as input_ids != 0; pass the batch's attention_mask"
)
SECOND = "{}, the share of right answers in a second call is {}; yours is {}"


def logits_of(
    seed: int, classes: int, training: bool, batches: Sequence[Batch], masked: bool = True
) -> list[Tensor]:
    """The logits that such a classifier gives the sentences of each batch; if asked, without the mask."""
    model = classifier(seed, classes, training)
    return [model(b["input_ids"], b["attention_mask"] if masked else None) for b in batches]


def hit(logits: Sequence[Tensor], batches: Sequence[Batch]) -> float:
    """The share of all sentences of these batches whose largest logit is that of their label."""
    hits = torch.cat([each.argmax(dim=1) == b["labels"] for each, b in zip(logits, batches, strict=True)])
    return float(hits.double().mean())


def share_right(
    seed: int, classes: int, training: bool, batches: Sequence[Batch], turned: bool = False
) -> float:
    """The share of all sentences of these batches that such a classifier gets right; if asked, with reversed
    logits.
    """
    return hit([-z if turned else z for z in logits_of(seed, classes, training, batches)], batches)


def telling(
    rng: random.Random, sizes: Sequence[int], classes: int, padding: int = 0
) -> tuple[int, list[Batch]]:
    """A classifier's seed and batches: the accuracy differs from those of the usual mistakes, and the largest
    logit is well above the others in every sentence.

    The mistakes are training mode, reversed logits, no mask, only the first classes, always the first class,
    and the mean of the batches.
    """
    while True:
        seed, batches = rng.getrandbits(30), draw_batches(rng, sizes, classes, padding)
        logits = logits_of(seed, classes, False, batches)
        best = torch.cat(logits).topk(2).values
        share = hit(logits, batches)
        if bool((best[:, 0] - best[:, 1] > 0.01).all()) and all(
            abs(share - other) > 0.01 for other in mistaken(seed, classes, batches, logits)
        ):
            return seed, batches


def mistaken(seed: int, classes: int, batches: Sequence[Batch], logits: Sequence[Tensor]) -> Iterator[float]:
    """The accuracies that the usual mistakes give, one after the other."""
    yield hit([-each for each in logits], batches)
    yield hit([0 * each for each in logits], batches)
    for seen in range(2, classes):
        yield hit([each[:, :seen] for each in logits], batches)
    shares = [hit([each], [batch]) for each, batch in zip(logits, batches, strict=True)]
    yield sum(shares) / len(shares)
    yield hit(logits_of(seed, classes, True, batches), batches)
    yield hit(logits_of(seed, classes, False, batches, masked=False), batches)


def evaluated(answer: Answer, rng: random.Random, sizes: Sequence[int], classes: int, training: bool) -> None:
    """Raise NotYet unless the accuracy is right, no gradient was recorded,
    and the mode and the parameters' requires_grad are what they were.
    """
    seed, batches = telling(rng, sizes, classes)
    wanted, awake = (share_right(seed, classes, mode, batches) for mode in (False, True))
    plain = Build(f"{HERE}:classifier", (seed, classes, training))
    share = fraction(answer(plain, batches), "the accuracy")
    mine, yours = told(wanted, share)
    about = f"for batches of {', '.join(map(str, sizes))} sentences, {classes} classes and a model in"
    about += " training mode" if training else " evaluation mode"
    if training and abs(share - awake) < 1e-6:  # also by chance, if the mode makes no difference
        asleep = answer(Build(f"{HERE}:classifier", (seed, classes, False)), batches)
        expect(
            abs(fraction(asleep, "the accuracy") - wanted) > 1e-6,
            f"{about}, the share of right answers is {mine}; yours is {yours}, that of training mode, and"
            " right if the model comes in evaluation mode. Possible cause: the model, or a part of it, is not"
            " in evaluation mode in every forward pass",
        )
    expect(abs(share - wanted) < 2e-7, f"{about}, the share of right answers is {mine}; yours is {yours}")
    again = fraction(answer(Build(f"{HERE}:left_behind", (training,)), batches), "the accuracy")
    if abs(again - wanted) >= 1e-6:
        other = fraction(answer(plain, batches), "the accuracy")
        expect(abs(other - wanted) < 1e-6, SECOND.format(about, *told(wanted, other)))
    if training and abs(again - wanted) >= 1e-6:
        itself = fraction(answer(Build(f"{HERE}:left_behind", (training, False)), batches), "the accuracy")
        raise NotYet(PARTS if abs(itself - wanted) < 1e-6 else NOT_RESTORED)
    expect(abs(again - wanted) < 1e-6, LEFT_AWAKE)
    try:
        answer(plain, Build(f"{HERE}:still_recording", (batches,)))
    except AnswerRaised as raised:
        if raised.kind != "Exception":
            raise
        raise NotYet(SWITCHED_OFF) from None
    try:
        answer(plain, Build(f"{HERE}:unrecorded", (batches,)))
        answer(plain, Build(f"{HERE}:still_unrecorded", (batches,)))
    except AnswerRaised as raised:
        if raised.kind != "Exception":
            raise
        raise NotYet(SWITCHED_ON) from None
    left = Build(f"{HERE}:left_behind", (training,))
    try:
        answer(left, Build(f"{HERE}:still_trainable", (batches,)))
    except AnswerRaised as raised:
        if raised.kind != "Exception":
            raise
        raise NotYet(FROZEN) from None
    watched = answer(Build(f"{HERE}:watchful", (seed, classes, training)), batches)
    expect(abs(fraction(watched, "the accuracy") - wanted) < 1e-6, ITSELF)
    watched = answer(Build(f"{HERE}:examined", (seed, classes, training)), batches)
    expect(abs(fraction(watched, "the accuracy") - wanted) < 1e-6, RECORDED)


def other_logits(answer: Answer, rng: random.Random, sizes: Sequence[int], classes: int) -> None:
    """Raise NotYet unless the accuracy is right for these sizes, also where logits are large, far below 0, or
    nearly equal.
    """
    seed, batches = telling(rng, sizes, classes)
    wanted = share_right(seed, classes, False, batches)
    for scale, shift, said in (
        (1.0, 0.0, ""),
        (1.0, 1000.0, ", where the logits of a sentence are near 1000"),
        (1.0, -1000.0, ", where the logits of a sentence are near −1000"),
        (1e-4, 0.0, ", where the logits of a sentence are nearly equal, about 0.0001 apart"),
    ):
        model = Build(f"{HERE}:classifier", (seed, classes, False, False, scale, shift))
        share = fraction(answer(model, batches), "the accuracy")
        mine, yours = told(wanted, share)
        expect(
            abs(share - wanted) < 2e-7,
            f"for batches of {', '.join(map(str, sizes))} sentences and {classes} classes{said}, the share of"
            f" right answers is {mine}; yours is {yours}",
        )


def with_padding(answer: Answer, rng: random.Random) -> None:
    """Raise NotYet unless the accuracy is right with two kinds of padding. The padding has the id 0, or it
    has the id 1 and a real token has the id 0. Without the sentences' own masks the accuracy is another one.
    """
    for padding, said in ((0, ""), (1, ", where padding has the id 1 and a real token has the id 0")):
        other = True
        while other:
            seed, batches = telling(rng, (8, 5), 3, padding)
            nonzero = [{**b, "attention_mask": (b["input_ids"] != 0).long()} for b in batches]
            wanted, without = (share_right(seed, 3, False, each) for each in (batches, nonzero))
            other = padding == 1 and abs(wanted - without) < 0.01
        share = fraction(answer(Build(f"{HERE}:classifier", (seed, 3, False)), batches), "the accuracy")
        mine, yours = told(wanted, share)
        expect(
            abs(share - wanted) < 2e-7,
            f"for batches of 8, 5 sentences and 3 classes{said}, the share of right answers is {mine}; yours"
            f" is {yours}{OWN_MASK if padding == 1 and abs(share - without) < 2e-7 else ''}",
        )


def many_sentences(answer: Answer, rng: random.Random) -> None:
    """Raise NotYet unless 600 right answers of 700 in one batch are counted, more than 8 bits hold."""
    seed, (batch,) = rng.getrandbits(30), draw_batches(rng, (700,))
    (logits,) = logits_of(seed, 2, False, [batch])
    labels = logits.argmax(dim=1)
    labels[:100] = 1 - labels[:100]
    share = fraction(
        answer(Build(f"{HERE}:classifier", (seed, 2, False)), [{**batch, "labels": labels}]), "the accuracy"
    )
    mine, yours = told(6 / 7, share)
    expect(
        abs(share - 6 / 7) < 2e-3,
        f"for one batch of 700 sentences and 2 classes, the share of right answers is {mine}; yours is"
        f" {yours}",
    )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A model in training mode, and one in evaluation mode with three classes;
    a last batch that is smaller; padding with another id; six classes, with logits that are large, far below
    0, or nearly equal.
    """
    evaluated(answer, rng, (6, 6, 2), 2, True)
    evaluated(answer, rng, (5, 3), 3, False)
    with_padding(answer, rng)
    other_logits(answer, rng, (14, 1, 12), 6)
    many_sentences(answer, rng)
    return right(
        "every sentence counts once, and the model is left as it came, in training or in evaluation mode"
    )


EXERCISE = Exercise(
    id="evaluate_accuracy",
    title="Evaluate the accuracy",
    order=11,
    points=3,
    difficulty=2,
    importance=5,
    minutes=15,
    source="Washington §3: model.eval() and torch.no_grad()",
    hints=(
        (
            "Two switches are set for an evaluation: eval() and no_grad(). Which of them must you set back"
            " yourself? And what if the last batch has two sentences, and all others have sixty-four?"
        ),
        (
            "Note model.training and call model.eval(). Inside `with torch.no_grad():` add up the hits and"
            " the sentences of all batches. Then call model.train(...) with the mode that you noted, and"
            " divide."
        ),
        (
            'The class is `logits.argmax(dim=1)`, shape (B,); `(classes == batch["labels"]).sum().item()` are'
            " the hits of one batch. 6 of 8 and 1 of 2 are 7 of 10, not the mean of 0.75 and 0.5."
        ),
    ),
    check=check,
)
