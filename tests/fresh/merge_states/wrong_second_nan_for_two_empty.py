# rows where both sides are empty become nan
def merge_states(left, right):
    m1, l1, a1 = left
    m2, l2, a2 = right
    m = torch.maximum(m1, m2)
    f1, f2 = torch.exp(m1 - m), torch.exp(m2 - m)
    return m, f1 * l1 + f2 * l2, f1[:, None] * a1 + f2[:, None] * a2
