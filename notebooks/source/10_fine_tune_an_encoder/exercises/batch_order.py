"""Exercise batch_order: which sentences each batch of an epoch holds, in order or shuffled."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from course_exercises._encoder_parts import HERE, expect_sizes, fair
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised, Build
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of

EPOCHS = 200  # a sentence is missing from some place with probability 64·(7/8)^200 = 2e-10
SEVERAL = 20  # epochs of many sentences
IN_ORDER = (
    "with {count} sentences and batches of {size}, without a generator, the sentences come in order, 0, 1, 2,"
    " …; at place {place} yours has {found}"
)
NEVER = (
    "with a generator, two epochs of 40 sentences in batches of 4 should have random orders; yours have 0, 1,"
    " 2, …"
)
EVERY_EPOCH = (
    "with 40 sentences in batches of 4, two epochs with the same generator should have different orders;"
    " yours have the same"
)
ELSEWHERE = (
    "with 40 sentences in batches of 4, two new generators with the same seed should give the same order;"
    " yours differ. Possible cause: the order depends on something other than the generator"
)
SEEDS = (
    "with 40 sentences in batches of 4, generators with different seeds should give different orders; yours"
    " are the same"
)
WITHIN = (
    "for 8 sentences in batches of 2, each batch holds the same sentences in all {epochs} epochs. Possible"
    " cause: sentences are shuffled only within their batch"
)
WHOLE = (
    "for 8 sentences in batches of 2, sentences 2i and 2i + 1 are in one batch in all {epochs} epochs, as in"
    " the order of the list. Possible cause: the list is cut into batches before it is shuffled"
)
FEW = (
    "in {epochs} epochs of 8 sentences in batches of {size} you have {count} different order{s}; random ones"
    " nearly all differ"
)
SORTED = (
    "for 8 sentences in batches of 2, the first number of a batch is below its second one in all {epochs}"
    " epochs: every order must be possible"
)
NEVER_THERE = (
    "in {epochs} epochs of {count} sentences in batches of {size}, sentence {number} was never at place"
    " {place}: every order must be possible"
)
GENERATOR = (
    "your code stops with a generator. Possible cause: a function that takes no generator of torch;"
    " torch.randperm(count, generator=generator) draws an order from one"
)

Batches = list[list[int]]


def read_batches(value: object) -> Batches:
    """The batches as lists of ints. Raises NotYet unless they are sequences of whole numbers."""
    if not isinstance(value, (list, tuple)):
        raise NotYet(f"return a list of batches; yours is {kind_of(value)}")
    batches: Batches = []
    for batch in value:
        if not isinstance(batch, (list, tuple)):
            advice = ". Its method tolist() makes a list" if isinstance(batch, (Tensor, np.ndarray)) else ""
            raise NotYet(
                f"each batch must be a list of sentence numbers; one of yours is {kind_of(batch)}{advice}"
            )
        numbers = [
            each.item() if isinstance(each, (Tensor, np.generic)) and np.ndim(each) == 0 else each
            for each in batch
        ]
        wrong = next((each for each in numbers if type(each) is not int), 0)
        expect(type(wrong) is int, f"each batch must hold whole numbers; one of yours holds {kind_of(wrong)}")
        batches.append([int(each) for each in numbers])
    return batches


def few(numbers: list[int]) -> str:
    """The numbers as a sentence tells them: no more than five."""
    return ", ".join([*map(str, numbers[:5]), *["…"] * (len(numbers) > 5)])


def cut(batches: Batches, count: int, size: int) -> list[int]:
    """All numbers in order. Raises NotYet unless each occurs once and only the last
    batch is smaller than `size`.
    """
    flat = [each for batch in batches for each in batch]
    about = f"with {count} sentence{'s' * (count != 1)} and batches of {size}"
    missing = sorted(set(range(count)) - set(flat))
    repeated = sorted({each for each in flat if flat.count(each) > 1})
    outside = sorted(set(flat) - set(range(count)))
    expect(not outside, f"{about}, the numbers run from 0 to {count - 1}; yours include {few(outside)}")
    expect(
        not repeated,
        f"{about}, each number occurs once in an epoch; yours has {few(repeated)} more than once",
    )
    expect(not missing, f"{about}, each number from 0 to {count - 1} must occur; yours lacks {few(missing)}")
    wanted = [len(range(start, min(start + size, count))) for start in range(0, count, size)]
    expect_sizes(batches, wanted, f"{about},")
    return flat


def shuffled(answer: Answer, count: int, size: int, *generators: Build) -> list[list[int]]:
    """The order of one epoch with each generator."""
    try:
        epochs = answer.map([(count, size, each) for each in generators])
        return [cut(read_batches(each), count, size) for each in epochs]
    except AnswerRaised as raised:
        if raised.stub or not any(word in raised.message for word in ("enerator", "shuffle", "seed")):
            raise
        raise NotYet(GENERATOR) from raised


def ordered(answer: Answer, sizes: Sequence[tuple[int, int]]) -> None:
    """Raise NotYet unless batches without a generator are in order."""
    for count, size in sizes:
        for arguments in ((count, size), (count, size, None)):
            found = cut(read_batches(answer(*arguments)), count, size)
            place = next((i for i in range(count) if found[i] != i), 0)
            said = IN_ORDER.format(count=count, size=size, place=place, found=found[place])
            expect(found[place] == place, said)


def random_orders(answer: Answer, rng: random.Random) -> None:
    """Raise NotYet unless the orders of many epochs are random, differ, and come from the generator alone."""
    seed = rng.getrandbits(30)
    fresh, other = (Build(f"{HERE}:generator", (each,)) for each in (seed, seed + 1))
    same = Build(f"{HERE}:same_generator")
    [first], [again], [repeated], [differs] = (
        shuffled(answer, 40, 4, each) for each in (fresh, same, fresh, other)
    )
    expect(first != list(range(40)) or again != first, NEVER)
    # some orders depend on something else now and then; calls sent together would share the generator
    drawn_again = [shuffled(answer, 40, 4, fresh)[0] for _ in range(8)]
    expect(all(order == first for order in (repeated, *drawn_again)), ELSEWHERE)
    expect(again != first, EVERY_EPOCH)
    expect(differs != first, SEEDS)
    shuffled(answer, 9, 4, fresh)
    _, *orders = shuffled(answer, 8, 2, fresh, *[same] * EPOCHS)
    pairs = [[set(order[i : i + 2]) for i in range(0, 8, 2)] for order in orders]
    expect(any(each != pairs[0] for each in pairs), WITHIN.format(epochs=EPOCHS))
    expect(
        any({2 * i, 2 * i + 1} not in each for each in pairs for i in range(4)), WHOLE.format(epochs=EPOCHS)
    )
    varied(orders, 2)
    expect(
        any(order[i] > order[i + 1] for order in orders for i in range(0, 8, 2)),
        SORTED.format(epochs=EPOCHS),
    )
    for size in (1, 8, 64):  # also where one batch holds everything
        varied(shuffled(answer, 8, size, *[same] * SEVERAL), size)
    everywhere(orders, 2)
    everywhere(shuffled(answer, 8, 3, *[same] * EPOCHS), 3)  # the last batch is smaller
    fair(shuffled(answer, 300, 32, *[same] * SEVERAL))


def varied(orders: list[list[int]], size: int) -> None:
    """Raise NotYet unless more than half of the orders of 8 sentences differ."""
    different = len(set(map(tuple, orders)))
    said = FEW.format(count=different, s="s" * (different > 1), epochs=len(orders), size=size)
    expect(different > len(orders) // 2, said)


def everywhere(orders: list[list[int]], size: int) -> None:
    """Raise NotYet unless each sentence was at each place in some epoch."""
    count = len(orders[0])
    for place in range(count):
        absent = sorted(set(range(count)) - {order[place] for order in orders})
        if absent:
            raise NotYet(
                NEVER_THERE.format(epochs=len(orders), count=count, size=size, number=absent[0], place=place)
            )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """In order, with a smaller last batch; then random orders."""
    ordered(answer, ((10, 4), (6, 3), (3, 5), (9, 4)))
    random_orders(answer, rng)
    return right(
        f"every sentence once an epoch: in order, or in random orders; in {EPOCHS} epochs of 8 sentences each"
        " was at each place"
    )


EXERCISE = Exercise(
    id="batch_order",
    title="Order the batches of an epoch",
    order=6,
    points=2,
    difficulty=2,
    importance=4,
    minutes=15,
    source="PyTorch, torch.utils.data: RandomSampler and BatchSampler",
    hints=(
        (
            "First decide the order of all sentence numbers, then cut this list into pieces. What happens to"
            " the last piece?"
        ),
        (
            "Without a generator the order is 0, 1, 2, …. With one, torch.randperm(count,"
            " generator=generator) is a random order, and the generator's state moves on by itself, so the"
            " next call gives another one. Slices of length batch_size are the batches."
        ),
        (
            "With count 5 and batch_size 2: order = [3, 0, 4, 1, 2] gives [[3, 0], [4, 1], [2]], because"
            " order[4:6] has one number. `.tolist()` turns a tensor into a list of ints."
        ),
    ),
    check=check,
)
