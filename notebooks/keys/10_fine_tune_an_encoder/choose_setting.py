"""Answer key of choose_setting."""

from __future__ import annotations

import math
import random

import numpy as np
import torch
from course_exercises._encoder_parts import given_twice
from course_exercises.choose_setting import Run, chosen, never_right, other_sizes, runs, variants

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import leaves_alone

BEST = (
    [(5, 1e-3)],
    [(2, 5e-4), (5, 1e-4), (5, 5e-4)],
    [(5, 1e-4), (5, 5e-4), (5, 1e-3)],
    [(2, 1e-3), (5, 1e-4)],
    [(2, 1e-4), (5, 5e-4)],
)


def cases(rng: random.Random) -> list[tuple[list[Run], int]]:
    """One winner; winners by epochs and by rate, each in orders that mislead; runs that failed, in front."""
    made = [runs(rng, best, others) for best, others in zip(BEST, (0, 6, 9, 4, 6), strict=True)]
    made += [runs(rng, best, 5, order="epochs") for best in (BEST[1], BEST[3])]
    made += [runs(rng, best, 5, order="learning_rate") for best in BEST[1:]]
    return [
        *made,
        *other_sizes(rng),
        runs(rng, [(2, 1e-3)], 5, broken=2),
        runs(rng, BEST[1], 3, broken=3),
        runs(rng, [(5, 5e-4)], 12),
        never_right(rng),
        *variants(rng),
    ]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Every case, and runs that stay as they are."""
    for results, wanted in cases(rng):
        chosen(answer, results, wanted)
    leaves_alone(answer, ("runs",), runs(rng, BEST[2], 6, broken=3)[0])
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Every case, and one again, as the call before left it."""
    calls: list[tuple[object, ...]] = [(results,) for results, _ in cases(rng)]
    results, _ = runs(rng, BEST[1], 5, broken=2)
    return [*calls, *given_twice(results)]


def choose_setting(runs):
    """The reference."""
    finished = [i for i, run in enumerate(runs) if not math.isnan(run["validation"])]
    return min(finished, key=lambda i: (-runs[i]["validation"], runs[i]["epochs"], runs[i]["learning_rate"]))


def round_by_round(runs):
    """Narrows the field down, one criterion after the other."""
    field = [run for run in runs if run["validation"] == run["validation"]]
    for name, pick in (("validation", max), ("epochs", min), ("learning_rate", min)):
        mark = pick(run[name] for run in field)
        field = [run for run in field if run[name] == mark]
    return runs.index(field[0])


def walking(runs):
    """Keeps the better of two, along the list."""
    best = None
    for i, run in enumerate(runs):
        if not run["validation"] >= 0:
            continue
        if best is None or run["validation"] > runs[best]["validation"]:
            best = i
        elif run["validation"] == runs[best]["validation"]:
            ours, theirs = ((each["epochs"], each["learning_rate"]) for each in (run, runs[best]))
            best = i if ours < theirs else best
    return best


def by_lexsort(runs):
    """numpy's sort by three columns, of which the last given is the first."""
    table = np.array(
        [[run["learning_rate"], run["epochs"], -np.nan_to_num(run["validation"], nan=-1.0)] for run in runs]
    )
    return int(np.lexsort(table.T)[0])


def sorted_three_times(runs):
    """A stable sort, from the least important criterion to the most."""
    order = sorted(range(len(runs)), key=lambda i: runs[i]["learning_rate"])
    order.sort(key=lambda i: runs[i]["epochs"])
    order.sort(
        key=lambda i: -1.0 if math.isnan(runs[i]["validation"]) else runs[i]["validation"], reverse=True
    )
    return order[0]


def with_a_score(runs):
    """One score: an accuracy is a multiple of 1/872,
    and what decides among equals is added as far smaller parts.
    """
    accuracy = torch.tensor([run["validation"] for run in runs], dtype=torch.float64).nan_to_num(nan=-1.0)
    score = (
        accuracy - torch.tensor([1e-6 * run["epochs"] + 1e-6 * run["learning_rate"] for run in runs]).double()
    )
    return score.argmax()


def chooses_on_test(runs):
    """You choose by the test accuracy, so it is no longer a fair estimate. Choose by validation."""
    return max(range(len(runs)), key=lambda i: runs[i]["test"])


def on_test_where_there_is_one(runs):
    """You choose by the test accuracy where a run has one, so it is no longer a fair estimate. Choose by
    validation.
    """
    finished = [i for i, run in enumerate(runs) if not math.isnan(run["validation"])]
    return min(
        finished,
        key=lambda i: (
            -runs[i].get("test", runs[i]["validation"]),
            runs[i]["epochs"],
            runs[i]["learning_rate"],
        ),
    )


def on_both(runs):
    """You choose by validation and test together. The test accuracy must take no part in the choice."""
    return max(range(len(runs)), key=lambda i: np.nan_to_num(runs[i]["validation"]) + runs[i]["test"])


def lowest_training_loss(runs):
    """You choose by the training loss. It shows only how well a run knows the sentences it was trained on."""
    return min(range(len(runs)), key=lambda i: runs[i]["train_loss"])


def nan_wins(runs):
    """A run that failed can be chosen. Its accuracy is nan: <, > and == with nan are always False, and !=
    is always True (also nan != nan). Remove such runs first, with math.isnan of `validation`.
    """
    return max(
        range(len(runs)), key=lambda i: (runs[i]["validation"], -runs[i]["epochs"], -runs[i]["learning_rate"])
    )


