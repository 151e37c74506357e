"""Exercise corruption_example: a corrupted document as the two tensors that training takes."""

from __future__ import annotations

import random

import torch

from kqa_core.check.answer import Answer, Seeded
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.corrupted_rows import (
    AGAIN,
    Cut,
    cut_of_indices,
    going_on,
    index_table,
    letters,
    shown,
)


def example_of(document: str, block_size: int, stoi: dict[str, int], value: object) -> Cut:
    """The span from which the example `value` was made.
    Raises NotYet unless it is an example of this document.
    """
    if type(value) not in (tuple, list) or len(value) != 2:  # type: ignore[arg-type]  # the type is tested before the length
        raise NotYet(f"two tensors x and y were expected; yours is {kind_of(value)}")
    tensors = []
    for name, part in zip("xy", value, strict=True):  # type: ignore[call-overload]  # a list or tuple, by now
        if not isinstance(part, torch.Tensor):
            raise NotYet(f"{name} must be a torch tensor; yours is {kind_of(part)}")
        expect(
            part.dtype is torch.int64, f"{name} must be a long tensor (torch.int64); yours is {part.dtype}"
        )
        shape = f"({block_size - 1},)"
        expect(
            tuple(part.shape) == (block_size - 1,),
            f"{name} must have shape {shape}, block_size − 1; yours is {tuple(part.shape)}",
        )
        tensors.append(part.tolist())
    return cut_of_indices(document, block_size, stoi, *tensors)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Whether the draws come from rng, and move it on;
    then a few documents, two block sizes, indices in random order.

    Twenty right rows of a document of 90 characters are all alike with probability far below 1e-20.
    """
    stoi = index_table(rng)
    document, seeds, seed = letters(rng, 90), [rng.getrandbits(32) for _ in range(20)], rng.getrandbits(60)
    first, again, going = (
        [
            example_of(document, 64, stoi, value)
            for value in answer.map([(document, 64, stoi, each) for each in generators])
        ]
        for generators in (
            [Seeded(seed) for seed in seeds],
            [Seeded(seed) for seed in seeds],
            [going_on(seed)] * 20,
        )
    )
    expect(
        first == again,
        f"for {shown(document)}, with rng in the same state, you gave two different examples. {POSSIBLE}a"
        " random number does not come from rng, or something is kept from an earlier call",
    )
    expect(
        len(set(first)) > 1,
        "twenty draws with different seeds gave the same example: each call should draw anew",
    )
    expect(len(set(going)) > 1, AGAIN.format("example"))
    documents = [(letters(rng, size), block) for size in (90, 30, 4, 2, 0) for block in (128, 32)]
    documents.append((" ", 32))  # a span of a space only
    # one row of eleven fills its block; none of sixty does with probability 0.4 %
    documents += [(letters(rng, 40), 16)] * 15
    calls = [
        (document, block, stoi, Seeded(rng.getrandbits(32)))
        for document, block in documents
        for _ in range(4)
    ]
    for (document, block, _, _), value in zip(calls, answer.map(calls), strict=True):
        example_of(document, block, stoi, value)
    leaves_alone(answer, ("document", "block_size", "stoi"), letters(rng, 60), 64, stoi, Seeded(seed))
    return right("x and y are ready for training")


EXERCISE = Exercise(
    id="corruption_example",
    title="Make a training example",
    order=3,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="CS224n A5 2(e)",
    hints=(
        (
            "corrupt_span does most of it. Three things are missing: padding, looking up the indices, and"
            " shifting by one."
        ),
        (
            "Pad the row with □ to block_size characters, turn every character into its index, and take the"
            " row once without its last and once without its first index."
        ),
        (
            "For block_size 8 and the row `a⁇c⁇b`: `a⁇c⁇b□□□`, eight indices; x is the first seven, y the"
            ' last seven, both `torch.tensor(…, dtype=torch.long)`. stoi["□"] need not be 0.'
        ),
    ),
    check=check,
)
