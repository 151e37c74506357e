"""Exercise loader_batches: torch's DataLoader, for training and for evaluation."""

from __future__ import annotations

import random
from collections import Counter

from course_exercises._encoder_parts import HERE, expect_sizes, fair

from kqa_core.check.answer import Answer, AnswerRaised, ArgumentFailed, Build
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers import effects
from kqa_core.check.helpers.read_values import kind_of

OTHER_ITEMS: tuple[list[object], ...] = (
    ["b", "a", "", "b", "c"],
    [0, 2, 1, 0, -1],
    [([1, 2], 0), ([], 1), ([1, 2], 0)],
)
GATHER = Build(f"{HERE}:gather")
SAME = Build(f"{HERE}:same_generator")
EPOCHS, FEW = 40, 20
FIRST = 1_000  # items are numbers from here on, so that they differ from their places in the list
COLLATE = "each batch must be what collate_fn makes of a list of items; yours {is_}"
EVALUATION = "{about}: all items come in order, 0, 1, 2, …; at place {place} yours has item {item}"
NEVER = "{about}: the order should be random; in two epochs, yours is that of the list"
EVERY_EPOCH = "{about}: two epochs with the same generator should have different orders; yours have the same"
SAME_LIST = ", and all hold the same items"
ELSEWHERE = (
    "{about}: two new generators with the same seed should give the same order; yours differ. Possible cause:"
    " the order depends on something other than the generator"
)
SEEDS = "{about}: generators with different seeds should give different orders; yours are the same"
ALWAYS = "{about}: item {item} never occurs in {epochs} epochs{cause}"
SAME_BATCHES = (
    "{about}: in {epochs} epochs, an item is always in a batch with the same others. Possible cause: the"
    " batches are shuffled, and not the items"
)
CUT = ". Possible cause: the last items are dropped before the others are shuffled"
FEW_ORDERS = "{about}: in {epochs} epochs you have {count} different order{s}; random ones nearly all differ"
STUCK = "{about}: in {epochs} epochs, place {place} of the order always has item {item}; any can be there"
STOPS = (
    "your code stops ({kind}). Possible cause: an argument of DataLoader; it takes shuffle, drop_last,"
    " collate_fn and generator by name"
)


def fresh(seed: int) -> Build:
    """A generator with that seed."""
    return Build(f"{HERE}:generator", (seed,))


def numbers_of(value: object, about: str) -> list[list[int]]:
    """The item numbers of each batch. Raises NotYet unless `value` is a list of gathered batches."""
    if not isinstance(value, (list, tuple)):
        raise NotYet(f"{about}: return a list of batches, such as list(loader); yours is {kind_of(value)}")
    batches = []
    for batch in value:
        items = batch.get("gathered") if isinstance(batch, dict) else None
        if not isinstance(items, (list, tuple)):
            raise NotYet(f"{about}: {COLLATE.format(is_=f'holds {kind_of(batch)}')}")
        batches.append([int(item) - FIRST for item in items])
    return batches


def said_of(count: int, size: int, training: bool) -> str:
    """How a sentence about an epoch begins."""
    return f"{'training' if training else 'evaluation'}, {count} items, batches of {size}"


def epoch(answer: Answer, count: int, size: int, training: bool, generator: Build) -> list[list[int]]:
    """The item numbers of each batch of an epoch."""
    about = said_of(count, size, training)
    try:
        value = answer(list(range(FIRST, FIRST + count)), size, GATHER, training, generator)
    except AnswerRaised as raised:
        named = "DataLoader" in raised.message or "sampler" in raised.message or "'<' not" in raised.message
        if raised.stub or not named:
            raise
        raise NotYet(STOPS.format(kind=raised.kind)) from raised
    batches = numbers_of(value, about)
    whole, rest = divmod(count, size)
    wanted = [size] * whole + ([rest] if rest and not training else [])
    one = SAME_LIST if len(batches) > 1 and all(batch == batches[0] for batch in batches) else ""
    expect_sizes(batches, wanted, f"{about}:", one)
    flat = [item for batch in batches for item in batch]
    twice = next((item for item in flat if flat.count(item) > 1), 0)
    expect(
        len(set(flat)) == len(flat),
        f"{about}: each item comes once in an epoch; item {twice} comes more often",
    )
    other = next((FIRST + item for item in flat if item not in range(count)), FIRST)
    expect(
        set(flat) <= set(range(count)),
        f"{about}: collate_fn must get the items, here {FIRST} to {FIRST + count - 1}; yours gets {other}",
    )
    return batches


def evaluated(answer: Answer, count: int, size: int) -> None:
    """Raise NotYet unless evaluation gives all items in order."""
    flat = [item for batch in epoch(answer, count, size, False, fresh(0)) for item in batch]
    for place, item in enumerate(flat):
        expect(item == place, EVALUATION.format(about=said_of(count, size, False), place=place, item=item))


