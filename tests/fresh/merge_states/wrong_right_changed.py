# Rescales the right state in place.
def merge_states(left, right):
    m1, l1, a1 = left
    m2, l2, a2 = right
    m = torch.maximum(m1, m2)
    f, g = (torch.nan_to_num(torch.exp(each - m)) for each in (m1, m2))
    l2 *= g
    a2 *= g[:, None]
    return m, f * l1 + l2, f[:, None] * a1 + a2
