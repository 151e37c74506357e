# the window is one position too long: t − i ≤ window
def bigbird_mask(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i <= window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        mask[t, rng.sample(free, min(n_random, len(free)))] = True
    return mask
