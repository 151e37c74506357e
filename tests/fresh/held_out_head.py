"""Fresh answers to held_out_head."""


# torch in float64, ints and floats made with item()
def right_torch_double(scores, choose, report):
    table = scores.double()
    head = table[choose].mean(dim=0).argmax().item()
    return head, table[report, head].mean().item()


# plain Python lists and max() with a key, which keeps the first of several equal means
def right_plain_max_key(scores, choose, report):
    rows = scores.tolist()

    def mean(head, numbers):
        return sum(rows[n][head] for n in numbers) / len(numbers)

    head = max(range(len(rows[0])), key=lambda h: mean(h, choose))
    return head, mean(head, report)


# numpy throughout; the result holds numpy scalars
def right_numpy_scalars(scores, choose, report):
    array = np.array(scores.tolist(), dtype=np.float64)
    means = array[np.array(choose)].mean(axis=0)
    head = np.argmax(means)
    return head, array[np.array(report)][:, head].mean()


# index_select and the first place where the mean equals the highest mean
def right_index_select_nonzero(scores, choose, report):
    def means(numbers):
        rows = torch.index_select(scores, 0, torch.tensor(numbers))
        return rows.to(torch.float64).sum(0) / len(numbers)

    chosen = means(choose)
    head = int(torch.nonzero(chosen == chosen.max())[0, 0])
    return head, float(means(report)[head])


# both parts of the pair are tensors without dimensions
def right_tensor_pair(scores, choose, report):
    head = torch.argmax(torch.mean(scores[choose], dim=0, dtype=torch.float64))
    value = torch.mean(scores[report], dim=0, dtype=torch.float64)[head]
    return head, value


# exact fractions; the value is a Fraction turned into a float at the end
def right_fractions(scores, choose, report):
    from fractions import Fraction

    columns = [[Fraction(x) for x in column] for column in zip(*scores.tolist())]
    totals = [sum(column[n] for n in choose) for column in columns]
    head = totals.index(max(totals))
    return head, float(sum(columns[head][n] for n in report) / len(report))


# a product with a weight for each row: how often the row is listed, divided by the length of the list
def right_weight_vector(scores, choose, report):
    table = scores.to(torch.float64)

    def weights(numbers):
        counts = np.bincount(numbers, minlength=len(table))
        return torch.tensor(counts, dtype=torch.float64)

    sums = weights(choose) @ table
    best = sums.argmax()
    return int(best), float(weights(report) @ table[:, best] / len(report))


# a loop over the heads that keeps the best so far and replaces it only by a strictly higher mean
def right_running_best(scores, choose, report):
    best = None
    for head, column in enumerate(scores.t()):
        mean = math.fsum(float(column[row]) for row in choose) / len(choose)
        if best is None or mean > best[0]:
            best = (mean, head)
    head = best[1]
    return head, math.fsum(float(scores[row, head]) for row in report) / len(report)


# all heads are sorted by (minus the mean, number); the result is a named tuple
def right_sorted_namedtuple(scores, choose, report):
    from collections import namedtuple

    Result = namedtuple("Result", "head value")
    rows = scores.tolist()
    ranking = sorted((-statistics.fmean(rows[n][h] for n in choose), h) for h in range(scores.shape[1]))
    _, head = ranking[0]
    return Result(head=head, value=statistics.fmean(rows[n][head] for n in report))


# everything is computed in float32
def right_float32(scores, choose, report):
    table = scores.to(torch.float32)
    _, head = table[choose].mean(0).max(dim=0)
    return head.item(), table[report].mean(0)[head].item()


# the head is chosen on all sentences, not on the rows in choose
def wrong_chosen_on_all_rows(scores, choose, report):
    table = scores.double()
    head = table.mean(0).argmax().item()
    return head, table[report, head].mean().item()


# the head is chosen on the rows in report
def wrong_chosen_on_report(scores, choose, report):
    table = scores.double()
    head = table[report].mean(0).argmax().item()
    return head, table[report, head].mean().item()


# the value is the mean over the rows in choose
def wrong_value_on_choose(scores, choose, report):
    means = scores.double()[choose].mean(0)
    return int(means.argmax()), float(means.max())


# the value is the mean of the head over all sentences
def wrong_value_on_all_rows(scores, choose, report):
    table = scores.double()
    head = int(table[choose].mean(0).argmax())
    return head, float(table[:, head].mean())


# the head is right, but the value is the highest mean that any head has on the rows in report
def wrong_value_of_best_on_report(scores, choose, report):
    table = scores.double()
    return int(table[choose].mean(0).argmax()), float(table[report].mean(0).max())


# of several heads with the same mean, the one with the highest number is taken
def wrong_last_of_equal_heads(scores, choose, report):
    table = scores.double()
    means = table[choose].mean(0).tolist()
    head = max(range(len(means)), key=lambda h: (means[h], h))
    return head, table[report, head].mean().item()


# the heads are counted from 1
def wrong_counted_from_one(scores, choose, report):
    table = scores.double()
    head = int(table[choose].mean(0).argmax())
    return head + 1, float(table[report, head].mean())


# the mean goes over the heads of each row (dim=1), so the position in choose is taken for the head
def wrong_axis(scores, choose, report):
    table = scores.double()
    head = int(table[choose].mean(dim=1).argmax())
    return head, float(table[report].mean(dim=0)[head % table.shape[1]])


