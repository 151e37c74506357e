"""Fresh answers to is_it_a_difference."""


# Calls the course's own paired test.
def right_course_statistics(first, second):
    from kqa_core.stats import paired

    return paired(first, second) < 0.05


# Asks whether the 95 % interval leaves out 0.
def right_interval(first, second):
    gaps = [b - a for a, b in zip(first, second)]
    n = len(gaps)
    half = t_quantile(0.975, n - 1) * statistics.stdev(gaps) / n**0.5
    mean = sum(gaps) / n
    return not (mean - half <= 0 <= mean + half)


# Two limits, the 0.025 and the 0.975 quantile.
def right_lower_quantile(first, second):
    n = len(first)
    gaps = list(map(lambda a, b: a - b, first, second))
    mean = math.fsum(gaps) / n
    error = math.sqrt(math.fsum((g - mean) ** 2 for g in gaps) / (n - 1) / n)
    low, high = t_quantile(0.025, n - 1), t_quantile(0.975, n - 1)
    return mean / error < low or mean / error > high


# Takes care of differences that are all equal.
def right_no_spread(first, second):
    gaps = np.array(first) - np.array(second)
    error = gaps.std(ddof=1) / math.sqrt(len(gaps))
    if error == 0:
        return bool(gaps[0] != 0)
    return bool(abs(gaps.mean()) / error > t_quantile(0.975, len(gaps) - 1))


# numpy with ddof=1; the verdict is a numpy bool.
def right_numpy(first, second):
    gaps = np.subtract(first, second)
    t = gaps.mean() / (gaps.std(ddof=1) / np.sqrt(gaps.size))
    return np.abs(t) > t_quantile(0.975, gaps.size - 1)


# Finds the p-value by halving with t_quantile, forty times.
def right_p_value_by_bisection(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    n = len(gaps)
    t = abs(statistics.fmean(gaps)) / (statistics.stdev(gaps) / math.sqrt(n))
    low, high = 0.9, 1.0
    for _ in range(17):
        middle = (low + high) / 2
        if t_quantile(middle, n - 1) < t:
            low = middle
        else:
            high = middle
    return 2 * (1 - low) < 0.05


# Compares squares, so there is no root and no division by 0.
def right_squares(first, second):
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    n = len(gaps)
    return n * statistics.mean(gaps) ** 2 > t_quantile(0.975, n - 1) ** 2 * statistics.variance(gaps)


# torch tensors, in float32.
def right_torch_float32(first, second):
    gaps = torch.tensor(first) - torch.tensor(second)
    n = len(gaps)
    t = gaps.mean() / gaps.std() * n**0.5
    return (t.abs() > t_quantile(0.975, n - 1)).item()


# builds the 95 % interval with numpy and looks whether 0 is outside
def right_second_interval_excludes_zero(first, second, level=0.05):
    g = np.subtract(first, second)
    middle = g.mean()
    reach = t_quantile(1 - level / 2, g.size - 1) * g.std(ddof=1) / np.sqrt(g.size)
    low, high = middle - reach, middle + reach
    if low <= 0 <= high:
        return False
    return True


# squares instead of roots, so equal differences need no special case
def right_second_without_division(first, second):
    n = len(first)
    gaps = [a - b for a, b in zip(first, second)]
    total = math.fsum(gaps)
    squares = math.fsum((gap - total / n) ** 2 for gap in gaps)
    limit = t_quantile(0.975, n - 1)
    return total**2 * (n - 1) > limit**2 * squares * n


# Takes the size of each difference, so they all have one sign.
def wrong_absolute_gaps(first, second):
    gaps = [abs(a - b) for a, b in zip(first, second)]
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return t > t_quantile(0.975, len(gaps) - 1)


# Writes the differences into the caller's first list.
def wrong_difference_written_into_first(first, second):
    for i in range(len(first)):
        first[i] -= second[i]
    t = statistics.fmean(first) / (statistics.stdev(first) / math.sqrt(len(first)))
    return abs(t) > t_quantile(0.975, len(first) - 1)


# The standard error divides by n.
def wrong_divided_by_number(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / len(gaps))
    return abs(t) > t_quantile(0.975, len(gaps) - 1)


# Looks at the first three seeds only.
def wrong_first_three_seeds(first, second):
    gaps = [first[i] - second[i] for i in range(3)]
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(3))
    return abs(t) > t_quantile(0.975, 2)


# The 0.95 quantile.
def wrong_level_of_ten(first, second):
    gaps = np.array(first) - np.array(second)
    t = gaps.mean() / gaps.std(ddof=1) * np.sqrt(len(gaps))
    return bool(abs(t) > t_quantile(0.95, len(gaps) - 1))


# Keeps the limit of its first call.
wrong_limit_of_the_first_call = """
class Limit:
    value = None


def is_it_a_difference(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    if Limit.value is None:
        Limit.value = t_quantile(0.975, len(gaps) - 1)
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return abs(t) > Limit.value
"""


# Pops from the caller's lists, which are empty afterwards.
def wrong_lists_emptied(first, second):
    gaps = []
    while first:
        gaps.append(first.pop() - second.pop())
    n = len(gaps)
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(n))
    return abs(t) > t_quantile(0.975, n - 1)


