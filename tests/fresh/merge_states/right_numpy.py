# numpy with errors ignored.
def merge_states(left, right):
    m1, l1, a1 = (part.numpy() for part in left)
    m2, l2, a2 = (part.numpy() for part in right)
    m = np.maximum(m1, m2)
    with np.errstate(invalid="ignore"):
        f, g = np.nan_to_num(np.exp(m1 - m)), np.nan_to_num(np.exp(m2 - m))
    new = m, f * l1 + g * l2, f[:, None] * a1 + g[:, None] * a2
    return tuple(torch.from_numpy(np.asarray(part)) for part in new)
