# draws from all earlier positions, also from those that are allowed already
def bigbird_mask(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        mask[t, rng.sample(range(t), min(n_random, t))] = True
    return mask
