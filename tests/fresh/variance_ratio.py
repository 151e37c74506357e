"""Fresh answers to variance_ratio."""


# Frobenius norms of the centred outputs
def right_frobenius(one, two, epsilon):
    def centred(x):
        x = x[epsilon > 0]
        return torch.linalg.norm(x - x.mean(0, keepdim=True))
    return (centred(one) / centred(two)) ** 2


# Python floats and loops
def right_loops(one, two, epsilon):
    def spread(table):
        rows = [row for row, e in zip(table.tolist(), epsilon.tolist()) if e > 0]
        means = [sum(c) / len(rows) for c in zip(*rows)]
        return sum((x - m) ** 2 for row in rows for x, m in zip(row, means)) / len(rows)
    return spread(one) / spread(two)


# the mean of squares minus the square of the mean
def right_moments(one, two, epsilon):
    mask = (epsilon > 0).to(one.dtype)[:, None]
    n = mask.sum()
    def spread(x):
        mean = (mask * x).sum(0) / n
        return (mask * x * x).sum() / n - mean @ mean
    return spread(one) / spread(two)


# numpy arrays, numpy scalar
def right_numpy(one, two, epsilon):
    keep = epsilon.numpy() > 0
    return one.numpy()[keep].var(axis=0).sum() / two.numpy()[keep].var(axis=0).sum()


# a tensor with one element
def right_one_element(one, two, epsilon):
    k = epsilon.gt(0)
    return one[k].var(0, unbiased=False).sum(0, keepdim=True) / two[k].var(0, unbiased=False).sum(0, keepdim=True)


# the trace of the covariance matrix
def right_trace(one, two, epsilon):
    kept = [x[epsilon > 0] for x in (one, two)]
    return torch.trace(torch.cov(kept[0].T)) / torch.trace(torch.cov(kept[1].T))


# mean squared distance from the mean, coordinate by coordinate, on the selected rows
def right_second_loop_over_coordinates(one, two, epsilon):
    rows = torch.nonzero(epsilon > 0).squeeze(1)
    totals = []
    for outputs in (one, two):
        chosen = outputs.index_select(0, rows)
        total = 0.0
        for j in range(chosen.shape[1]):
            column = chosen[:, j]
            total += ((column - column.mean()) ** 2).mean()
        totals.append(total)
    return totals[0] / totals[1]


# the trace of the covariance matrix from numpy, as a float
def right_second_trace_of_covariance(one, two, epsilon):
    keep = np.asarray(epsilon) > 0

    def spread(x):
        return np.trace(np.atleast_2d(np.cov(np.asarray(x)[keep].T)))

    return float(spread(one) / spread(two))


# keeps draws above 1
def wrong_above_one(one, two, epsilon):
    k = epsilon > 1
    return one[k].var(0).sum() / two[k].var(0).sum()


# keeps the failed draws
def wrong_all_draws(one, two, epsilon):
    return one.var(0).sum() / two.var(0).sum()


# keeps draws with epsilon equal to 0
def wrong_at_least_zero(one, two, epsilon):
    k = epsilon >= 0
    return one[k].var(0).sum() / two[k].var(0).sum()


# the sum of the standard deviations
def wrong_deviations(one, two, epsilon):
    k = epsilon > 0
    return one[k].std(0).sum() / two[k].std(0).sum()


# N - 1 for the one and N for the other
def wrong_different_divisors(one, two, epsilon):
    k = epsilon > 0
    return one[k].var(0).sum() / two[k].var(0, unbiased=False).sum()


# assumes that the failed draws are the last ones
def wrong_first_failed(one, two, epsilon):
    n = int((epsilon > 0).sum())
    return one[:n].var(0).sum() / two[:n].var(0).sum()


# one variance over all numbers
def wrong_global_variance(one, two, epsilon):
    k = epsilon > 0
    return one[k].var() / two[k].var()


# centres the caller's outputs in place
def wrong_in_place(one, two, epsilon):
    k = epsilon > 0
    one -= one[k].mean(0)
    two -= two[k].mean(0)
    return (one[k] ** 2).sum() / (two[k] ** 2).sum()


# rounds to a whole number above 100
def wrong_integer(one, two, epsilon):
    k = epsilon > 0
    r = float(one[k].var(0).sum() / two[k].var(0).sum())
    return round(r) if r > 100 else r


# the other way round
def wrong_inverse(one, two, epsilon):
    k = epsilon > 0
    return two[k].var(0).sum() / one[k].var(0).sum()


