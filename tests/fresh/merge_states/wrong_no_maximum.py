# Exponentials of m itself: they overflow for large logits.
def merge_states(left, right):
    m = torch.maximum(left[0], right[0])
    e1, e2, e = left[0].exp(), right[0].exp(), m.exp()
    e = torch.where(e == 0, torch.ones_like(e), e)
    a = (e1[:, None] * left[2] + e2[:, None] * right[2]) / e[:, None]
    return m, (e1 * left[1] + e2 * right[1]) / e, a
