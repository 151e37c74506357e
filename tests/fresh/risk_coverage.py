"""Fresh answers to risk_coverage."""


# exact fractions
right_fractions = """
from fractions import Fraction


def risk_coverage(confidences, right):
    points = []
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        points.append((float(Fraction(len(given), len(right))), float(Fraction(given.count(False), len(given)))))
    return points
"""


# itertools.groupby over sorted pairs; pairs are lists
def right_groupby(confidences, right):
    pairs = sorted(zip(confidences, right), key=lambda pair: -pair[0])
    points, given, wrong = [], 0, 0
    for _, group in itertools.groupby(pairs, key=lambda pair: pair[0]):
        for _, hit in group:
            given, wrong = given + 1, wrong + (not hit)
        points.append([given / len(pairs), wrong / given])
    return points


# named tuples
right_named_tuple = """
from collections import namedtuple

Point = namedtuple("Point", "coverage risk")


def risk_coverage(confidences, right):
    def at(t):
        kept = [not hit for c, hit in zip(confidences, right) if c >= t]
        return Point(len(kept) / len(confidences), sum(kept) / len(kept))

    return [at(t) for t in sorted({*confidences})[::-1]]
"""


# numpy arrays of comparisons; pairs are tuples of numpy floats
def right_numpy_unique(confidences, right):
    c, r = np.array(confidences), np.array(right, dtype=bool)
    return [(np.mean(c >= t), np.mean(~r[c >= t])) for t in np.unique(c)[::-1]]


# recursion from the lowest confidence upwards
def right_recursive(confidences, right, N=None):
    if not confidences:
        return []
    N = N or len(confidences)
    lowest = min(confidences)
    here = (len(right) / N, 1 - sum(right) / len(right))
    rest = [(c, hit) for c, hit in zip(confidences, right) if c > lowest]
    return risk_coverage([c for c, _ in rest], [hit for _, hit in rest], N) + [here]


# sorts once and walks through groups of equal confidence with running counts
def right_second_groupby(confidences, right):
    ranked = sorted(zip(confidences, right), key=lambda pair: -pair[0])
    given = wrong = 0
    curve = []
    for _, group in itertools.groupby(ranked, key=lambda pair: pair[0]):
        for _, hit in group:
            given += 1
            wrong += not hit
        curve.append((given / len(ranked), wrong / given))
    return curve


# a table answers × thresholds from numpy's unique
def right_second_numpy_table(confidences, right):
    c, hit = np.asarray(confidences, dtype=float), np.asarray(right, dtype=bool)
    thresholds = np.unique(c)[::-1]
    given = c[None, :] >= thresholds[:, None]
    coverage = given.mean(axis=1)
    risk = (given & ~hit).sum(axis=1) / given.sum(axis=1)
    return [(float(x), float(y)) for x, y in zip(coverage, risk)]


# answers where the confidence is above t
def wrong_above(confidences, right):
    points = []
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c > t]
        points.append((len(given) / len(right), given.count(False) / max(1, len(given))))
    return points


# the share of right answers instead of wrong ones
def wrong_accuracy(confidences, right):
    points = []
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        points.append((len(given) / len(right), sum(given) / len(given)))
    return points


# from the lowest confidence to the highest
def wrong_ascending(confidences, right):
    points = []
    for t in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        points.append((len(given) / len(right), given.count(False) / len(given)))
    return points


# skips a confidence of 0 as if it were missing
def wrong_no_zero(confidences, right):
    points = []
    for t in sorted({c for c in confidences if c}, reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        points.append((len(given) / len(right), given.count(False) / len(given)))
    return points


# one point for each answer, so ties are separated
def wrong_point_per_answer(confidences, right):
    order = sorted(range(len(right)), key=lambda i: -confidences[i])
    return [((k + 1) / len(order), sum(not right[i] for i in order[: k + 1]) / (k + 1)) for k in range(len(order))]


# wrong answers as a share of all questions
def wrong_risk_of_all(confidences, right):
    points = []
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        points.append((len(given) / len(right), given.count(False) / len(right)))
    return points


# confidences rounded to two digits, so close ones are put together
def wrong_rounded(confidences, right):
    confidences = [round(c, 2) for c in confidences]
    points = []
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        points.append((len(given) / len(right), given.count(False) / len(given)))
    return points


# sorts the points by risk
def wrong_sorted_by_risk(confidences, right):
    points = []
    for t in set(confidences):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        points.append((len(given) / len(right), given.count(False) / len(given)))
    return sorted(points, key=lambda point: (point[1], point[0]))


# sorts the given list in place after use
def wrong_sorts_in_place(confidences, right):
    points = []
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        points.append((len(given) / len(right), given.count(False) / len(given)))
    confidences.sort(reverse=True)
    return points


# one point for each answer, also where confidences are equal
def wrong_second_point_per_answer(confidences, right):
    order = sorted(range(len(right)), key=lambda i: confidences[i], reverse=True)
    curve, wrong = [], 0
    for given, i in enumerate(order, start=1):
        wrong += not right[i]
        curve.append((given / len(right), wrong / given))
    return curve


# the risk is divided by all questions and not by the answers given
def wrong_second_risk_of_all_questions(confidences, right):
    n = len(right)
    curve = []
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        curve.append((len(given) / n, given.count(False) / n))
    return curve


# answers only strictly above the threshold; no answer counts as no risk
def wrong_second_strictly_above(confidences, right):
    n = len(right)
    curve = []
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c > t]
        curve.append((len(given) / n, sum(not hit for hit in given) / len(given) if given else 0.0))
    return curve


# Confidences closer than 1e-6 count as equal.
def wrong_close(confidences, right):
    out = []
    confidences = [round(c, 6) for c in confidences]
    for t in sorted(set(confidences), reverse=True):
        given = [r for c, r in zip(confidences, right) if c >= t]
        out.append((len(given) / len(right), given.count(False) / len(given)))
    return out


# a curve of more than 100 points loses its last one
def wrong_fourth_long_curve_cut(confidences, right):
    out = []
    for t in sorted(set(confidences), reverse=True):
        g = [r for c, r in zip(confidences, right) if c >= t]
        out.append((len(g) / len(right), 1 - sum(g) / len(g)))
    return out[:-1] if len(out) > 100 else out


# confidences are rounded to nine digits
def wrong_fourth_nine_digits(confidences, right):
    c = np.round(np.array(confidences), 9)
    out = []
    for t in sorted(set(c.tolist()), reverse=True):
        g = [r for x, r in zip(c, right) if x >= t]
        out.append((len(g) / len(right), 1 - sum(g) / len(g)))
    return out


# Equal confidences are neighbours only if the list is sorted: groupby without sorting.
def wrong_seventh_unsorted_groups(confidences, right):
    curve, given, wrong = [], 0, 0
    for _, group in itertools.groupby(zip(confidences, right), key=lambda pair: pair[0]):
        hits = [hit for _, hit in group]
        given, wrong = given + len(hits), wrong + hits.count(False)
        curve.append((given / len(right), wrong / given))
    return curve
