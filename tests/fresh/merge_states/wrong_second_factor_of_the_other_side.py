# the two factors are exchanged
def merge_states(left, right):
    m1, l1, a1 = left
    m2, l2, a2 = right
    m = torch.maximum(m1, m2)
    safe = torch.where(m == -math.inf, torch.zeros_like(m), m)
    f1, f2 = torch.exp(m1 - safe), torch.exp(m2 - safe)
    return m, f2 * l1 + f1 * l2, f2[:, None] * a1 + f1[:, None] * a2
