"""Answer key of batch_order."""

from __future__ import annotations

import random

import numpy as np
import torch
from course_exercises._encoder_parts import HERE, fair
from course_exercises.batch_order import ordered, random_orders, shuffled

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, expect, right

DRAWS = 64  # two orders from 2³¹ seeds are the same with probability below 1e-6
EPOCHS = 1_500


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other sizes: one batch, batches of one, a last batch of one; and random orders of another seed,
    which are spread evenly."""
    ordered(answer, ((7, 3), (1, 1), (5, 1), (4, 4), (9, 64), (130, 32)))
    random_orders(answer, rng)
    same = Build(f"{HERE}:same_generator")
    orders = shuffled(answer, 20, 4, *[same] * EPOCHS)
    said = f"of {DRAWS} epochs two have the same order of 20 sentences: every order must be possible"
    expect(len(set(map(tuple, orders[:DRAWS]))) == DRAWS, said)
    fair(orders)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """In order, and random orders of fresh generators and of one that is used again."""
    seed = rng.getrandbits(30)
    fresh, again = Build(f"{HERE}:generator", (seed,)), Build(f"{HERE}:same_generator")
    return [
        (10, 4),
        (6, 3),
        (3, 5),
        (9, 2, fresh),
        (9, 2, again),
        (9, 2, again),
        (9, 2, fresh),
        (12, 5, again),
        *((6, size, again) for size in (1, 6, 64)),
    ]


def batch_order(count, batch_size, generator=None):
    """The reference."""
    order = list(range(count)) if generator is None else torch.randperm(count, generator=generator).tolist()
    return [order[start : start + batch_size] for start in range(0, count, batch_size)]


def by_torchs_samplers(count, batch_size, generator=None):
    """The samplers that a DataLoader uses."""
    from torch.utils.data import BatchSampler, RandomSampler, SequentialSampler

    numbers = range(count)
    sampler = SequentialSampler(numbers) if generator is None else RandomSampler(numbers, generator=generator)
    return list(BatchSampler(sampler, batch_size, drop_last=False))


def by_sorting_chances(count, batch_size, generator=None):
    """Sorts random numbers; returns a tuple."""
    order = torch.arange(count)
    if generator is not None:
        order = torch.rand(count, generator=generator, dtype=torch.float64).argsort()
    return tuple(part.tolist() for part in order.split(batch_size))


def by_swaps(count, batch_size, generator=None):
    """Fisher and Yates: each place swaps with a random place that is not yet final."""
    order = [*range(count)]
    if generator is not None:
        for last in range(count - 1, 0, -1):
            other = int(torch.randint(last + 1, (1,), generator=generator))
            order[last], order[other] = order[other], order[last]
    batches: list[list[int]] = [[]]
    for each in order:
        if len(batches[-1]) == batch_size:
            batches.append([])
        batches[-1].append(each)
    return batches


def in_numpy(count, batch_size, generator=None):
    """A numpy generator that is seeded from torch's at each call; returns lists of its numbers."""
    order = np.arange(count)
    if generator is not None:
        order = np.random.default_rng(int(torch.randint(2**31, (1,), generator=generator))).permutation(count)
    return [list(part) for part in np.split(order, range(batch_size, count, batch_size))]


def tensors(count, batch_size, generator=None):
    """Your batches are tensors. Return lists of numbers: the method tolist() makes one of a tensor."""
    order = torch.arange(count) if generator is None else torch.randperm(count, generator=generator)
    return list(order.split(batch_size))


def last_batch_dropped(count, batch_size, generator=None):
    """The smaller last batch is missing, so its sentences are missing from the epoch. Keep it."""
    order = list(range(count)) if generator is None else torch.randperm(count, generator=generator).tolist()
    return [order[start : start + batch_size] for start in range(0, count - batch_size + 1, batch_size)]


def seeded_inside(count, batch_size, generator=None):
    """Every epoch with the same generator has the same order: a seed is set in your code, or a copy of the
    generator is used. Draw from the generator itself.
    """
    order = list(range(count))
    if generator is not None:
        order = torch.randperm(
            count, generator=torch.Generator().manual_seed(generator.initial_seed())
        ).tolist()
    return [order[start : start + batch_size] for start in range(0, count, batch_size)]


def always_in_order(count, batch_size, generator=None):
    """With a generator, too, your sentences are in order, 0, 1, 2, …; their order should be random. No order
    is drawn from the generator, or it is lost again, as by sorted() or in a set.
    """
    return [list(range(start, min(start + batch_size, count))) for start in range(0, count, batch_size)]


