"""Exercise evaluate_accuracy: evaluate a model without changing it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from course_exercises._encoder_parts import HERE, Batch, classifier, draw_batches

from kqa_core.check.answer import Answer, AnswerRaised, Build
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import fraction, told

RECORDED = "you record gradients while you evaluate, which costs memory and time: use torch.no_grad()"
NOT_RESTORED = (
    "the model stays in evaluation mode: note model.training before eval(), and restore it with train(…)"
)
PARTS = (
    "you restore the model's own flag only; its parts stay in evaluation mode: model.train(mode) sets"
    " them all"
)
SWITCHED_OFF = (
    "after your evaluation, torch records no gradients any more, so training fails: use `with"
    " torch.no_grad():`"
)
SWITCHED_ON = (
    "called where gradients are not recorded, as inside torch.no_grad(), your function switches their"
    " recording on for good: leave it as it was, which `with torch.no_grad():` does"
)
FROZEN = (
    "after your evaluation, parameters of the model no longer require gradients, so it cannot be trained: use"
    " `with torch.no_grad():` and leave requires_grad alone"
)
LEFT_AWAKE = "you always end in training mode: a model that came in evaluation mode must stay in it"


def share_right(
    seed: int,
    classes: int,
    training: bool,
    batches: Sequence[Batch],
    turned: bool = False,
    masked: bool = True,
    seen: int = 9,
) -> float:
    """The share of all sentences of these batches that such a classifier gets right.

    If asked, with reversed logits, without the mask, or among the first `seen` classes only.
    """
    model, sign = classifier(seed, classes, training), -1 if turned else 1
    logits = [
        sign * model(b["input_ids"], b["attention_mask"] if masked else None)[:, :seen] for b in batches
    ]
    hits = [each.argmax(dim=1) == b["labels"] for each, b in zip(logits, batches, strict=True)]
    return sum(int(each.sum()) for each in hits) / sum(len(each) for each in hits)


def telling(rng: random.Random, sizes: Sequence[int], classes: int) -> tuple[int, list[Batch]]:
    """A classifier's seed and batches: the accuracy differs from those of the usual mistakes.

    These are training mode, reversed logits, no mask, only two of more classes, and the mean of the batches.
    """
    while True:
        seed, batches = rng.getrandbits(30), draw_batches(rng, sizes, classes)
        share = share_right(seed, classes, False, batches)
        if all(abs(share - other) > 0.01 for other in mistaken(seed, classes, batches)):
            return seed, batches


def mistaken(seed: int, classes: int, batches: list[Batch]) -> Iterator[float]:
    """The accuracies that the usual mistakes give, one after the other."""
    yield share_right(seed, classes, True, batches)
    yield share_right(seed, classes, False, batches, turned=True)
    yield share_right(seed, classes, False, batches, masked=False)
    if classes > 2:
        yield share_right(seed, classes, False, batches, seen=2)
    yield sum(share_right(seed, classes, False, [batch]) for batch in batches) / len(batches)


def evaluated(answer: Answer, rng: random.Random, sizes: Sequence[int], classes: int, training: bool) -> None:
    """Raise NotYet unless the accuracy is right, no gradient was recorded,
    and the mode and the parameters' requires_grad are what they were.
    """
    seed, batches = telling(rng, sizes, classes)
    wanted, awake = (share_right(seed, classes, mode, batches) for mode in (False, True))
    plain = Build(f"{HERE}:classifier", (seed, classes, training))
    share = fraction(answer(plain, batches), "the accuracy")
    if training and abs(share - awake) < 1e-6:
        asleep = answer(Build(f"{HERE}:classifier", (seed, classes, False)), batches)
        expect(
            abs(fraction(asleep, "the accuracy") - wanted) > 1e-6,
            "this is the accuracy with dropout: if the model comes in training mode, call model.eval() first",
        )
    mine, yours = told(wanted, share)
    expect(abs(share - wanted) < 1e-6, f"the share of right answers is {mine}; yours is {yours}")
    again = fraction(answer(Build(f"{HERE}:left_behind", (training,)), batches), "the accuracy")
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
    watched = answer(Build(f"{HERE}:examined", (seed, classes, training)), batches)
    expect(abs(fraction(watched, "the accuracy") - wanted) < 1e-6, RECORDED)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A model in training mode, and one in evaluation mode with three classes;
    a last batch that is smaller.
    """
    evaluated(answer, rng, (6, 6, 2), 2, True)
    evaluated(answer, rng, (5, 3), 3, False)
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
