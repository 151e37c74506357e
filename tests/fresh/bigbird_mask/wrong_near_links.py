# links more often near the window
def bigbird_mask(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        for _ in range(n_random):
            free = [i for i in range(t) if not mask[t, i]]
            if free:
                mask[t, max(rng.choice(free), rng.choice(free))] = True
    return mask
