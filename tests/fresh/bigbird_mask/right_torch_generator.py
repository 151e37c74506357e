# a torch generator that is seeded from rng
def bigbird_mask(T, window, n_global, n_random, rng):
    g = torch.Generator().manual_seed(rng.getrandbits(60))
    t, i = torch.arange(T)[:, None], torch.arange(T)[None]
    fixed = (i <= t) & ((t - i < window) | (i < n_global))
    order = torch.rand(T, T, generator=g, dtype=torch.float64).masked_fill(fixed | (i > t), 2.0).argsort(1).argsort(1)
    return fixed | ((order < n_random) & (i < t) & ~fixed)
