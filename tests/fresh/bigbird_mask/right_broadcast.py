# window and global by broadcasting, links by repeated choice
def bigbird_mask(T, window, n_global, n_random, rng):
    i = torch.arange(T)
    mask = ((i[:, None] - i < window) | (i < n_global)) & (i <= i[:, None])
    for t in range(T):
        for _ in range(n_random):
            free = (~mask[t, :t]).nonzero().flatten().tolist()
            if free:
                mask[t, rng.choice(free)] = True
    return mask