def always_shuffled(count, batch_size, generator=None):
    """You shuffle without a generator too. Without one, the sentences stay in order."""
    order = torch.randperm(count, generator=generator).tolist()
    return [order[start : start + batch_size] for start in range(0, count, batch_size)]


def global_chance(count, batch_size, generator=None):
    """Your order comes from torch's global random numbers. Draw it from the generator."""
    order = list(range(count)) if generator is None else torch.randperm(count).tolist()
    return [order[start : start + batch_size] for start in range(0, count, batch_size)]


def inside_batches(count, batch_size, generator=None):
    """Sentences are shuffled only within their batch, so a batch holds the same sentences in every epoch.
    Shuffle before you cut.
    """
    batches = [list(range(start, min(start + batch_size, count))) for start in range(0, count, batch_size)]
    if generator is None:
        return batches
    return [[batch[i] for i in torch.randperm(len(batch), generator=generator)] for batch in batches]


def whole_batches(count, batch_size, generator=None):
    """Whole batches are shuffled, so sentences that are neighbours in the file stay together.
    Shuffle before you cut.
    """
    batches = [list(range(start, min(start + batch_size, count))) for start in range(0, count, batch_size)]
    if generator is None:
        return batches
    full = [batch for batch in batches if len(batch) == batch_size]
    return [full[i] for i in torch.randperm(len(full), generator=generator)] + batches[len(full) :]


def with_replacement(count, batch_size, generator=None):
    """Each sentence is drawn independently, so some occur twice in an epoch and others not
    at all. Draw a permutation.
    """
    order = (
        list(range(count))
        if generator is None
        else torch.randint(count, (count,), generator=generator).tolist()
    )
    return [order[start : start + batch_size] for start in range(0, count, batch_size)]


def random_start(count, batch_size, generator=None):
    """Your order begins at a random sentence and goes on as in the list,
    so neighbours stay neighbours. Draw a permutation.
    """
    start = 0 if generator is None else int(torch.randint(count, (1,), generator=generator))
    order = [(start + i) % count for i in range(count)]
    return [order[i : i + batch_size] for i in range(0, count, batch_size)]


def reversed_order(count, batch_size, generator=None):
    """With a generator your order is the reversed one; it should be random, and new at each call."""
    order = list(range(count)) if generator is None else list(range(count))[::-1]
    return [order[start : start + batch_size] for start in range(0, count, batch_size)]


def small_batch_first(count, batch_size, generator=None):
    """Your first batch is the smaller one; the rest belongs into the last batch."""
    order = list(range(count)) if generator is None else torch.randperm(count, generator=generator).tolist()
    rest = count % batch_size
    head = [order[:rest]] if rest else []
    return head + [order[start : start + batch_size] for start in range(rest, count, batch_size)]


def from_one(count, batch_size, generator=None):
    """Your numbers begin with 1; a Python list counts from 0."""
    order = list(range(count)) if generator is None else torch.randperm(count, generator=generator).tolist()
    return [[each + 1 for each in order[start : start + batch_size]] for start in range(0, count, batch_size)]


def dealt_out(count, batch_size, generator=None):
    """You deal the sentences out to the batches in turn,
    so that batches may have other sizes than batch_size.
    """
    order = list(range(count)) if generator is None else torch.randperm(count, generator=generator).tolist()
    number = -(-count // batch_size)
    return [order[start::number] for start in range(number)]


def from_100_seeds(count, batch_size, generator=None):
    """There are 100 different orders at most, as from 100 seeds. Any order should be possible."""
    order = list(range(count))
    if generator is not None:
        order = (
            np.random.default_rng(int(torch.randint(100, (1,), generator=generator)))
            .permutation(count)
            .tolist()
        )
    return [order[i : i + batch_size] for i in range(0, count, batch_size)]


KEY = AnswerKey(
    id="batch_order",
    hidden=hidden,
    reference=batch_order,
    accepted=(by_torchs_samplers, by_sorting_chances, by_swaps, in_numpy),
    rejected=(
        *(
            last_batch_dropped,
            seeded_inside,
            always_in_order,
            always_shuffled,
            global_chance,
            inside_batches,
            whole_batches,
        ),
        *(with_replacement, random_start, reversed_order, small_batch_first, from_one, dealt_out, tensors),
        from_100_seeds,
    ),
    fingerprint=fingerprint,
    commentary=(
        "The order is decided first, for all sentences, and then cut into slices; Python's slices stop at the"
        " end of the list, so the last batch is smaller without any special case. `torch.randperm(count,"
        " generator=generator)` draws a permutation and moves the generator's state on, so each epoch gets a"
        " new order, and a run can still be repeated from one seed. The most common mistake is to set a seed"
        " inside the function: then every epoch has the same order."
    ),
)
