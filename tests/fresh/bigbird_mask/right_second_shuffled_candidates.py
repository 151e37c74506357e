# shuffles the free places of each row and takes the first few
def bigbird_mask(T, window, n_global, n_random, rng):
    rows = []
    for t in range(T):
        fixed = {i for i in range(t + 1) if t - i < window or i < n_global}
        free = [i for i in range(t) if i not in fixed]
        rng.shuffle(free)
        links = fixed.union(free[:n_random])
        rows.append([i in links for i in range(T)])
    return torch.tensor(rows, dtype=torch.bool).reshape(T, T)
