"""Fresh answers to choose_setting."""


# three filters, one after the other
def right_filters_step_by_step(runs):
    left = [i for i in range(len(runs)) if not math.isnan(runs[i]["validation"])]
    for name, best in (("validation", max), ("epochs", min), ("learning_rate", min)):
        target = best(runs[i][name] for i in left)
        left = [i for i in left if runs[i][name] == target]
    return left[0]


# numpy lexsort with nan as minus infinity
def right_lexsort(runs):
    v = np.nan_to_num([r["validation"] for r in runs], nan=-np.inf)
    order = np.lexsort(([r["learning_rate"] for r in runs], [r["epochs"] for r in runs], -v))
    return order[0]


# a loop that keeps the best so far; nan loses every comparison
def right_loop_by_hand(runs):
    chosen = -1
    for i, run in enumerate(runs):
        if run["validation"] != run["validation"]:
            continue
        if chosen < 0:
            chosen = i
            continue
        other = runs[chosen]
        if run["validation"] > other["validation"] or (
            run["validation"] == other["validation"]
            and (run["epochs"], run["learning_rate"]) < (other["epochs"], other["learning_rate"])
        ):
            chosen = i
    return chosen


# functools.reduce; a torch integer is returned
right_reduce_torch = """
from functools import reduce


def choose_setting(runs):
    rank = lambda r: (r["validation"], -r["epochs"], -r["learning_rate"])
    alive = [i for i, r in enumerate(runs) if np.isfinite(r["validation"])]
    return torch.tensor(reduce(lambda a, b: a if rank(runs[a]) >= rank(runs[b]) else b, alive))
"""


# sorts the numbers by three keys, nan sent to the end
def right_sorted_enumerate(runs):
    def key(i):
        v = runs[i]["validation"]
        return (math.isnan(v), -v if v == v else 0, runs[i]["epochs"], runs[i]["learning_rate"])

    return sorted(range(len(runs)), key=key)[0]


# numpy's lexsort, the failed runs get minus infinity
def right_second_lexsort(runs):
    score = np.array([run["validation"] for run in runs], dtype=float)
    score = np.where(np.isnan(score), -np.inf, score)
    keys = ([run["learning_rate"] for run in runs], [run["epochs"] for run in runs], -score)
    return int(np.lexsort(keys)[0])


# keeps the remaining candidates in three rounds
def right_second_three_rounds(runs):
    left = [i for i, run in enumerate(runs) if not math.isnan(run["validation"])]
    for best, name in ((max, "validation"), (min, "epochs"), (min, "learning_rate")):
        wanted = best(runs[i][name] for i in left)
        left = [i for i in left if runs[i][name] == wanted]
    return left[0]


# the best on test, if it is there
def wrong_by_test(runs):
    alive = [i for i, r in enumerate(runs) if not math.isnan(r["validation"])]
    return min(alive, key=lambda i: (-runs[i].get("test", runs[i]["validation"]), runs[i]["epochs"], runs[i]["learning_rate"]))


# the smallest train loss
def wrong_by_train_loss(runs):
    alive = [i for i, r in enumerate(runs) if not math.isnan(r["validation"])]
    return min(alive, key=lambda i: runs[i]["train_loss"])


# counts from 1
def wrong_counts_from_one(runs):
    alive = [i for i, r in enumerate(runs) if not math.isnan(r["validation"])]
    return 1 + min(alive, key=lambda i: (-runs[i]["validation"], runs[i]["epochs"], runs[i]["learning_rate"]))


# the first of the best
def wrong_ignores_ties(runs):
    return int(np.nanargmax([r["validation"] for r in runs]))


# the index in the filtered list
def wrong_index_after_filter(runs):
    alive = [r for r in runs if not math.isnan(r["validation"])]
    return min(range(len(alive)), key=lambda i: (-alive[i]["validation"], alive[i]["epochs"], alive[i]["learning_rate"]))


# the largest rate among equal ones
def wrong_largest_rate(runs):
    alive = [i for i, r in enumerate(runs) if not math.isnan(r["validation"])]
    return min(alive, key=lambda i: (-runs[i]["validation"], runs[i]["epochs"], -runs[i]["learning_rate"]))


# writes a rank into the given dicts
def wrong_marks_runs(runs):
    for r in runs:
        r["key"] = (math.isnan(r["validation"]), -r["validation"], r["epochs"], r["learning_rate"])
    return min(range(len(runs)), key=lambda i: runs[i]["key"])


# the most epochs among equal ones
def wrong_most_epochs(runs):
    alive = [i for i, r in enumerate(runs) if not math.isnan(r["validation"])]
    return min(alive, key=lambda i: (-runs[i]["validation"], -runs[i]["epochs"], runs[i]["learning_rate"]))


# max with nan present
def wrong_plain_max(runs):
    return max(range(len(runs)), key=lambda i: (runs[i]["validation"], -runs[i]["epochs"], -runs[i]["learning_rate"]))


# tie rules in the other order
def wrong_rate_before_epochs(runs):
    alive = [i for i, r in enumerate(runs) if not math.isnan(r["validation"])]
    return min(alive, key=lambda i: (-runs[i]["validation"], runs[i]["learning_rate"], runs[i]["epochs"]))


