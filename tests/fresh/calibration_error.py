"""Fresh answers to calibration_error."""


# for each bin the comparisons of the statement
def right_edges_by_comparison(confidences, right, bins):
    total = 0
    for k in range(bins):
        inside = [i for i, c in enumerate(confidences) if k / bins <= c < (k + 1) / bins or (c == 1 and k == bins - 1)]
        if inside:
            claimed = np.mean([confidences[i] for i in inside])
            true = np.mean([right[i] for i in inside])
            total += len(inside) / len(confidences) * abs(true - claimed)
    return total


# a defaultdict of sums of differences
def right_group_dict(confidences, right, bins):
    gap = defaultdict(float)
    for c, hit in zip(confidences, right):
        gap[bins - 1 if c == 1 else int(c * bins)] += hit - c
    return sum(map(abs, gap.values())) / len(confidences)


# bincount with weights
def right_numpy_bincount(confidences, right, bins):
    c, r = np.array(confidences, dtype=float), np.array(right, dtype=float)
    k = np.minimum((c * bins).astype(int), bins - 1)
    return np.abs(np.bincount(k, r - c, minlength=bins)).sum() / len(c)


# torch.bucketize with the inner edges
def right_torch_bucketize(confidences, right, bins):
    c = torch.tensor(confidences, dtype=torch.float64)
    edges = torch.tensor([k / bins for k in range(1, bins)], dtype=torch.float64)
    k = torch.bucketize(c, edges, right=True)
    gaps = torch.zeros(bins, dtype=torch.float64).index_add_(0, k, torch.tensor(right, dtype=torch.float64) - c)
    return gaps.abs().sum() / len(c)


# asks each bin for its answers, with the two comparisons of the statement
def right_second_bin_by_bin(confidences, right, bins):
    answers = list(zip(confidences, right))
    error = 0.0
    for k in range(bins):
        low, high = k / bins, (k + 1) / bins
        inside = [(c, hit) for c, hit in answers if low <= c < high or (c == 1 and k == bins - 1)]
        if not inside:
            continue
        claimed = sum(c for c, _ in inside)
        true = sum(hit for _, hit in inside)
        error += abs(true - claimed)  # n_k · |true share − mean claim|
    return error / len(answers)


# bin numbers from the inner edges with numpy, one bincount of the gaps
def right_second_searchsorted(confidences, right, bins):
    c, hit = np.array(confidences, dtype=float), np.array(right, dtype=float)
    inner = np.array([k / bins for k in range(1, bins)])
    which = np.searchsorted(inner, c, side="right")  # 1 is beyond all inner edges: the last bin
    gaps = np.bincount(which, weights=hit - c, minlength=bins)
    return float(np.abs(gaps).sum() / c.size)


# the absolute value of each answer, not of each bin
def wrong_absolute_each(confidences, right, bins):
    return sum(abs(hit - c) for c, hit in zip(confidences, right)) / len(confidences)


# divides by the size of an empty bin
def wrong_empty_bin(confidences, right, bins):
    total = 0
    for k in range(bins):
        inside = [i for i, c in enumerate(confidences) if min(int(c * bins), bins - 1) == k]
        claimed = sum(confidences[i] for i in inside) / len(inside)
        true = sum(right[i] for i in inside) / len(inside)
        total += len(inside) / len(confidences) * abs(true - claimed)
    return total


# bins with equally many answers
def wrong_equal_mass(confidences, right, bins):
    order = np.argsort(confidences, kind="stable")
    c, r = np.array(confidences, dtype=float)[order], np.array(right, dtype=float)[order]
    return sum(abs((r[part] - c[part]).sum()) for part in np.array_split(np.arange(len(c)), bins)) / len(c)


# a confidence of 1 is in no bin
def wrong_last_lost(confidences, right, bins):
    total = 0
    for k in range(bins):
        inside = [i for i, c in enumerate(confidences) if k / bins <= c < (k + 1) / bins]
        total += abs(sum(right[i] - confidences[i] for i in inside)) / len(confidences)
    return total


# the middle of the bin in place of the mean confidence
def wrong_midpoints(confidences, right, bins):
    groups = defaultdict(list)
    for c, hit in zip(confidences, right):
        groups[min(int(c * bins), bins - 1)].append(hit)
    return sum(abs(sum(g) - len(g) * (k + 0.5) / bins) for k, g in groups.items()) / len(confidences)


# sorts the list that it is given, and pairs are lost
def wrong_sorts_input(confidences, right, bins):
    gap = defaultdict(float)
    for c, hit in zip(confidences, right):
        gap[min(int(c * bins), bins - 1)] += hit - c
    confidences.sort()
    return sum(map(abs, gap.values())) / len(confidences)


# ignores the argument bins
def wrong_ten_bins(confidences, right, bins):
    gap = defaultdict(float)
    for c, hit in zip(confidences, right):
        gap[min(int(c * 10), 9)] += hit - c
    return sum(map(abs, gap.values())) / len(confidences)


