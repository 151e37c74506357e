"""Answer key of loader_batches."""

from __future__ import annotations

import random

import torch
from course_exercises._encoder_parts import HERE, fair
from course_exercises.loader_batches import (
    GATHER,
    OTHER_ITEMS,
    SAME,
    epoch,
    evaluated,
    fresh,
    kept,
    trained,
)

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.check.helpers import effects

DRAWS = 64  # two orders from 2³¹ seeds are the same with probability below 1e-6
EPOCHS = 300


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other sizes, and many epochs of one generator."""
    for count, size in ((7, 3), (1, 1), (5, 1), (8, 8), (130, 32), (300, 70)):
        evaluated(answer, count, size)
        epoch(answer, count, size, True, fresh(rng.getrandbits(30)))
    trained(answer, rng, 29, 6)
    epoch(answer, 20, 4, True, fresh(rng.getrandbits(30)))
    orders = [[item for batch in epoch(answer, 20, 4, True, SAME) for item in batch] for _ in range(EPOCHS)]
    different = len(set(map(tuple, orders[:DRAWS])))
    expect(different == DRAWS, f"of {DRAWS} epochs two have the same order of 20 items")
    fair(orders, "items")
    for items in OTHER_ITEMS:
        kept(answer, items)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Evaluation, and training with fresh generators and one that is used again."""
    seed = rng.getrandbits(30)
    again = Build(f"{HERE}:same_generator")
    return [
        (list(range(100, 110)), 4, GATHER, False, fresh(seed)),
        (list(range(100, 103)), 8, GATHER, True, fresh(seed)),
        (list(range(100, 109)), 2, GATHER, True, fresh(seed)),
        (list(range(100, 109)), 2, GATHER, True, again),
        (list(range(100, 109)), 2, GATHER, True, fresh(seed)),
        (list(range(100, 112)), 5, GATHER, True, again),
        (list(range(100, 112)), 4, GATHER, True, again),  # the last batch is full
        *((list(range(100, 106)), size, GATHER, True, again) for size in (1, 6)),
        (["a", "b", "a", "c", "a"], 2, GATHER, False, again),
        *[
            (Build(f"{effects.__name__}:{maker}", (0, list(range(10)))), 4, GATHER, True, again)
            for maker in ("given", "same")
        ],
    ]


def loader_batches(items, batch_size, collate_fn, training, generator):
    """The reference."""
    loader = torch.utils.data.DataLoader(
        items,
        batch_size,
        shuffle=training,
        drop_last=training,
        collate_fn=collate_fn,
        generator=generator,
    )
    return list(loader)


def by_samplers(items, batch_size, collate_fn, training, generator):
    """Gives the loader its samplers."""
    sampler = (
        torch.utils.data.RandomSampler(items, generator=generator)
        if training
        else torch.utils.data.SequentialSampler(items)
    )
    batches = torch.utils.data.BatchSampler(sampler, batch_size, drop_last=training)
    return list(torch.utils.data.DataLoader(items, batch_sampler=batches, collate_fn=collate_fn))


def two_loaders(items, batch_size, collate_fn, training, generator):
    """One call for each case, through torch.utils.data; returns a tuple."""
    if not training:
        return tuple(torch.utils.data.DataLoader(dataset=items, batch_size=batch_size, collate_fn=collate_fn))
    return tuple(
        torch.utils.data.DataLoader(
            dataset=items,
            batch_size=batch_size,
            shuffle=True,
            drop_last=True,
            collate_fn=collate_fn,
            generator=generator,
            num_workers=0,
        )
    )


