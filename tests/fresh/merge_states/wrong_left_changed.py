# Writes the result into the left state.
def merge_states(left, right):
    m1, l1, a1 = left
    m2, l2, a2 = right
    m = torch.maximum(m1, m2)
    f, g = (torch.nan_to_num(torch.exp(each - m)) for each in (m1, m2))
    l1.mul_(f).add_(g * l2)
    a1.mul_(f[:, None]).add_(g[:, None] * a2)
    return m, l1, a1
