"""Fresh answers to paired_difference."""


# from the two counts b and c of McNemar
def right_counts_formula(first, second):
    b = sum(x and not y for x, y in zip(first, second))
    c = sum(y and not x for x, y in zip(first, second))
    n = len(first)
    return (b - c) / n, math.sqrt(b + c - (b - c) ** 2 / n) / n


# the variance of a difference from variances and covariance
def right_covariance(first, second):
    x, y = np.asarray(first, float), np.asarray(second, float)
    cov = np.cov(x, y)
    variance = max(0.0, cov[0, 0] + cov[1, 1] - 2 * cov[0, 1])
    return [x.mean() - y.mean(), math.sqrt(variance / len(x))]


# a named tuple; Fraction for the mean
right_namedtuple_decimal_free = """
from collections import namedtuple
from fractions import Fraction

Paired = namedtuple("Paired", ["difference", "error"])


def paired_difference(first, second):
    d = [a - b for a, b in zip(map(int, first), map(int, second))]
    mean = Fraction(sum(d), len(d))
    variance = sum((x - mean) ** 2 for x in d) / len(d)
    return Paired(float(mean), math.sqrt(variance / len(d)))
"""


# numpy arrays of floats
def right_numpy_std(first, second):
    d = np.array(first, float) - np.array(second, float)
    return d.mean(), d.std() / np.sqrt(len(d))