# removes failed runs from the given list and finds the place by counting what was removed
def wrong_removes_failed(runs):
    numbered = list(enumerate(runs))
    for i, r in reversed(numbered):
        if math.isnan(r["validation"]):
            del runs[i]
    alive = [(i, r) for i, r in numbered if not math.isnan(r["validation"])]
    return min(alive, key=lambda p: (-p[1]["validation"], p[1]["epochs"], p[1]["learning_rate"]))[0]


# returns the run itself
def wrong_returns_run(runs):
    alive = [r for r in runs if not math.isnan(r["validation"])]
    return min(alive, key=lambda r: (-r["validation"], r["epochs"], r["learning_rate"]))


# compares accuracies rounded to three digits
def wrong_rounded_validation(runs):
    alive = [i for i, r in enumerate(runs) if not math.isnan(r["validation"])]
    return min(alive, key=lambda i: (-round(runs[i]["validation"], 3), runs[i]["epochs"], runs[i]["learning_rate"]))


# sorts the given list
def wrong_sorts_runs(runs):
    first = list(runs)
    runs.sort(key=lambda r: (math.isnan(r["validation"]), -r["validation"], r["epochs"], r["learning_rate"]))
    return first.index(runs[0])


# always 0
def wrong_zero(runs):
    return 0


# compares with max although nan compares with nothing, so a failed first run is kept
def wrong_second_nan_wins(runs):
    return max(range(len(runs)), key=lambda i: (runs[i]["validation"], -runs[i]["epochs"], -runs[i]["learning_rate"]))


# filters the failed runs first and returns the place in the filtered list
def wrong_second_number_among_survivors(runs):
    alive = [run for run in runs if not math.isnan(run["validation"])]
    best = min(alive, key=lambda run: (-run["validation"], run["epochs"], run["learning_rate"]))
    return alive.index(best)


# among equal ones the smallest rate first, and only then the fewest epochs
def wrong_second_rate_before_epochs(runs):
    alive = [i for i, run in enumerate(runs) if run["validation"] == run["validation"]]
    return min(alive, key=lambda i: (-runs[i]["validation"], runs[i]["learning_rate"], runs[i]["epochs"]))


# a run with nan anywhere counts as failed, also one without a test accuracy
def wrong_fourth_any_nan(runs):
    ids = [i for i, r in enumerate(runs) if not any(math.isnan(v) for v in r.values())]
    return min(ids, key=lambda i: (-runs[i]["validation"], runs[i]["epochs"], runs[i]["learning_rate"]))


# epochs are compared as text
def wrong_fourth_string_epochs(runs):
    ids = [i for i, r in enumerate(runs) if not math.isnan(r["validation"])]
    return min(ids, key=lambda i: (-runs[i]["validation"], str(runs[i]["epochs"]), runs[i]["learning_rate"]))


# reads the values by their place in the dict
def wrong_fourth_by_position(runs):
    ids = [i for i, r in enumerate(runs) if not math.isnan(list(r.values())[4])]
    return min(ids, key=lambda i: (-list(runs[i].values())[4], list(runs[i].values())[2], list(runs[i].values())[1]))


# accuracies within 0.0001 count as equal
def wrong_fifth_close_is_equal(runs):
    best = max(run["validation"] for run in runs if run["validation"] == run["validation"])
    near = [i for i, run in enumerate(runs) if math.isclose(run["validation"], best, abs_tol=5e-5)]
    return min(near, key=lambda i: (runs[i]["epochs"], runs[i]["learning_rate"]))


def wrong_seventh_reciprocal(runs):
    good = [i for i, r in enumerate(runs) if not math.isnan(r["validation"])]
    return max(good, key=lambda i: (runs[i]["validation"], runs[i]["epochs"] // 5 * -1, -runs[i]["learning_rate"]))


# Sorted with NaN among the keys: the order is not defined, a NaN stops the best run from coming forward.
def wrong_seventh_sorted_with_nan(runs):
    key = lambda i: (-runs[i]["validation"], runs[i]["epochs"], runs[i]["learning_rate"])
    for i in sorted(range(len(runs)), key=key):
        if not math.isnan(runs[i]["validation"]):
            return i


# "is not math.nan" finds one object only: another NaN, as float("nan"), goes through and breaks min.
def wrong_seventh_is_not_nan(runs):
    numbers = [i for i, run in enumerate(runs) if run["validation"] is not math.nan]
    return min(numbers, key=lambda i: (-runs[i]["validation"], runs[i]["epochs"], runs[i]["learning_rate"]))


# Replaces the best by epochs and by rate, each alone: a tie with fewer epochs and a larger rate loses.
def wrong_eighth_both_smaller(runs):
    best = None
    for i, run in enumerate(runs):
        if run["validation"] != run["validation"]:
            continue
        if best is None or run["validation"] > runs[best]["validation"]:
            best = i
        elif run["validation"] == runs[best]["validation"]:
            if run["epochs"] <= runs[best]["epochs"] and run["learning_rate"] < runs[best]["learning_rate"]:
                best = i
    return best
