# vectorised fixed part; the links are the free places with the smallest random numbers
def bigbird_mask(T, window, n_global, n_random, rng):
    t, i = torch.arange(T)[:, None], torch.arange(T)[None, :]
    mask = (i <= t) & ((t - i < window) | (i < n_global))
    for row in range(T):
        free = (~mask[row, :row]).nonzero().flatten().tolist()
        chosen = sorted(free, key=lambda _: rng.random())[:n_random]
        for place in chosen:
            mask[row, place] = True
    return mask