def by_hand(items, batch_size, collate_fn, training, generator):
    """Cuts a permutation, without a loader."""
    if training:
        order = torch.randperm(len(items), generator=generator).tolist()
        order = order[: len(order) // batch_size * batch_size]
    else:
        order = list(range(len(items)))
    return [
        collate_fn([items[i] for i in order[start : start + batch_size]])
        for start in range(0, len(order), batch_size)
    ]


def with_a_data_set(items, batch_size, collate_fn, training, generator):
    """A Dataset of its own."""

    class Items(torch.utils.data.Dataset[object]):
        def __len__(self):
            return len(items)

        def __getitem__(self, i):
            return items[i]

    how = {"shuffle": True, "drop_last": True, "generator": generator} if training else {}
    batches = []
    for batch in torch.utils.data.DataLoader(Items(), batch_size=batch_size, collate_fn=collate_fn, **how):
        batches += [batch]
    return batches


def last_one_off(items, batch_size, collate_fn, training, generator):
    """Keeps the last batch in the loader and takes it off after it."""
    loader = torch.utils.data.DataLoader(
        items, batch_size, training, collate_fn=collate_fn, generator=generator
    )
    batches = list(loader)
    if training and len(items) % batch_size:
        batches.pop()
    return batches


def by_a_shuffled_copy(items, batch_size, collate_fn, training, generator):
    """A copy in random order, by random numbers that are sorted, and a loader that does not shuffle."""
    if training:
        chances = torch.rand(len(items), generator=generator, dtype=torch.float64)
        items = [items[i] for i in chances.argsort()]
    return [*torch.utils.data.DataLoader(items, batch_size, drop_last=training, collate_fn=collate_fn)]


def never_shuffled(items, batch_size, collate_fn, training, generator):
    """The order is that of the list, DataLoader's default, in training, too. There, set shuffle=True."""
    return list(torch.utils.data.DataLoader(items, batch_size, drop_last=training, collate_fn=collate_fn))


def always_shuffled(items, batch_size, collate_fn, training, generator):
    """You shuffle for evaluation too. There the order is that of the list."""
    loader = torch.utils.data.DataLoader(
        items, batch_size, shuffle=True, drop_last=training, collate_fn=collate_fn, generator=generator
    )
    return list(loader)


def never_dropped(items, batch_size, collate_fn, training, generator):
    """You keep the smaller last batch in training. Set drop_last=True there."""
    return list(
        torch.utils.data.DataLoader(items, batch_size, training, collate_fn=collate_fn, generator=generator)
    )


def always_dropped(items, batch_size, collate_fn, training, generator):
    """You drop the smaller last batch in evaluation, so its sentences are never evaluated."""
    loader = torch.utils.data.DataLoader(
        items, batch_size, training, drop_last=True, collate_fn=collate_fn, generator=generator
    )
    return list(loader)


def other_way_round(items, batch_size, collate_fn, training, generator):
    """You shuffle for evaluation and keep the order for training. Shuffle for training only."""
    loader = torch.utils.data.DataLoader(
        items,
        batch_size,
        shuffle=not training,
        drop_last=training,
        collate_fn=collate_fn,
        generator=generator,
    )
    return list(loader)


def without_generator(items, batch_size, collate_fn, training, generator):
    """The order does not come from the generator."""
    return list(
        torch.utils.data.DataLoader(
            items, batch_size, shuffle=training, drop_last=training, collate_fn=collate_fn
        )
    )


def without_collate(items, batch_size, collate_fn, training, generator):
    """collate_fn has no effect: DataLoader makes a tensor of each batch."""
    return list(
        torch.utils.data.DataLoader(
            items, batch_size, shuffle=training, drop_last=training, generator=generator
        )
    )


def the_loader(items, batch_size, collate_fn, training, generator):
    """You return the loader. Return the list of its batches."""
    return torch.utils.data.DataLoader(
        items,
        batch_size,
        shuffle=training,
        drop_last=training,
        collate_fn=collate_fn,
        generator=generator,
    )


def first_batch(items, batch_size, collate_fn, training, generator):
    """You return only the first batch. An epoch is all of them."""
    loader = torch.utils.data.DataLoader(
        items,
        batch_size,
        shuffle=training,
        drop_last=training,
        collate_fn=collate_fn,
        generator=generator,
    )
    return [batch for batch, _ in zip(loader, range(1), strict=False)]


def batch_of_one(items, batch_size, collate_fn, training, generator):
    """The batch size has no effect: each batch has one item."""
    loader = torch.utils.data.DataLoader(
        items, shuffle=training, drop_last=training, collate_fn=collate_fn, generator=generator
    )
    return list(loader)


def seeded_anew(items, batch_size, collate_fn, training, generator):
    """Every epoch with the same generator has the same order: a seed is set inside, or a copy is used."""
    own = torch.Generator().manual_seed(generator.initial_seed())
    loader = torch.utils.data.DataLoader(
        items, batch_size, shuffle=training, drop_last=training, collate_fn=collate_fn, generator=own
    )
    return list(loader)


def dropped_before(items, batch_size, collate_fn, training, generator):
    """The list is cut before it is shuffled, so the same items are missing in every epoch."""
    if training:
        items = items[: len(items) // batch_size * batch_size]
        if not items:
            return []
    return list(
        torch.utils.data.DataLoader(items, batch_size, training, collate_fn=collate_fn, generator=generator)
    )


def shuffled_in_place(items, batch_size, collate_fn, training, generator):
    """You shuffle the list itself. Leave `items` as it is."""
    if training:
        order = torch.randperm(len(items), generator=generator).tolist()
        items[:] = [items[i] for i in order]
    return list(torch.utils.data.DataLoader(items, batch_size, drop_last=training, collate_fn=collate_fn))


KEY = AnswerKey(
    id="loader_batches",
    hidden=hidden,
    reference=loader_batches,
    accepted=(by_samplers, two_loaders, by_hand, with_a_data_set, last_one_off, by_a_shuffled_copy),
    rejected=(
        *(never_shuffled, always_shuffled, never_dropped, always_dropped, other_way_round),
        *(without_generator, without_collate, the_loader, first_batch, batch_of_one, seeded_anew),
        *(dropped_before, shuffled_in_place),
    ),
    fingerprint=fingerprint,
    commentary=(
        "Two arguments depend on the use: `shuffle` and `drop_last` are for training. Evaluation must see"
        " every sentence once, in an order that you know, so that predictions can be compared sentence by"
        " sentence. With `drop_last=True` a last batch of two sentences does not get as much influence on"
        " the weights as a batch of 32; the shuffled order drops other sentences in each epoch. The"
        " `generator` makes the order repeatable. The most common mistake is to forget that shuffle is off"
        " by default."
    ),
)