# The median of the differences in place of their mean.
def wrong_median(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    t = statistics.median(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return abs(t) > t_quantile(0.975, len(gaps) - 1)


# Finds a difference only if the first is larger.
def wrong_one_side(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return t > t_quantile(0.975, len(gaps) - 1)


# np.std divides by n.
def wrong_population_spread(first, second):
    gaps = np.array(first) - np.array(second)
    t = gaps.mean() / gaps.std() * np.sqrt(len(gaps))
    return bool(abs(t) > t_quantile(0.975, len(gaps) - 1))


# Tests the logarithms of the ratios in place of the differences.
def wrong_ratios(first, second):
    gaps = [math.log(a / b) for a, b in zip(first, second)]
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return abs(t) > t_quantile(0.975, len(gaps) - 1)


# Rounds t and the limit to whole numbers.
def wrong_rounded_t(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return abs(round(t)) > round(t_quantile(0.975, len(gaps) - 1))


# A permutation test with 2,000 random signs.
def wrong_sign_flips(first, second):
    gaps = np.array(first) - np.array(second)
    signs = np.random.choice([-1, 1], size=(2000, len(gaps)))
    return bool(np.mean(abs((signs * gaps).mean(1)) >= abs(gaps.mean()) - 1e-12) < 0.05)


# Sorts both lists first, so the pairs are lost.
def wrong_sorted_pairs(first, second):
    gaps = [a - b for a, b in zip(sorted(first), sorted(second))]
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return abs(t) > t_quantile(0.975, len(gaps) - 1)


# A table of limits up to ten runs, and 1.96 beyond.
wrong_table_up_to_ten = """
LIMIT = {3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}


def is_it_a_difference(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return abs(t) > LIMIT.get(len(gaps), 1.96)
"""


# Two independent lists.
def wrong_welch(first, second):
    n = len(first)
    va, vb = statistics.variance(first) / n, statistics.variance(second) / n
    t = (statistics.fmean(first) - statistics.fmean(second)) / math.sqrt(va + vb)
    degrees = (va + vb) ** 2 / (va**2 / (n - 1) + vb**2 / (n - 1))
    return abs(t) > t_quantile(0.975, degrees)


# an unpaired test with pooled variance
def wrong_second_ignores_pairs(first, second):
    n = len(first)
    spread = math.sqrt((statistics.variance(first) + statistics.variance(second)) / n)
    gap = abs(statistics.fmean(first) - statistics.fmean(second))
    return gap > t_quantile(0.975, 2 * n - 2) * spread


# n degrees of freedom in place of n - 1
def wrong_second_n_degrees(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    n = len(gaps)
    return abs(statistics.fmean(gaps)) > t_quantile(0.975, n) * statistics.stdev(gaps) / math.sqrt(n)


# takes the 0.95 quantile, which is the limit of a one-sided test
def wrong_second_one_sided_level(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    n = len(gaps)
    return abs(statistics.fmean(gaps)) > t_quantile(0.95, n - 1) * statistics.stdev(gaps) / math.sqrt(n)


# "True if the means differ": equal differences give a standard deviation of 0, and False
def wrong_zero_deviation(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    if statistics.stdev(gaps) < 1e-9:
        return False
    return abs(statistics.fmean(gaps)) > t_quantile(0.975, len(gaps) - 1) * statistics.stdev(gaps) / len(gaps) ** 0.5


# "False if not": two equal lists (t is 0/0) count as different
def wrong_equal_lists(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    return abs(statistics.fmean(gaps)) >= t_quantile(0.975, len(gaps) - 1) * statistics.stdev(gaps) / len(gaps) ** 0.5


# "Do not round": t and its limit
def wrong_rounded(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    t = abs(statistics.fmean(gaps)) / (statistics.stdev(gaps) / len(gaps) ** 0.5 + 1e-300)
    return round(t, 1) > round(t_quantile(0.975, len(gaps) - 1), 1)


# "if the means differ": small numbers are never different (an absolute bound)
def wrong_absolute_bound(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    return abs(statistics.fmean(gaps)) > t_quantile(0.975, len(gaps) - 1) * statistics.stdev(gaps) / len(gaps) ** 0.5 + 1e-6


# "The limit must be right for every n": it is rounded to two digits, t is not
def wrong_limit_rounded(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    limit = round(t_quantile(0.975, len(gaps) - 1), 2)
    return abs(statistics.fmean(gaps)) > limit * statistics.stdev(gaps) / len(gaps) ** 0.5


# The root of n - 1 as well as the divisor n - 1.
def wrong_root_n_minus_one(first, second):
    gaps = [a - b for a, b in zip(first, second)]
    n, mean, sd = len(gaps), statistics.mean(gaps), statistics.stdev(gaps)
    if sd == 0:
        return mean != 0
    return abs(mean) / (sd / math.sqrt(n - 1)) > t_quantile(0.975, n - 1)


# differences of the absolute values
def wrong_fourth_abs_values(first, second):
    g = [abs(a) - abs(b) for a, b in zip(first, second)]
    return abs(statistics.fmean(g)) > t_quantile(0.975, len(g) - 1) * statistics.stdev(g) / math.sqrt(len(g))


# from 51 runs on the limit is 1.96
def wrong_fourth_table_100(first, second):
    g = [a - b for a, b in zip(first, second)]
    n = len(g); lim = t_quantile(0.975, n - 1) if n <= 50 else 1.96
    return abs(statistics.fmean(g)) > lim * statistics.stdev(g) / math.sqrt(n)


# never more than 40 degrees of freedom
def wrong_fourth_cap_degrees(first, second):
    g = [a - b for a, b in zip(first, second)]
    n = len(g); lim = t_quantile(0.975, min(n - 1, 40))
    return abs(statistics.fmean(g)) > lim * statistics.stdev(g) / math.sqrt(n)


# Pairs with the difference 0 are dropped, as in Wilcoxon's test.
def wrong_seventh_drops_zeros(first, second):
    gaps = [a - b for a, b in zip(first, second) if a != b]
    if len(gaps) < 2 or statistics.stdev(gaps) == 0:
        return False
    t = statistics.fmean(gaps) / (statistics.stdev(gaps) / math.sqrt(len(gaps)))
    return abs(t) > t_quantile(0.975, len(gaps) - 1)
