# A loop over the queries.
def merge_states(left, right):
    rows = []
    for m1, l1, a1, m2, l2, a2 in zip(*left, *right):
        m = torch.maximum(m1, m2)
        if torch.isinf(m):
            rows.append((m, torch.zeros_like(l1), torch.zeros_like(a1)))
        else:
            f, g = (m1 - m).exp(), (m2 - m).exp()
            rows.append((m, f * l1 + g * l2, f * a1 + g * a2))
    return tuple(torch.stack(column) for column in zip(*rows))