def first_of_equals(runs):
    """Among equally good runs, you take the first of the list.
    Take the one with fewest epochs, then the smallest rate.
    """
    return max(range(len(runs)), key=lambda i: np.nan_to_num(runs[i]["validation"]))


def more_epochs(runs):
    """Among equally good runs, you take the one with more epochs. The shorter run costs less."""
    return max(
        range(len(runs)),
        key=lambda i: (np.nan_to_num(runs[i]["validation"]), runs[i]["epochs"], -runs[i]["learning_rate"]),
    )


def epochs_alone(runs):
    """Among equally good runs, you look at the epochs only. If these are equal too, take the smaller rate."""
    return max(range(len(runs)), key=lambda i: (np.nan_to_num(runs[i]["validation"]), -runs[i]["epochs"]))


def larger_rate(runs):
    """Among equally good runs, you take the larger rate. Take the smaller one."""
    return max(
        range(len(runs)),
        key=lambda i: (np.nan_to_num(runs[i]["validation"]), -runs[i]["epochs"], runs[i]["learning_rate"]),
    )


def rate_before_epochs(runs):
    """Among equally good runs, you look at the rate first. Look at the epochs first."""
    return max(
        range(len(runs)),
        key=lambda i: (np.nan_to_num(runs[i]["validation"]), -runs[i]["learning_rate"], -runs[i]["epochs"]),
    )


def cheapest(runs):
    """You put the epochs before the accuracy. They decide among equally good runs only."""
    return min(
        range(len(runs)),
        key=lambda i: (runs[i]["epochs"], -np.nan_to_num(runs[i]["validation"]), runs[i]["learning_rate"]),
    )


def the_worst(runs):
    """You take the lowest accuracy. For an accuracy, higher is better."""
    finished = [i for i, run in enumerate(runs) if not math.isnan(run["validation"])]
    return min(finished, key=lambda i: (runs[i]["validation"], runs[i]["epochs"], runs[i]["learning_rate"]))


def whole_percents(runs):
    """You round the accuracies to whole percents, so different runs become equal.
    One more correct sentence is better.
    """
    finished = [i for i, run in enumerate(runs) if not math.isnan(run["validation"])]
    return min(
        finished,
        key=lambda i: (-round(100 * runs[i]["validation"]), runs[i]["epochs"], runs[i]["learning_rate"]),
    )


def counted_without_the_failed(runs):
    """Your number is a place in the list without the failed runs. Return that in the whole list."""
    kept = [run for run in runs if not math.isnan(run["validation"])]
    return min(
        range(len(kept)), key=lambda i: (-kept[i]["validation"], kept[i]["epochs"], kept[i]["learning_rate"])
    )


def always_the_first(runs):
    """You always choose run 0. Compare the runs."""
    return 0


def rounded(runs):
    """The accuracies are rounded, or must differ by some margin. Compare them as they are."""
    finished = [i for i, run in enumerate(runs) if not math.isnan(run["validation"])]
    return min(
        finished,
        key=lambda i: (-round(runs[i]["validation"], 3), runs[i]["epochs"], runs[i]["learning_rate"]),
    )


def removes_the_failed(runs):
    """You change the list of runs that you were given, or a run in it.
    Make new ones: the caller still needs the old ones.
    """
    numbers = [i for i, run in enumerate(runs) if not math.isnan(run["validation"])]
    runs[:] = [run for run in runs if not math.isnan(run["validation"])]
    return numbers[
        min(
            range(len(runs)),
            key=lambda i: (-runs[i]["validation"], runs[i]["epochs"], runs[i]["learning_rate"]),
        )
    ]


def changes_the_runs(runs):
    """You sort the list that you were given, so your number is a place in the sorted list.
    Leave the list as it is.
    """
    runs.sort(key=lambda run: (-np.nan_to_num(run["validation"]), run["epochs"], run["learning_rate"]))
    return 0


def nan_is_zero(runs):
    """You count the accuracy of a run that failed as 0.
    It should lose also against a run whose accuracy is 0.
    """

    def rank(i):
        accuracy = runs[i]["validation"]
        return 0.0 if math.isnan(accuracy) else -accuracy, runs[i]["epochs"], runs[i]["learning_rate"]

    return min(range(len(runs)), key=rank)


KEY = AnswerKey(
    id="choose_setting",
    hidden=hidden,
    reference=choose_setting,
    accepted=(round_by_round, walking, by_lexsort, sorted_three_times, with_a_score),
    rejected=(
        *(
            chooses_on_test,
            on_test_where_there_is_one,
            on_both,
            lowest_training_loss,
            nan_wins,
            first_of_equals,
            more_epochs,
            epochs_alone,
            larger_rate,
        ),
        *(
            rate_before_epochs,
            cheapest,
            the_worst,
            whole_percents,
            counted_without_the_failed,
            changes_the_runs,
        ),
        *(always_the_first, rounded, removes_the_failed, nan_is_zero),
    ),
    fingerprint=fingerprint,
    commentary=(
        "A tuple as key compares part by part: first the validation accuracy (negative, because the smallest"
        " key wins), then the epochs, then the rate. Failed runs are removed before, because a comparison"
        " with nan is always False and would leave the result to the order of the list. The rule for equal"
        " runs is written down before anyone looks at results, and it prefers the cheaper run. The most"
        " common mistake is to choose by the test accuracy, which makes it useless as an estimate."
    ),
)
