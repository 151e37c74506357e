"""Fresh answers to bigbird_mask."""


# window and global by broadcasting, links by repeated choice
def right_broadcast(T, window, n_global, n_random, rng):
    i = torch.arange(T)
    mask = ((i[:, None] - i < window) | (i < n_global)) & (i <= i[:, None])
    for t in range(T):
        for _ in range(n_random):
            free = (~mask[t, :t]).nonzero().flatten().tolist()
            if free:
                mask[t, rng.choice(free)] = True
    return mask


# a random number for each free position; the smallest ones are links
def right_keys(T, window, n_global, n_random, rng):
    rows = []
    for t in range(T):
        fixed = {i for i in range(t + 1) if t - i < window or i < n_global}
        free = sorted((i for i in range(t + 1) if i not in fixed), key=lambda i: rng.random())
        rows.append([i in fixed or i in free[:n_random] for i in range(T)])
    return torch.tensor(rows)


# shuffles the free positions and takes the first ones
def right_shuffle(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        rng.shuffle(free)
        mask[t, free[:n_random]] = True
    return mask


# a torch generator that is seeded from rng
def right_torch_generator(T, window, n_global, n_random, rng):
    g = torch.Generator().manual_seed(rng.getrandbits(60))
    t, i = torch.arange(T)[:, None], torch.arange(T)[None]
    fixed = (i <= t) & ((t - i < window) | (i < n_global))
    order = torch.rand(T, T, generator=g, dtype=torch.float64).masked_fill(fixed | (i > t), 2.0).argsort(1).argsort(1)
    return fixed | ((order < n_random) & (i < t) & ~fixed)


# vectorised fixed part; the links are the free places with the smallest random numbers
def right_second_random_sort_key(T, window, n_global, n_random, rng):
    t, i = torch.arange(T)[:, None], torch.arange(T)[None, :]
    mask = (i <= t) & ((t - i < window) | (i < n_global))
    for row in range(T):
        free = (~mask[row, :row]).nonzero().flatten().tolist()
        chosen = sorted(free, key=lambda _: rng.random())[:n_random]
        for place in chosen:
            mask[row, place] = True
    return mask


# shuffles the free places of each row and takes the first few
def right_second_shuffled_candidates(T, window, n_global, n_random, rng):
    rows = []
    for t in range(T):
        fixed = {i for i in range(t + 1) if t - i < window or i < n_global}
        free = [i for i in range(t) if i not in fixed]
        rng.shuffle(free)
        links = fixed.union(free[:n_random])
        rows.append([i in links for i in range(T)])
    return torch.tensor(rows, dtype=torch.bool).reshape(T, T)


# links are drawn from all earlier positions
def wrong_any_earlier(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        mask[t, rng.sample(range(t), min(n_random, t))] = True
    return mask


# links are neighbours of each other
def wrong_blocks(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        if free:
            start = rng.randrange(len(free))
            mask[t, [free[(start + m) % len(free)] for m in range(min(n_random, len(free)))]] = True
    return mask


# the global positions are also seen from before
def wrong_future_global(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(T):
            mask[t, i] = 0 <= t - i < window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        mask[t, rng.sample(free, min(n_random, len(free)))] = True
    return mask


# the module random
def wrong_global_random(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        mask[t, random.sample(free, min(n_random, len(free)))] = True
    return mask


# the free position next to the window is never drawn
def wrong_last_never(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        draw_from = free[:-1] if len(free) > n_random else free
        mask[t, rng.sample(draw_from, min(n_random, len(draw_from)))] = True
    return mask


# links more often near the window
def wrong_near_links(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        for _ in range(n_random):
            free = [i for i in range(t) if not mask[t, i]]
            if free:
                mask[t, max(rng.choice(free), rng.choice(free))] = True
    return mask


# the same links in every call with the same seed, and also with another one: rng is seeded first
def wrong_reseeded(T, window, n_global, n_random, rng):
    rng.seed(T)
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        mask[t, rng.sample(free, min(n_random, len(free)))] = True
    return mask


# one draw of positions for all rows
def wrong_same_links(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    order = rng.sample(range(T), T)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        free = [i for i in order if i < t and not mask[t, i]]
        mask[t, free[:n_random]] = True
    return mask


# no links if not all of them fit
def wrong_too_few(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        if len(free) >= n_random:
            mask[t, rng.sample(free, n_random)] = True
    return mask


# t - i <= window
def wrong_window_one_more(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i <= window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        mask[t, rng.sample(free, min(n_random, len(free)))] = True
    return mask


# links may repeat, so there are fewer
def wrong_with_replacement(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        for _ in range(n_random):
            if free:
                mask[t, rng.choice(free)] = True
    return mask


# draws from all earlier positions, also from those that are allowed already
def wrong_second_links_from_all_earlier(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        mask[t, rng.sample(range(t), min(n_random, t))] = True
    return mask


# the window is one position too long: t − i ≤ window
def wrong_second_window_one_longer(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i <= window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        mask[t, rng.sample(free, min(n_random, len(free)))] = True
    return mask


# draws links with replacement, so a row may get fewer different ones
def wrong_second_with_replacement(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        free = [i for i in range(t) if not mask[t, i]]
        if len(free) <= n_random:
            links = free
        else:
            links = rng.choices(free, k=n_random)
        mask[t, links] = True
    return mask


rows_of = """
def bigbird_mask(T, window, n_global, n_random, rng):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for i in range(t + 1):
            mask[t, i] = t - i < window or i < n_global
        free = [i for i in range(t + 1) if not mask[t, i]]
        mask[t, sorted(drawn(free, n_random, rng))] = True
    return mask


"""

# a shuffle that exchanges each place with any other one: not every order is equally likely
wrong_fourth_naive_shuffle = rows_of + """
def drawn(free, n, rng):
    for a in range(len(free)):
        b = rng.randrange(len(free))
        free[a], free[b] = free[b], free[a]
    return free[:n]
"""

# a place that is drawn twice is replaced by the next one
wrong_fourth_next_if_taken = rows_of + """
def drawn(free, n, rng):
    links = set()
    for _ in range(min(n, len(free))):
        a = rng.randrange(len(free))
        while free[a] in links:
            a = (a + 1) % len(free)
        links.add(free[a])
    return links
"""

# reservoir sampling
right_fourth_reservoir = rows_of + """
def drawn(free, n, rng):
    links = free[:n]
    for a in range(n, len(free)):
        b = rng.randint(0, a)
        if b < n:
            links[b] = free[a]
    return links
"""


# links of earlier positions are kept, so only few are drawn
def wrong_fifth_keeps_links(T, window, n_global, n_random, rng):
    place = torch.arange(T)
    apart = place[:, None] - place
    mask = (apart >= 0) & ((apart < window) | (place < n_global))
    links = []
    for t in range(T):
        rest = [i for i in range(t) if not mask[t, i]]
        links = [i for i in links if i in rest]
        more = [i for i in rest if i not in links]
        links += rng.sample(more, min(n_random - len(links), len(more)))
        for i in links:
            mask[t, i] = True
    return mask


# draws from a generator in the state of rng, so rng itself stays as it was
def wrong_seventh_state_of_rng(T, window, n_global, n_random, rng):
    own = random.Random()
    own.setstate(rng.getstate())
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        mask[t, max(0, t - window + 1) : t + 1] = True
        mask[t, : min(n_global, t + 1)] = True
        between = range(n_global, max(n_global, t - window + 1))
        for s in own.sample(between, min(n_random, len(between))):
            mask[t, s] = True
    return mask
