"""Exercise choose_setting: the best run of a grid, chosen on the validation split."""

from __future__ import annotations

import math
import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of, number, told

Run = dict[str, float]
SIZES, RATES, EPOCHS = (64, 128, 256), (1e-3, 5e-4, 1e-4), (2, 5)


def runs(
    rng: random.Random,
    best: list[tuple[int, float]],
    others: int,
    broken: int = 0,
    order: str | None = None,
    gap: float = 1e-4,
    sizes: tuple[int, ...] = (),
) -> tuple[list[Run], int]:
    """Runs, and the number of the one to choose.

    `best` are (epochs, learning rate) of the runs with the best validation accuracy; the one to choose is
    first, and was the worst in training. `others` have a lower validation accuracy, the first of them by
    `gap` only, but do better on the test split and in training. `broken` runs have none (nan); the first of
    them comes first in the list, the others anywhere. The rest is in random order, or falls along `order`.
    `sizes` are the batch sizes of the first runs in `best`.
    """
    top = rng.randint(700, 760) / 872
    equals = [
        _run(rng, epochs, rate, top, rng.uniform(0.7, 0.8), 0.4 - 0.01 * i)
        for i, (epochs, rate) in enumerate(best)
    ]
    for run, size in zip(equals, sizes, strict=False):
        run["batch_size"] = size
    behind = [
        _run(
            rng,
            rng.choice(EPOCHS),
            rng.choice(RATES),
            top - (2 * i / 872 if i else gap),
            rng.uniform(0.85, 0.95),
            rng.uniform(0.1, 0.2),
        )
        for i in range(others)
    ]
    made = rng.sample([*equals, *behind], len(best) + others)
    if order is not None:
        made.sort(key=lambda run: -run[order])
    for i in range(broken):
        made.insert(rng.randint(1, len(made)) if i else 0, _run(rng, 2, 1e-3, float("nan"), 0.5))
    return made, next(i for i, run in enumerate(made) if run is equals[0])


def _run(
    rng: random.Random, epochs: int, rate: float, validation: float, test: float, train_loss: float = 0.3
) -> Run:
    settings = {"batch_size": rng.choice(SIZES), "learning_rate": rate, "epochs": epochs}
    return {**settings, "train_loss": train_loss, "validation": validation, "test": test}


def variants(rng: random.Random) -> list[tuple[list[Run], int]]:
    """Ten epochs, which are more than five; three and four; a run that is hardly worse; tiny
    rates, falling and rising; plain runs, then these without `test`, with nan for it, and with their
    entries in another order; a failed run between two others.
    """
    epochs = runs(rng, [(5, 1e-3), (10, 1e-4)], 3)
    few = runs(rng, [(3, 1e-3), (4, 1e-4)], 3)
    close = runs(rng, [(5, 1e-3)], 3, gap=3e-5)
    rates = runs(rng, [(5, 2e-6), (5, 3e-6), (5, 1e-3)], 3, order="learning_rate")
    plain, chosen_one = runs(rng, [(2, 5e-4), (5, 1e-4)], 3, broken=1)
    second, failed, first = (_run(rng, 5, 1e-3, value, 0.8) for value in (0.8, float("nan"), 0.9))
    shuffled = [dict(rng.sample(list(run.items()), len(run))) for run in plain]
    return [
        *(epochs, few, close, rates),
        (rates[0][::-1], len(rates[0]) - 1 - rates[1]),
        (plain, chosen_one),
        ([{name: run[name] for name in run if name != "test"} for run in plain], chosen_one),
        ([{**run, "test": math.nan} for run in plain], chosen_one),
        (shuffled, chosen_one),
        ([second, failed, first], 2),
    ]


def other_sizes(rng: random.Random) -> list[tuple[list[Run], int]]:
    """Of two equal runs, the one with the smaller rate, which has the smaller batches, then the larger."""
    return [runs(rng, [(5, 2e-4), (5, 3e-4)], 3, sizes=sizes) for sizes in ((64, 128), (256, 64))]


