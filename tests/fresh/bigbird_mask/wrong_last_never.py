# the free position next to the window is never drawn
def bigbird_mask(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        draw_from = free[:-1] if len(free) > n_random else free
        mask[t, rng.sample(draw_from, min(n_random, len(draw_from)))] = True
    return mask
