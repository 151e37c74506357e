# a random number for each free position; the smallest ones are links
def bigbird_mask(T, window, n_global, n_random, rng):
    rows = []
    for t in range(T):
        fixed = {i for i in range(t + 1) if t - i < window or i < n_global}
        free = sorted((i for i in range(t + 1) if i not in fixed), key=lambda i: rng.random())
        rows.append([i in fixed or i in free[:n_random] for i in range(T)])
    return torch.tensor(rows)
