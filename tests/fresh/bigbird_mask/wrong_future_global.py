# the global positions are also seen from before
def bigbird_mask(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(T):
            mask[t, i] = 0 <= t - i < window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        mask[t, rng.sample(free, min(n_random, len(free)))] = True
    return mask