def trained(answer: Answer, rng: random.Random, count: int, size: int) -> None:
    """Raise NotYet unless training epochs are random, new each time, and follow the generator alone."""
    seed, about = rng.getrandbits(30), said_of(count, size, True)
    first = epoch(answer, count, size, True, fresh(seed))
    again = epoch(answer, count, size, True, SAME)
    repeated = epoch(answer, count, size, True, fresh(seed))
    other = epoch(answer, count, size, True, fresh(seed + 1))
    in_order = list(range(count))[: len(first) * size]
    expect(
        [item for batch in first for item in batch] != in_order or again != first, NEVER.format(about=about)
    )
    expect(repeated == first, ELSEWHERE.format(about=about))
    expect(again != first, EVERY_EPOCH.format(about=about))
    expect(other != first, SEEDS.format(about=about))
    orders: list[list[int]] = []
    together: set[frozenset[int]] = set()
    for number in range(EPOCHS if count % size else FEW):
        batches = epoch(answer, count, size, True, SAME if number else fresh(seed))
        orders.append([item for batch in batches for item in batch])
        together.update(frozenset(batch) for batch in batches)
    disjoint = sum(len(each) for each in together) == len({item for each in together for item in each})
    expect(not disjoint, SAME_BATCHES.format(about=about, epochs=len(orders)))
    if not count % size:
        fair(orders, "items")
    else:
        absent = sorted(set(range(count)).difference(*orders))
        cut = CUT if absent == list(range(count - count % size, count)) else ""
        said = ALWAYS.format(about=about, item=min(absent, default=0), epochs=EPOCHS, cause=cut)
        expect(not absent, said)
        for place, items in enumerate(zip(*orders, strict=True)):
            said = STUCK.format(about=about, epochs=EPOCHS, place=place, item=items[0])
            expect(len(set(items)) > 1, said)


def varied(answer: Answer, count: int, size: int) -> None:
    """Raise NotYet unless more than half of the orders of some epochs differ."""
    epoch(answer, count, size, True, fresh(2))
    epochs = [epoch(answer, count, size, True, SAME) for _ in range(FEW)]
    orders = [tuple(item for batch in batches for item in batch) for batches in epochs]
    different = len(set(orders))
    said = FEW_ORDERS.format(
        about=said_of(count, size, True), epochs=FEW, count=different, s="s" * (different > 1)
    )
    expect(different > FEW // 2, said)


def kept(answer: Answer, items: list[object]) -> None:
    """Raise NotYet unless collate_fn gets these items themselves, also equal ones. Their number is odd."""
    for training, said in ((False, "in the order of the list"), (True, "all but one")):
        value = answer(list(items), 2, GATHER, training, fresh(3))
        found: list[object] = []
        for batch in value if isinstance(value, (list, tuple)) else ():
            found += batch["gathered"] if isinstance(batch, dict) else [batch]
        mine, yours = [repr(item) for item in items], [repr(item) for item in found]
        good = mine == yours
        if training:
            good = len(yours) == len(mine) - 1 and not Counter(yours) - Counter(mine)
        expect(good, f"collate_fn must get the items of {items} as they are, {said}; yours gets {found}")


def unchanged(answer: Answer) -> None:
    """Raise NotYet if a training epoch changes the list of items."""
    items = list(range(10))
    given, same = (Build(f"{effects.__name__}:{maker}", (0, items)) for maker in ("given", "same"))
    answer(given, 4, GATHER, True, fresh(0))
    try:
        answer(same, 4, GATHER, True, fresh(0))
    except ArgumentFailed:
        raise NotYet(effects.CHANGED.format("the list `items`")) from None


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Evaluation with a smaller last batch; training that drops it; fewer items than a batch."""
    evaluated(answer, 10, 4)
    trained(answer, rng, 22, 4)
    trained(answer, rng, 320, 64)
    for size in (1, 8):  # also where one batch holds everything
        varied(answer, 8, size)
    for items in OTHER_ITEMS:
        kept(answer, items)
    evaluated(answer, 3, 8)
    epoch(answer, 3, 8, True, fresh(1))
    unchanged(answer)
    return right("random and without the rest for training, in order and complete for evaluation")


EXERCISE = Exercise(
    id="loader_batches",
    title="A loader for training and one for evaluation",
    order=8,
    points=2,
    difficulty=2,
    importance=4,
    minutes=12,
    source="Washington §2: DataLoader; PyTorch, torch.utils.data",
    hints=(
        (
            "Two arguments of DataLoader must be different for training and for evaluation. Which two, and"
            " what would each mistake cost?"
        ),
        (
            "`shuffle` draws a new order in each epoch, and `generator` says from which random numbers."
            " `drop_last` leaves out a last batch that is too small. Evaluation must see every sentence, in"
            " an order that you know. A loader is a sequence of batches, so `list(loader)` is one epoch."
        ),
        ("DataLoader(items, batch_size, shuffle=training, drop_last=training, collate_fn=…, generator=…)"),
    ),
    check=check,
)
