# a loop over the queries with plain ifs
def merge_states(left, right):
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