# statistics.stdev with n − 1
def right_statistics_stdev(first, second):
    d = [int(a) - int(b) for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.stdev(d) / len(d) ** 0.5


# torch tensors in float32
def right_torch_float32(first, second):
    d = torch.tensor(first).float() - torch.tensor(second).float()
    return d.mean(), d.std() / math.sqrt(len(d))


# variances of both rows minus twice their covariance, with numpy
def right_second_covariance(first, second):
    both = np.array([first, second], dtype=np.float64)
    cov = np.cov(both, bias=True)
    variance = cov[0, 0] + cov[1, 1] - 2 * cov[0, 1]
    a, b = both.mean(axis=1)
    return float(a - b), float(np.sqrt(max(0.0, variance) / both.shape[1]))


# only from the two counts of discordant sentences, n − 1 in the deviation
def right_second_discordant_counts(first, second):
    n = len(first)
    b = sum(1 for one, other in zip(first, second) if one and not other)
    c = sum(1 for one, other in zip(first, second) if other and not one)
    difference = (b - c) / n
    variance = (b + c - n * difference**2) / (n - 1)
    return difference, math.sqrt(max(variance, 0.0) / n)


# the absolute difference
def wrong_absolute(first, second):
    d = [a - b for a, b in zip(first, second)]
    return abs(statistics.fmean(d)), statistics.pstdev(d) / math.sqrt(len(d))


# the deviation of the absolute differences
def wrong_absolute_differences(first, second):
    d = [a - b for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.pstdev([abs(x) for x in d]) / math.sqrt(len(d))


# stdev with n − 1, then divided by the root of n − 1 again
def wrong_both_corrections(first, second):
    d = [a - b for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.stdev(d) / math.sqrt(len(d) - 1)


# the standard deviation divided by n
def wrong_divides_by_n(first, second):
    d = [a - b for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.pstdev(d) / len(d)


# the standard error of the first accuracy
def wrong_first_only(first, second):
    n = len(first)
    p, q = sum(first) / n, sum(second) / n
    return p - q, math.sqrt(p * (1 - p) / n)


# 1.96 standard errors
def wrong_interval(first, second):
    d = [a - b for a, b in zip(first, second)]
    return statistics.fmean(d), 1.96 * statistics.pstdev(d) / math.sqrt(len(d))


# the mean is not subtracted
def wrong_mean_of_squares(first, second):
    d = [a - b for a, b in zip(first, second)]
    return sum(d) / len(d), math.sqrt(sum(x * x for x in d) / len(d) / len(d))


# divides the squares by n − 2
def wrong_n_minus_two(first, second):
    d = [a - b for a, b in zip(first, second)]
    m, n = statistics.fmean(d), len(d)
    return m, math.sqrt(sum((x - m) ** 2 for x in d) / max(1, n - 2) / n)


# only the sentences on which they differ, n is their number
def wrong_only_differing(first, second):
    d = [a - b for a, b in zip(first, second) if a != b]
    return sum(d) / len(first), (statistics.pstdev(d) / math.sqrt(len(d)) if d else 0.0)


# in percentage points
def wrong_percent(first, second):
    d = [100 * (a - b) for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.pstdev(d) / math.sqrt(len(d))


# sorts both lists first, so the pairs are lost
def wrong_sorts(first, second):
    d = [a - b for a, b in zip(sorted(first), sorted(second))]
    return statistics.fmean(d), statistics.pstdev(d) / math.sqrt(len(d))


# the standard deviation, not divided by the root of n
def wrong_standard_deviation(first, second):
    d = [a - b for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.pstdev(d)


# the formula for independent samples
def wrong_unpaired(first, second):
    n = len(first)
    p, q = sum(first) / n, sum(second) / n
    return p - q, math.sqrt((p * (1 - p) + q * (1 - q)) / n)


# the variance divided by n, no root
def wrong_variance(first, second):
    d = [a - b for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.pvariance(d) / len(d)


# the standard deviation of the differences, not divided by the root of n
def wrong_second_deviation_only(first, second):
    d = [int(a) - int(b) for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.pstdev(d)


# the error of two independent samples, without the pairs
def wrong_second_independent_samples(first, second):
    n = len(first)
    p, q = sum(first) / n, sum(second) / n
    return p - q, math.sqrt((p * (1 - p) + q * (1 - q)) / n)


# the root mean square of the differences in place of their standard deviation
def wrong_second_mean_not_subtracted(first, second):
    d = np.array(first, dtype=int) - np.array(second, dtype=int)
    return float(d.mean()), float(np.sqrt((d**2).mean() / len(d)))


# second minus first
def wrong_second_minus_first(first, second):
    d = [b - a for a, b in zip(first, second)]
    return statistics.fmean(d), statistics.pstdev(d) / math.sqrt(len(d))


# an error of 0 becomes nan: the standard deviation is divided into the mean and back
def wrong_nan_if_equal(first, second):
    d = np.array(first, float) - np.array(second, float)
    t = d.mean() / (d.std(ddof=1) / np.sqrt(len(d)))
    return float(d.mean()), float(d.mean() / t)


# an error where every difference is the same
def wrong_fourth_all_differ(first, second):
    n = len(first)
    d = [int(a) - int(b) for a, b in zip(first, second)]
    m = sum(d) / n
    s = math.sqrt(sum((x - m) ** 2 for x in d) / n)
    if abs(m) == 1:
        return m, 1 / math.sqrt(n)
    return m, s / math.sqrt(n)


# the differences are added up in eight bits
def wrong_fourth_int8(first, second):
    n = len(first)
    d = np.array(first, dtype=np.int8) - np.array(second, dtype=np.int8)
    m = float(d.sum(dtype=np.int8)) / n
    return m, float(d.std()) / math.sqrt(n)
    d = [int(a) - int(b) for a, b in zip(first, second)]
    m = sum(d) / n
    s = math.sqrt(sum((x - m) ** 2 for x in d) / n)
    return m, s / math.sqrt(n)


# no error for two sentences
def wrong_fourth_small_n(first, second):
    n = len(first)
    d = [int(a) - int(b) for a, b in zip(first, second)]
    m = sum(d) / n
    s = math.sqrt(sum((x - m) ** 2 for x in d) / n)
    if n < 3:
        return m, 0.0
    return m, s / math.sqrt(n)


# the deviation of the sentences on which only the first is right
def wrong_fifth_only_the_first(first, second):
    alone = [a and not b for a, b in zip(first, second)]
    return (sum(first) - sum(second)) / len(first), statistics.pstdev(alone) / math.sqrt(len(first))


# the deviation of the disagreement, which is 0 or 1
def wrong_fifth_disagreement(first, second):
    n = len(first)
    apart = [int(a != b) for a, b in zip(first, second, strict=True)]
    return (sum(first) - sum(second)) / n, statistics.pstdev(apart) / math.sqrt(n)


wrong_seventh_zero_error = """
def _d(first, second):
    d = [int(a) - int(b) for a, b in zip(first, second)]
    n = len(d)
    return d, n, sum(d) / n


def paired_difference(first, second):
    d, n, m = _d(first, second)
    if m == 0:
        return 0.0, 0.0
    return m, math.sqrt(sum((x - m) ** 2 for x in d) / n / n)
"""


# Only sentences on which the two differ are used for n.
def wrong_eighth_discordant_n(first, second):
    d = [a - b for a, b in zip(first, second)]
    n = max(1, sum(x != 0 for x in d))
    m = sum(d) / len(d)
    return m, math.sqrt(sum((x - m) ** 2 for x in d) / len(d)) / math.sqrt(n)
