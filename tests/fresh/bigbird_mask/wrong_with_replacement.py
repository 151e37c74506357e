# links may repeat, so there are fewer
def bigbird_mask(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        for _ in range(n_random):
            if free:
                mask[t, rng.choice(free)] = True
    return mask