# excludes the failed draws from one of the two only
def wrong_per_index_only_one(one, two, epsilon):
    k = epsilon > 0
    return one[k].var(0).sum() / two.var(0).sum()


# the mean of the ratios of the coordinates
def wrong_ratio_per_coordinate(one, two, epsilon):
    k = epsilon > 0
    return (one[k].var(0) / two[k].var(0)).mean()


# only the first two coordinates
def wrong_two_columns(one, two, epsilon):
    k = epsilon > 0
    return one[k][:, :2].var(0).sum() / two[k][:, :2].var(0).sum()


# sets failed draws to 0 and counts them
def wrong_zeroed(one, two, epsilon):
    mask = (epsilon > 0)[:, None]
    return (one * mask).var(0).sum() / (two * mask).var(0).sum()


# the variance of all numbers together, around one mean for all coordinates
def wrong_second_one_mean_for_all(one, two, epsilon):
    kept = epsilon > 0
    return one[kept].var() / two[kept].var()


# adds up standard deviations instead of variances
def wrong_second_standard_deviations(one, two, epsilon):
    kept = epsilon > 0
    return one[kept].std(dim=0).sum() / two[kept].std(dim=0).sum()


# the draws with epsilon exactly 0 count as well
def wrong_second_zero_included(one, two, epsilon):
    kept = epsilon >= 0
    return one[kept].var(dim=0).sum() / two[kept].var(dim=0).sum()


# above 0.1 only
def wrong_margin(one, two, epsilon):
    keep = epsilon > 0.1
    return one[keep].var(dim=0).sum() / two[keep].var(dim=0).sum()


# rounded
def wrong_rounded(one, two, epsilon):
    keep = epsilon > 0
    return round(float(one[keep].var(dim=0).sum() / two[keep].var(dim=0).sum()), 1)


# in 16 bits
def wrong_bfloat(one, two, epsilon):
    keep = epsilon > 0
    return float(one[keep].bfloat16().float().var(dim=0).sum() / two[keep].bfloat16().float().var(dim=0).sum())


# largest distances
def wrong_largest(one, two, epsilon):
    a, b = one[epsilon > 0], two[epsilon > 0]
    return (a - a.mean(0)).square().sum(1).max() / (b - b.mean(0)).square().sum(1).max()


# medians in place of means as centres
def wrong_median(one, two, epsilon):
    a, b = one[epsilon > 0], two[epsilon > 0]
    return (a - a.median(0).values).square().sum() / (b - b.median(0).values).square().sum()


# at most 1000 draws
def wrong_thousand(one, two, epsilon):
    one, two, epsilon = one[:1000], two[:1000], epsilon[:1000]
    keep = epsilon > 0
    return one[keep].var(dim=0).sum() / two[keep].var(dim=0).sum()


# above 1e-6 only
def wrong_fourth_above_a_millionth(one, two, epsilon):
    k = epsilon > 1e-6
    return one[k].var(0).sum() / two[k].var(0).sum()


# a ratio below 1 is made 1
def wrong_fourth_at_least_one(one, two, epsilon):
    k = epsilon > 0
    return (one[k].var(0).sum() / two[k].var(0).sum()).clamp(min=1)


# adds a small number below
def wrong_fourth_epsilon(one, two, epsilon):
    k = epsilon > 0
    return one[k].var(0).sum() / (two[k].var(0).sum() + 1e-12)


# one variance divides by N, the other by N - 1
def wrong_fifth_two_divisors(one, two, epsilon):
    works = epsilon > 0
    return (one[works].var(0, correction=0).sum() / two[works].var(0).sum()).item()


# distances from the median
def wrong_fifth_median(one, two, epsilon):
    kept = epsilon > 0
    first, second = (((c[kept] - c[kept].median(dim=0).values) ** 2).sum() for c in (one, two))
    return first / second


# squares the mean of the distances
def wrong_fifth_squared_mean(one, two, epsilon):
    kept = epsilon > 0
    first, second = ((c[kept] - c[kept].mean(dim=0)).norm(dim=1).mean() ** 2 for c in (one, two))
    return first / second


# equal outputs count once
def wrong_seventh_unique(one, two, epsilon):
    first, second = (c[epsilon > 0].unique(dim=0) for c in (one, two))
    return first.var(dim=0, unbiased=False).sum() / second.var(dim=0, unbiased=False).sum()
