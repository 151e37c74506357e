"""Fresh answers to merge_states."""


# Exchanges the sides row by row, so that the first has the larger m; one exponential is enough.
def right_larger_side_first(left, right):
    swap = right[0] > left[0]
    big = [torch.where(swap if x.dim() == 1 else swap[:, None], y, x) for x, y in zip(left, right)]
    small = [torch.where(swap if x.dim() == 1 else swap[:, None], x, y) for x, y in zip(left, right)]
    f = torch.where(small[0] == -math.inf, 0.0, torch.exp(small[0] - big[0]))
    return big[0], big[1] + f * small[1], big[2] + f.unsqueeze(-1) * small[2]


# Returns a list, with a clamped maximum.
def right_list(left, right):
    m = torch.max(torch.stack([left[0], right[0]], dim=-1), dim=-1).values
    finite = m.clamp_min(-1e300)
    f, g = torch.exp(left[0] - finite), torch.exp(right[0] - finite)
    return [m, f * left[1] + g * right[1], f[:, None] * left[2] + g[:, None] * right[2]]


# Sums as logarithms, by logaddexp.
def right_logaddexp(left, right):
    (m1, l1, a1), (m2, l2, a2) = left, right
    m = torch.maximum(m1, m2)
    safe = torch.where(m.isneginf(), 0.0, m)
    log_sum = torch.logaddexp(m1 + l1.log(), m2 + l2.log())
    a = (m1 - safe).exp().unsqueeze(1) * a1 + (m2 - safe).exp().unsqueeze(1) * a2
    return m, (log_sum - safe).exp(), a


# numpy with errors ignored.
def right_numpy(left, right):
    m1, l1, a1 = (part.numpy() for part in left)
    m2, l2, a2 = (part.numpy() for part in right)
    m = np.maximum(m1, m2)
    with np.errstate(invalid="ignore"):
        f, g = np.nan_to_num(np.exp(m1 - m)), np.nan_to_num(np.exp(m2 - m))
    new = m, f * l1 + g * l2, f[:, None] * a1 + g[:, None] * a2
    return tuple(torch.from_numpy(np.asarray(part)) for part in new)


# A loop over the queries.
def right_row_by_row(left, right):
    rows = []
    for m1, l1, a1, m2, l2, a2 in zip(*left, *right):
        m = torch.maximum(m1, m2)
        if torch.isinf(m):
            rows.append((m, torch.zeros_like(l1), torch.zeros_like(a1)))
        else:
            f, g = (m1 - m).exp(), (m2 - m).exp()
            rows.append((m, f * l1 + g * l2, f * a1 + g * a2))
    return tuple(torch.stack(column) for column in zip(*rows))


# Both sides in one tensor, and nan_to_num for rows without a key.
def right_stacked(left, right):
    m, ell, a = (torch.stack(parts) for parts in zip(left, right))
    top = m.amax(dim=0)
    f = torch.exp(m - top).nan_to_num(0.0)
    return top, (f * ell).sum(0), torch.einsum("st,std->td", f, a)


# m, ell and a side by side in one tensor; the parts are views with a stride.
def right_unbind_of_joined(left, right):
    m = torch.maximum(left[0], right[0])
    base = m.masked_fill(m == -math.inf, 0.0)
    total = 0
    for side in (left, right):
        both = torch.cat((side[1][:, None], side[2]), dim=1)
        total = total + both * torch.exp(side[0] - base)[:, None]
    return m, total[:, 0], total[:, 1:]


# a loop over the queries with plain ifs
def right_second_row_by_row(left, right):
    rows = []
    for m1, l1, a1, m2, l2, a2 in zip(*left, *right):
        if m1 < m2:  # the side with the larger maximum comes first
            m1, l1, a1, m2, l2, a2 = m2, l2, a2, m1, l1, a1
        if m2 == -math.inf:
            rows.append((m1.clone(), l1.clone(), a1.clone()))
            continue
        f = torch.exp(m2 - m1)
        rows.append((m1.clone(), l1 + f * l2, a1 + f * a2))
    m, ell, a = (torch.stack(column) for column in zip(*rows))
    return m, ell, a


# stacks both sides and sums over the new axis; an empty maximum is replaced by 0 for the exponents
def right_second_stack_and_softmax_like(left, right):
    m, ell, a = (torch.stack(parts) for parts in zip(left, right))  # (2, T), (2, T), (2, T, d)
    top = m.amax(dim=0)
    factors = torch.exp(m - torch.nan_to_num(top, neginf=0.0))
    return top, (factors * ell).sum(dim=0), torch.einsum("st,std->td", factors, a)


