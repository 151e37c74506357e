# m, ell and a side by side in one tensor; the parts are views with a stride.
def merge_states(left, right):
    m = torch.maximum(left[0], right[0])
    base = m.masked_fill(m == -math.inf, 0.0)
    total = 0
    for side in (left, right):
        both = torch.cat((side[1][:, None], side[2]), dim=1)
        total = total + both * torch.exp(side[0] - base)[:, None]
    return m, total[:, 0], total[:, 1:]
