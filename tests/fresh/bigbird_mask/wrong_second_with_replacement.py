# draws links with replacement, so a row may get fewer different ones
def bigbird_mask(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        if len(free) <= n_random:
            links = free
        else:
            links = rng.choices(free, k=n_random)
        mask[t, links] = True
    return mask
