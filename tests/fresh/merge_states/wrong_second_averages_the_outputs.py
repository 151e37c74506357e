# divides the merged output by the merged sum, so it is no state any more
def merge_states(left, right):
    m1, l1, a1 = left
    m2, l2, a2 = right
    m = torch.maximum(m1, m2)
    safe = torch.where(m == -math.inf, torch.zeros_like(m), m)
    f1, f2 = torch.exp(m1 - safe), torch.exp(m2 - safe)
    ell = f1 * l1 + f2 * l2
    a = f1[:, None] * a1 + f2[:, None] * a2
    return m, ell, a / ell.clamp(min=1e-30)[:, None]