def never_right(rng: random.Random) -> tuple[list[Run], int]:
    """Runs that failed, and one with the validation accuracy 0, more epochs and a larger rate."""
    made, wanted = runs(rng, [(5, 5e-3)], 0, broken=3)
    return [{**run, "validation": run["validation"] * 0.0} for run in made], wanted  # nan stays nan


def chosen(answer: Answer, results: list[Run], wanted: int) -> None:
    """Raise NotYet unless the answer chooses the run `wanted`."""
    value = answer([dict(run) for run in results])
    if isinstance(value, dict):
        raise NotYet("return the place of the run in the list, a number, instead of the run itself")
    theirs = number(value, "the number of the run")
    expect(
        theirs in range(len(results)),
        f"runs are counted from 0 to {len(results) - 1}; yours is {kind_of(value)}, {theirs:g}",
    )
    run, mine = (results[i] for i in (int(theirs), wanted))
    failed = " and ".join(f"run {i}" for i, run in enumerate(results) if math.isnan(run["validation"]))
    validation, yours = told(mine["validation"], run["validation"], 5)
    equal = mine["validation"] == run["validation"]
    why = "; among equally good runs, the fewest epochs come first, then the smallest rate" if equal else ""
    if len({tuple(run) for run in results}) > 1:
        why += (
            "; here the entries of each run are in an order of their own. Possible cause: they are read by"
            " their place, and not by their name"
        )
    elif failed:
        why += f"; in {failed} the validation is nan"
    if all(math.isnan(run.get("test", math.nan)) for run in results):
        why += f"; here `test` is {'nan in every run' if 'test' in results[0] else 'in no run'}"
    if int(theirs) != wanted:
        raise NotYet(
            f"{_changed(answer, results)}of {len(results)} runs, run {wanted} is to be chosen (validation"
            f" {validation}, {mine['epochs']} epochs, rate {mine['learning_rate']:g}, batch size"
            f" {mine['batch_size']}); yours, run {int(theirs)}, has {yours}, {run['epochs']},"
            f" {run['learning_rate']:g}, {run['batch_size']}{why}"
        )


def _changed(answer: Answer, results: list[Run]) -> str:
    """The beginning of the sentence about a wrong number, if the answer changes the runs."""
    try:
        leaves_alone(answer, ("runs",), results)
    except NotYet:
        return "your code changes `runs`; in the list as it was given, "
    return ""


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A winner; one by fewer epochs, although another rate is smaller; one by the smaller rate;
    the first two behind failed runs; one with 0.
    """
    chosen(answer, *runs(rng, [(5, 5e-4)], 4, gap=5e-3))
    chosen(answer, *runs(rng, [(2, 1e-3), (5, 1e-4)], 3, order="epochs"))
    chosen(answer, *runs(rng, [(5, 1e-4), (5, 5e-4)], 3, order="learning_rate"))
    for made, wanted in other_sizes(rng):
        chosen(answer, made, wanted)
    chosen(answer, *runs(rng, [(5, 5e-4)], 4, broken=2))
    chosen(answer, *runs(rng, [(2, 1e-3), (5, 1e-4)], 3, broken=1, order="epochs"))
    chosen(answer, *never_right(rng))
    for made, wanted in variants(rng):
        chosen(answer, made, wanted)
    leaves_alone(answer, ("runs",), runs(rng, [(2, 1e-3), (5, 1e-4)], 4, broken=2)[0])
    return right("chosen on validation: failed runs do not count, and both rules for equal runs are kept")


EXERCISE = Exercise(
    id="choose_setting",
    title="Choose a setting on validation",
    order=17,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="Washington §3: hyperparameter search",
    hints=(
        (
            "Each run has a training loss, a validation accuracy and perhaps a test accuracy. By which of"
            " them may you choose, if the test accuracy is to be reported?"
        ),
        (
            "Remove the runs that failed. Of the others, take the largest validation accuracy. Among equal"
            " ones, decide by the epochs, then by the learning rate; the smaller wins."
        ),
        (
            "Use a key of three parts, `(-validation, epochs, learning_rate)`; the smallest key wins."
            " `math.isnan` recognises a run that failed. Remove it first: with nan, <, > and == are"
            " always False, and != is always True."
        ),
    ),
    check=check,
)
