"""Fresh answers to abstention_threshold."""


# whole numbers: right answers against target times the answers given
def right_counts(confidences, right, target):
    best, given, hits = math.inf, 0, 0
    for t in sorted(set(confidences), reverse=True):
        here = [hit for c, hit in zip(confidences, right) if c == t]
        given, hits = given + len(here), hits + sum(here)
        if hits / given >= target:
            best = t
    return best


# goes up from the lowest confidence and stops at the first that reaches the target
def right_from_below(confidences, right, target):
    for t in sorted(confidences):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        if np.mean(given) >= target:
            return t
    return np.inf


# min of a generator with a default
def right_generator_default(confidences, right, target):
    def share(t):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        return sum(given) / len(given)

    return min((t for t in confidences if share(t) >= target), default=float("inf"))


# numpy, with np.float64(inf) if there is none
def right_numpy_inf(confidences, right, target):
    c, r = np.array(confidences), np.array(right, dtype=float)
    good = [t for t in np.unique(c) if r[c >= t].mean() >= target - 1e-12]
    return np.min(good) if good else np.float64("inf")


# a zero-dimensional tensor
def right_torch(confidences, right, target):
    c, r = torch.tensor(confidences, dtype=torch.float64), torch.tensor(right, dtype=torch.float64)
    above = (c[None] >= c[:, None]).double()
    shares = above @ r / above.sum(1)
    return torch.where(shares >= target, c, torch.inf).min()


# tries the thresholds from below and returns at the first that is good enough
def right_second_lowest_first(confidences, right, target):
    def share(t):
        given = [bool(hit) for c, hit in zip(confidences, right) if c >= t]
        return sum(given) / len(given)

    for t in sorted(set(confidences)):
        if share(t) >= target:
            return t
    return math.inf


# from above with running counts; the last good threshold wins, groups of ties close first
def right_second_running_counts(confidences, right, target):
    counts = defaultdict(lambda: [0, 0])
    for c, hit in zip(confidences, right):
        counts[c][0] += 1
        counts[c][1] += int(hit)
    best, given, good = math.inf, 0, 0
    for t in sorted(counts)[::-1]:
        given, good = given + counts[t][0], good + counts[t][1]
        if good / given >= target:
            best = t
    return best


# counts the answers above t only
def wrong_above(confidences, right, target):
    good = []
    for t in confidences:
        given = [hit for c, hit in zip(confidences, right) if c > t]
        if given and np.mean(given) >= target:
            good.append(t)
    return min(good, default=math.inf)


# the largest float instead of infinity
wrong_float_min = """
import sys


def abstention_threshold(confidences, right, target):
    good = [t for t in confidences if np.mean([hit for c, hit in zip(confidences, right) if c >= t]) >= target]
    return min(good, default=sys.float_info.max)
"""


# tries thresholds on a grid of hundredths
def wrong_grid(confidences, right, target):
    for t in np.linspace(0, 1, 101):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        if given and np.mean(given) >= target:
            return float(t)
    return math.inf


# the highest threshold that reaches the target
def wrong_highest(confidences, right, target):
    good = [t for t in confidences if np.mean([hit for c, hit in zip(confidences, right) if c >= t]) >= target]
    return max(good, default=math.inf)


# returns None if there is no threshold
def wrong_none(confidences, right, target):
    good = [t for t in confidences if np.mean([hit for c, hit in zip(confidences, right) if c >= t]) >= target]
    return min(good) if good else None


# returns 1 if there is no threshold
def wrong_one(confidences, right, target):
    good = [t for t in confidences if np.mean([hit for c, hit in zip(confidences, right) if c >= t]) >= target]
    return min(good) if good else 1.0


# stops at the first threshold that misses the target
def wrong_stops_at_first(confidences, right, target):
    best = math.inf
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        if sum(given) / len(given) < target:
            break
        best = t
    return best


# more than the target
def wrong_strictly(confidences, right, target):
    good = [t for t in confidences if np.mean([hit for c, hit in zip(confidences, right) if c >= t]) > target]
    return min(good, default=math.inf)


# walks answer by answer, so it can stop inside a group of equal confidences
def wrong_ties_split(confidences, right, target):
    best, hits = math.inf, 0
    for k, (c, hit) in enumerate(sorted(zip(confidences, right), reverse=True), 1):
        hits += hit
        if hits / k >= target:
            best = c
    return best


# demands a share above the target, although the target itself is enough
def wrong_second_more_than_target(confidences, right, target):
    found = [
        t
        for t in confidences
        if np.mean([hit for c, hit in zip(confidences, right) if c >= t]) > target
    ]
    return min(found, default=math.inf)


# goes down from the top and stops when the share falls below the target once
def wrong_second_stops_at_first_failure(confidences, right, target):
    best = math.inf
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        if sum(given) / len(given) < target:
            break
        best = t
    return best


# takes the answers one by one, so a group of equal confidences can be cut in the middle
def wrong_second_ties_split(confidences, right, target):
    best, good = math.inf, 0
    ranked = sorted(zip(confidences, right), reverse=True)  # among equal ones, right answers first
    for given, (c, hit) in enumerate(ranked, start=1):
        good += hit
        if good / given >= target:
            best = c
    return best


# a tolerance: 0.01 below the target is good enough
def wrong_tolerance(confidences, right, target):
    for t in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        if round(sum(given) / len(given), 2) >= target:
            return t
    return math.inf


# The lowest confidence among right answers.
def wrong_right_only(confidences, right, target):
    for t in sorted({c for c, r in zip(confidences, right) if r}):
        given = [r for c, r in zip(confidences, right) if c >= t]
        if sum(given) >= target * len(given):
            return t
    return math.inf


# Confidences closer than 1e-6 count as equal.
def wrong_close(confidences, right, target):
    for t in sorted(set(confidences)):
        given = [r for c, r in zip(confidences, right) if c >= t - 1e-6]
        if sum(given) / len(given) >= target:
            return t
    return math.inf


# the share is rounded before it is compared
def wrong_fourth_rounded_share(confidences, right, target):
    for t in sorted(set(confidences)):
        g = [r for c, r in zip(confidences, right) if c >= t]
        if round(sum(g) / len(g), 3) >= target:
            return t
    return math.inf


# confidences that nearly agree count as equal
def wrong_fourth_isclose(confidences, right, target):
    for t in sorted(set(confidences)):
        g = [r for c, r in zip(confidences, right) if c >= t or math.isclose(c, t)]
        if sum(g) / len(g) >= target:
            return t
    return math.inf


# only the twenty highest thresholds are tried
def wrong_fourth_few_levels(confidences, right, target):
    best = math.inf
    for t in sorted(set(confidences), reverse=True)[:20]:
        g = [r for c, r in zip(confidences, right) if c >= t]
        if sum(g) / len(g) >= target:
            best = t
    return best


# The share as 1 minus the risk: rounding misses a target of 0.1 with 1 of 10.
def wrong_fourth_one_minus_risk(confidences, right, target):
    for t in sorted(set(confidences)):
        given = [hit for confidence, hit in zip(confidences, right) if confidence >= t]
        if 1 - given.count(False) / len(given) >= target:
            return t
    return math.inf


# at least two answers must be given
def wrong_seventh_two_answers(confidences, right, target):
    for t in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right, strict=True) if c >= t]
        if len(given) > 1 and sum(given) / len(given) >= target:
            return t
    return math.inf
