# shuffles the free positions and takes the first ones
def bigbird_mask(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        rng.shuffle(free)
        mask[t, free[:n_random]] = True
    return mask