# the plain mean over the bins that are used
def wrong_unweighted(confidences, right, bins):
    groups = defaultdict(list)
    for c, hit in zip(confidences, right):
        groups[min(int(c * bins), bins - 1)].append(hit - c)
    return sum(abs(sum(g) / len(g)) for g in groups.values()) / len(groups)


# a confidence on an edge goes to the bin below
def wrong_upper_edge(confidences, right, bins):
    gap = defaultdict(float)
    for c, hit in zip(confidences, right):
        gap[max(0, math.ceil(c * bins) - 1)] += hit - c
    return sum(map(abs, gap.values())) / len(confidences)


# the plain mean of the distances of the bins, not weighted by their answers
def wrong_second_all_bins_equal(confidences, right, bins):
    distances = []
    for k in range(bins):
        inside = [i for i, c in enumerate(confidences) if min(int(c * bins), bins - 1) == k]
        if inside:
            claimed = sum(confidences[i] for i in inside) / len(inside)
            true = sum(right[i] for i in inside) / len(inside)
            distances.append(abs(true - claimed))
    return sum(distances) / len(distances)


# a confidence on an edge falls into the lower bin, as in (low, high]
def wrong_second_edges_to_the_left(confidences, right, bins):
    error = 0.0
    for k in range(bins):
        inside = [i for i, c in enumerate(confidences) if k / bins < c <= (k + 1) / bins or (c == 0 and k == 0)]
        if inside:
            error += abs(sum(right[i] - confidences[i] for i in inside))
    return error / len(confidences)


# answers with confidence exactly 1 are in no bin
def wrong_second_one_is_lost(confidences, right, bins):
    c, hit = np.array(confidences, dtype=float), np.array(right, dtype=float)
    error = 0.0
    for k in range(bins):
        inside = (c >= k / bins) & (c < (k + 1) / bins)
        if inside.any():
            error += inside.mean() * abs(hit[inside].mean() - c[inside].mean())
    return float(error)


# Rounds to the nearest bin.
def wrong_rounds(confidences, right, bins):
    groups = defaultdict(list)
    for c, r in zip(confidences, right):
        groups[min(round(c * bins), bins - 1)].append((c, r))
    n = len(confidences)
    return sum(abs(sum(c for c, _ in g) - sum(r for _, r in g)) for g in groups.values()) / n


# Confidence 0 is in no bin.
def wrong_skips_zero(confidences, right, bins):
    groups = defaultdict(float)
    for c, r in zip(confidences, right):
        if c > 0:
            groups[min(int(c * bins), bins - 1)] += c - r
    return sum(map(abs, groups.values())) / len(confidences)


# never more than 32 bins
def wrong_fourth_at_most_32_bins(confidences, right, bins):
    bins = min(bins, 32)
    e = 0
    for k in range(bins):
        m = [(c, r) for c, r in zip(confidences, right) if min(int(c * bins), bins - 1) == k]
        e += abs(sum(c for c, _ in m) - sum(r for _, r in m))
    return e / len(right)


# the edges are sums of widths
def wrong_fourth_width_added_up(confidences, right, bins):
    width = 1 / bins
    e = 0
    lo = 0.0
    while lo + width < 1:
        m = [(c, r) for c, r in zip(confidences, right) if lo <= c < lo + width]
        e += abs(sum(c for c, _ in m) - sum(r for _, r in m))
        lo += width
    m = [(c, r) for c, r in zip(confidences, right) if c >= 1 - width]
    e += abs(sum(c for c, _ in m) - sum(r for _, r in m))
    return e / len(right)


# modulo puts a confidence of 1 into bin 0
def wrong_fifth_ones_first(confidences, right, bins):
    members = [[] for _ in range(bins)]
    for c, r in zip(confidences, right):
        members[int(c * bins) % bins].append((c, r))
    error = 0.0
    for pairs in members:
        if pairs:
            claimed = sum(c for c, _ in pairs) / len(pairs)
            true = sum(r for _, r in pairs) / len(pairs)
            error += len(pairs) / len(confidences) * abs(true - claimed)
    return error


# a confidence of 1 has a bin of its own
def wrong_fifth_ones_alone(confidences, right, bins):
    members = [[] for _ in range(bins + 1)]
    for c, r in zip(confidences, right):
        members[int(c * bins)].append((c, r))
    error = 0.0
    for pairs in members:
        if pairs:
            claimed = sum(c for c, _ in pairs) / len(pairs)
            true = sum(r for _, r in pairs) / len(pairs)
            error += len(pairs) / len(confidences) * abs(true - claimed)
    return error


# a confidence of 1 is brought into the last bin by a cut at 0.99
def wrong_seventh_cut_at_99(confidences, right, bins):
    gaps = [0.0] * bins
    for c, hit in zip(confidences, right, strict=True):
        gaps[int(min(c, 0.99) * bins)] += hit - c
    return sum(map(abs, gaps)) / len(right)


# The confidences are sorted without their answers.
def wrong_seventh_sorted_apart(confidences, right, bins):
    gaps = defaultdict(float)
    for c, hit in zip(sorted(confidences), right):
        gaps[min(int(c * bins), bins - 1)] += hit - c
    return sum(map(abs, gaps.values())) / len(confidences)