# Returns the right side as soon as one row of the left one is empty.
def wrong_any_empty_row(left, right):
    if torch.isinf(left[0]).any():
        return right
    if torch.isinf(right[0]).any():
        return left
    m = torch.maximum(left[0], right[0])
    f, g = torch.exp(left[0] - m), torch.exp(right[0] - m)
    return m, f * left[1] + g * right[1], f[:, None] * left[2] + g[:, None] * right[2]


# No care for rows in which both sides are empty.
def wrong_empty_rows_are_nan(left, right):
    m = torch.maximum(left[0], right[0])
    f, g = torch.exp(left[0] - m), torch.exp(right[0] - m)
    return m, f * left[1] + g * right[1], f[:, None] * left[2] + g[:, None] * right[2]


# Multiplies a by the factor without a new axis: right only by chance of shapes.
def wrong_factor_along_channels(left, right):
    m = torch.maximum(left[0], right[0])
    f, g = (torch.nan_to_num(torch.exp(each - m)) for each in (left[0], right[0]))
    return m, f * left[1] + g * right[1], f * left[2] + g * right[2]


# nan_to_num on the states, so an empty row has a finite m.
def wrong_finite_m(left, right):
    m1, m2 = torch.nan_to_num(left[0]), torch.nan_to_num(right[0])
    m = torch.maximum(m1, m2)
    f, g = torch.exp(m1 - m), torch.exp(m2 - m)
    return m, f * left[1] + g * right[1], f[:, None] * left[2] + g[:, None] * right[2]


# Writes the result into the left state.
def wrong_left_changed(left, right):
    m1, l1, a1 = left
    m2, l2, a2 = right
    m = torch.maximum(m1, m2)
    f, g = (torch.nan_to_num(torch.exp(each - m)) for each in (m1, m2))
    l1.mul_(f).add_(g * l2)
    a1.mul_(f[:, None]).add_(g[:, None] * a2)
    return m, l1, a1


# m is the logsumexp of both, and ell is 1: the same output, but another state.
def wrong_log_of_the_sum_as_m(left, right):
    total = torch.logaddexp(left[0] + left[1].log(), right[0] + right[1].log())
    f, g = (torch.nan_to_num(torch.exp(each - total)) for each in (left[0], right[0]))
    return total, torch.ones_like(total), f[:, None] * left[2] + g[:, None] * right[2]


# Rows in which both are empty keep the factor 1, and m becomes 0.
def wrong_nan_to_one(left, right):
    m = torch.maximum(left[0], right[0])
    m = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    f, g = torch.exp(left[0] - m), torch.exp(right[0] - m)
    return m, f * left[1] + g * right[1], f[:, None] * left[2] + g[:, None] * right[2]


# Exponentials of m itself: they overflow for large logits.
def wrong_no_maximum(left, right):
    m = torch.maximum(left[0], right[0])
    e1, e2, e = left[0].exp(), right[0].exp(), m.exp()
    e = torch.where(e == 0, torch.ones_like(e), e)
    a = (e1[:, None] * left[2] + e2[:, None] * right[2]) / e[:, None]
    return m, (e1 * left[1] + e2 * right[1]) / e, a


# One common maximum for all rows.
def wrong_one_maximum_for_all_rows(left, right):
    m = torch.maximum(left[0].max(), right[0].max())
    f, g = torch.exp(left[0] - m), torch.exp(right[0] - m)
    return m.expand_as(left[0]), f * left[1] + g * right[1], f[:, None] * left[2] + g[:, None] * right[2]


# Asks whether all rows of a side are empty; mixed rows give nan.
def wrong_only_if_all_are_empty(left, right):
    if torch.isinf(left[0]).all():
        return right
    if torch.isinf(right[0]).all():
        return left
    m = torch.maximum(left[0], right[0])
    f, g = torch.exp(left[0] - m), torch.exp(right[0] - m)
    return m, f * left[1] + g * right[1], f[:, None] * left[2] + g[:, None] * right[2]


# Merges the outputs a / ell with equal weights.
def wrong_outputs_averaged(left, right):
    m = torch.maximum(left[0], right[0])
    f, g = (torch.nan_to_num(torch.exp(each - m)) for each in (left[0], right[0]))
    ell = f * left[1] + g * right[1]
    mean = (left[2] / left[1][:, None] + right[2] / right[1][:, None]).nan_to_num() / 2
    return m, ell, mean * ell[:, None]


