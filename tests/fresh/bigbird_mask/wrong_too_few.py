# no links if not all of them fit
def bigbird_mask(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        if len(free) >= n_random:
            mask[t, rng.sample(free, n_random)] = True
    return mask
