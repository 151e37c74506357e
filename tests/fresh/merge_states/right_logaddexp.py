# Sums as logarithms, by logaddexp.
def merge_states(left, right):
    (m1, l1, a1), (m2, l2, a2) = left, right
    m = torch.maximum(m1, m2)
    safe = torch.where(m.isneginf(), 0.0, m)
    log_sum = torch.logaddexp(m1 + l1.log(), m2 + l2.log())
    a = (m1 - safe).exp().unsqueeze(1) * a1 + (m2 - safe).exp().unsqueeze(1) * a2
    return m, (log_sum - safe).exp(), a