# Rescales the right state in place.
def wrong_right_changed(left, right):
    m1, l1, a1 = left
    m2, l2, a2 = right
    m = torch.maximum(m1, m2)
    f, g = (torch.nan_to_num(torch.exp(each - m)) for each in (m1, m2))
    l2 *= g
    a2 *= g[:, None]
    return m, f * l1 + l2, f[:, None] * a1 + a2


# Drops a side whose m is more than 5 below the other.
def wrong_small_side_dropped(left, right):
    m = torch.maximum(left[0], right[0])
    f, g = (torch.nan_to_num(torch.exp(each - m)) for each in (left[0], right[0]))
    f, g = torch.where(f < math.exp(-5), 0.0, f), torch.where(g < math.exp(-5), 0.0, g)
    return m, f * left[1] + g * right[1], f[:, None] * left[2] + g[:, None] * right[2]


# divides the merged output by the merged sum, so it is no state any more
def wrong_second_averages_the_outputs(left, right):
    m1, l1, a1 = left
    m2, l2, a2 = right
    m = torch.maximum(m1, m2)
    safe = torch.where(m == -math.inf, torch.zeros_like(m), m)
    f1, f2 = torch.exp(m1 - safe), torch.exp(m2 - safe)
    ell = f1 * l1 + f2 * l2
    a = f1[:, None] * a1 + f2[:, None] * a2
    return m, ell, a / ell.clamp(min=1e-30)[:, None]


# the two factors are exchanged
def wrong_second_factor_of_the_other_side(left, right):
    m1, l1, a1 = left
    m2, l2, a2 = right
    m = torch.maximum(m1, m2)
    safe = torch.where(m == -math.inf, torch.zeros_like(m), m)
    f1, f2 = torch.exp(m1 - safe), torch.exp(m2 - safe)
    return m, f2 * l1 + f1 * l2, f2[:, None] * a1 + f1[:, None] * a2


# rows where both sides are empty become nan
def wrong_second_nan_for_two_empty(left, right):
    m1, l1, a1 = left
    m2, l2, a2 = right
    m = torch.maximum(m1, m2)
    f1, f2 = torch.exp(m1 - m), torch.exp(m2 - m)
    return m, f1 * l1 + f2 * l2, f1[:, None] * a1 + f2[:, None] * a2


# one maximum for all rows: rows far below it underflow
def wrong_one_maximum(left, right):
    m = torch.maximum(left[0], right[0])
    top = m.max()
    top = torch.zeros_like(top) if top == -math.inf else top
    f, g = (left[0] - top).exp(), (right[0] - top).exp()
    back = torch.where(m == -math.inf, torch.zeros_like(m), (top - m).exp())
    return m, (f * left[1] + g * right[1]) * back, (f[:, None] * left[2] + g[:, None] * right[2]) * back[:, None]


# where both have the same m, the right side is lost
def wrong_fourth_equal_m_lost(left, right):
    (m1, l1, a1), (m2, l2, a2) = left, right
    m = torch.maximum(m1, m2)
    f1 = torch.where(m1 > m2, torch.ones_like(m), torch.exp(m1 - m)).nan_to_num()
    f2 = torch.where(m2 > m1, torch.ones_like(m), torch.zeros_like(m)) + torch.where(m2 < m1, torch.exp(m2 - m), torch.zeros_like(m))
    f2 = f2.nan_to_num()
    return m, f1 * l1 + f2 * l2, f1[:, None] * a1 + f2[:, None] * a2


# a side whose m is 20 below the other is dropped
def wrong_fourth_20_below(left, right):
    (m1, l1, a1), (m2, l2, a2) = left, right
    m = torch.maximum(m1, m2)
    f1, f2 = (torch.where(x < m - 20, torch.zeros_like(m), torch.exp(x - m)).nan_to_num() for x in (m1, m2))
    return m, f1 * l1 + f2 * l2, f1[:, None] * a1 + f2[:, None] * a2


# the common m is at least −1000 in the exponents
def wrong_fifth_m_at_least_minus_1000(left, right):
    m = torch.maximum(left[0], right[0])
    one, two = (torch.exp(side[0] - m.clamp(min=-1000.0)) for side in (left, right))
    return m, one * left[1] + two * right[1], one[:, None] * left[2] + two[:, None] * right[2]