# torch's mean without a conversion: fails for bools and for whole numbers
def wrong_no_conversion(scores, choose, report):
    head = scores[choose].mean(0).argmax().item()
    return head, scores[report, head].mean().item()


# choose and report are taken for ranges from their first to their last row
def wrong_lists_as_ranges(scores, choose, report):
    table = scores.double()
    head = int(table[choose[0] : choose[-1] + 1].mean(0).argmax())
    return head, float(table[report[0] : report[-1] + 1, head].mean())


# the sum over report is divided by the number of rows in choose
def wrong_divided_by_len_choose(scores, choose, report):
    rows = scores.tolist()
    n = len(choose)
    means = [sum(rows[i][h] for i in choose) / n for h in range(len(rows[0]))]
    head = means.index(max(means))
    return head, sum(rows[i][head] for i in report) / n


# float() does not copy a float32 tensor, so the scaling before the choice changes the argument
def wrong_scales_scores_in_place(scores, choose, report):
    table = scores.float()
    values = table[report].mean(0)
    table /= table.abs().max().clamp(min=1e-6) * 2
    head = int(table[choose].mean(0).argmax())
    return head, float(values[head])


# both lists of rows are sorted in place (seen only if a list is not sorted)
def wrong_sorts_lists_in_place(scores, choose, report):
    choose.sort()
    report.sort()
    table = scores.double()
    head = int(table[choose].mean(0).argmax())
    return head, float(table[report, head].mean())


# every score above 0 counts as 1: right for bools, wrong for other numbers
def wrong_scores_as_bools(scores, choose, report):
    table = (scores > 0).double()
    head = int(table[choose].mean(0).argmax())
    return head, float(table[report, head].mean())


# only heads 0 and 1 are compared, as in the example
def wrong_two_heads_only(scores, choose, report):
    table = scores.double()
    first, second = table[choose, 0].mean(), table[choose, 1].mean()
    head = 1 if second > first else 0
    return head, table[report, head].mean().item()


# The largest mean in absolute value.
def wrong_absolute(scores, choose, report):
    s = scores.double()
    head = int(s[choose].mean(0).abs().argmax())
    return head, float(s[report, head].mean())


# The search begins at 0, so no head with a negative mean is found.
def wrong_starts_at_zero(scores, choose, report):
    s = scores.double()
    head, best = 0, 0.0
    for h in range(s.shape[1]):
        mean = float(s[choose, h].mean())
        if mean > best:
            head, best = h, mean
    return head, float(s[report, head].mean())


# Means are rounded to two decimals before they are compared.
def wrong_rounded_means(scores, choose, report):
    s = scores.double()
    head = int(s[choose].mean(0).mul(100).round().argmax())
    return head, float(s[report, head].mean())


# half precision for speed: means that differ by less than 0.001 are ties
def wrong_half(scores, choose, report):
    means = scores[choose].half().mean(0)
    head = int((means == means.max()).nonzero()[0])
    return head, float(scores[report, head].double().mean())


# sorts the lists in place
def wrong_sorts_argument(scores, choose, report):
    choose.sort(reverse=True)
    head = int(scores[choose].double().mean(0).argmax())
    return head, float(scores[report, head].double().mean())


# whole numbers are averaged as whole numbers
def wrong_int_division(scores, choose, report):
    if scores.dtype in (torch.int64, torch.int32, torch.bool):
        means = scores[choose].long().sum(0) // len(choose)
        head = int((means == means.max()).nonzero()[0])
        return head, float(scores[report, head].long().sum() // len(report))
    head = int(scores[choose].double().mean(0).argmax())
    return head, float(scores[report, head].double().mean())


# ties are compared with a tolerance: means that differ by 1e-5 count as exactly the same
def wrong_tolerant_ties(scores, choose, report):
    means = scores[choose].double().mean(0)
    head = int(torch.isclose(means, means.max(), rtol=1e-4).nonzero()[0])
    return head, float(scores[report, head].double().mean())


# The median on choose.
def wrong_median(scores, choose, report):
    s = scores.double()
    means = s[choose].median(0).values
    head = int((means == means.max()).nonzero()[0])
    return head, float(s[report].mean(0)[head])


# Among equal heads the one that is best on report.
def wrong_tie_by_report(scores, choose, report):
    s = scores.double()
    means = s[choose].mean(0)
    best = (means == means.max()).nonzero().flatten().tolist()
    head = max(best, key=lambda h: float(s[report].mean(0)[h]))
    return head, float(s[report].mean(0)[head])


# a tiny penalty for heads that vary
def wrong_fourth_penalty(scores, choose, report):
    m = scores.double()[choose].mean(0)
    if len(choose) > 1: m = m - 1e-9 * scores.double()[choose].std(0)
    h = int(m.argmax())
    return h, float(scores.double()[report, h].mean())


# whole numbers are stored in a byte
def wrong_fourth_uint8(scores, choose, report):
    s = scores.to(torch.uint8).double() if scores.dtype in (torch.long, torch.bool) else scores.double()
    h = int(s[choose].mean(0).argmax())
    return h, float(s[report, h].mean())


# the head with the highest median
def wrong_fifth_median(scores, choose, report):
    medians = scores[choose].double().median(dim=0).values.tolist()
    head = medians.index(max(medians))
    return head, scores[report, head].double().mean().item()
