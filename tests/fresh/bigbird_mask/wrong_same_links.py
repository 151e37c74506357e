# one draw of positions for all rows
def bigbird_mask(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    order = rng.sample(range(T), T)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        free = [i for i in order if i < t and not mask[t, i]]
        mask[t, free[:n_random]] = True
    return mask
