"""Fresh answers to random_settings."""


# seeds numpy with a number from rng and draws everything there
def right_child_generators(count, low, high, batch_sizes, rng):
    g = np.random.default_rng(rng.getrandbits(63))
    rates = 10 ** g.uniform(math.log10(low), math.log10(high), size=count)
    return [{"learning_rate": float(r), "batch_size": int(g.choice(batch_sizes))} for r in rates]


# the formula with a power, and an index for the batch size
def right_power_formula(count, low, high, batch_sizes, rng):
    return [
        {"batch_size": batch_sizes[rng.randrange(len(batch_sizes))], "learning_rate": low * (high / low) ** rng.random()}
        for _ in range(count)
    ]


# draws from a range that is too wide and rejects what is outside
def right_rejection(count, low, high, batch_sizes, rng):
    def rate():
        while True:
            x = rng.uniform(math.log10(low) - 1, math.log10(high) + 1)
            if math.log10(low) <= x <= math.log10(high):
                return 10**x

    settings = []
    while len(settings) < count:
        settings.append({"learning_rate": rate(), "batch_size": rng.sample(list(batch_sizes), 1)[0]})
    return settings


# torch with a seed from rng; log in base 2
def right_torch_seeded(count, low, high, batch_sizes, rng):
    g = torch.Generator().manual_seed(rng.randrange(2**40))
    a, b = math.log2(low), math.log2(high)
    rates = torch.exp2(a + (b - a) * torch.rand(count, generator=g, dtype=torch.float64)).tolist()
    which = torch.randint(len(batch_sizes), (count,), generator=g).tolist()
    return [{"learning_rate": r, "batch_size": batch_sizes[w]} for r, w in zip(rates, which)]


# all rates first, then all sizes; numpy scalars
def right_two_passes_numpy(count, low, high, batch_sizes, rng):
    u = np.array([rng.random() for _ in range(count)])
    rates = np.exp(np.log(low) + u * (np.log(high) - np.log(low)))
    sizes = rng.choices(batch_sizes, k=count)
    return [dict(learning_rate=rate, batch_size=np.int64(size)) for rate, size in zip(rates, sizes)]


# first all rates, then all batch sizes with choices, zipped into dicts
def right_second_two_columns(count, low, high, batch_sizes, rng):
    u = [rng.random() for _ in range(count)]
    rates = (low ** (1 - each) * high**each for each in u)
    sizes = rng.choices(batch_sizes, k=count)
    return [{"learning_rate": rate, "batch_size": size} for rate, size in zip(rates, sizes)]


# draws the exponent of 10 with uniform and the batch size with randrange
def right_second_uniform_exponent(count, low, high, batch_sizes, rng):
    settings = []
    for _ in range(count):
        exponent = rng.uniform(math.log10(low), math.log10(high))
        size = batch_sizes[rng.randrange(len(batch_sizes))]
        settings.append(dict(batch_size=size, learning_rate=10.0**exponent))
    return settings


# batch sizes take turns
def wrong_cycles_sizes(count, low, high, batch_sizes, rng):
    return [
        {"learning_rate": math.exp(rng.uniform(math.log(low), math.log(high))), "batch_size": batch_sizes[i % len(batch_sizes)]}
        for i in range(count)
    ]


# whole powers of ten only
def wrong_decades_only(count, low, high, batch_sizes, rng):
    return [
        {"learning_rate": 10 ** rng.randint(round(math.log10(low)), round(math.log10(high))), "batch_size": rng.choice(batch_sizes)}
        for _ in range(count)
    ]


# evenly spaced logarithms, shuffled by nothing
def wrong_evenly_spaced(count, low, high, batch_sizes, rng):
    return [{"learning_rate": low * (high / low) ** (i / count), "batch_size": rng.choice(batch_sizes)} for i in range(count)]


# evenly spaced logarithms in random order
def wrong_evenly_spaced_shuffled(count, low, high, batch_sizes, rng):
    places = [(i + 0.5) / count for i in range(count)]
    rng.shuffle(places)
    return [{"learning_rate": low * (high / low) ** u, "batch_size": rng.choice(batch_sizes)} for u in places]


# draws from the module random
def wrong_global_random(count, low, high, batch_sizes, rng):
    return [
        {"learning_rate": math.exp(random.uniform(math.log(low), math.log(high))), "batch_size": random.choice(batch_sizes)}
        for _ in range(count)
    ]


# the range of the notebook's search, whatever is asked
def wrong_hard_coded_range(count, low, high, batch_sizes, rng):
    return [{"learning_rate": 0.0002 * 100 ** rng.random(), "batch_size": rng.choice(batch_sizes)} for _ in range(count)]


# randrange one short: the last size never comes
def wrong_misses_last_size(count, low, high, batch_sizes, rng):
    return [
        {"learning_rate": low * (high / low) ** rng.random(), "batch_size": batch_sizes[rng.randrange(max(1, len(batch_sizes) - 1))]}
        for _ in range(count)
    ]


# shuffles pairs from a list of distinct rates, each pair at most once, and a random size without repetition
def wrong_no_repeats(count, low, high, batch_sizes, rng):
    sizes = (list(batch_sizes) * (count // len(batch_sizes) + 1))[:count]
    rng.shuffle(sizes)
    return [{"learning_rate": low * (high / low) ** rng.random(), "batch_size": s} for s in sizes]


# one rate for all settings
def wrong_one_rate(count, low, high, batch_sizes, rng):
    rate = math.exp(rng.uniform(math.log(low), math.log(high)))
    return [{"learning_rate": rate, "batch_size": rng.choice(batch_sizes)} for _ in range(count)]


# seeds rng with 0 first
def wrong_reseeds(count, low, high, batch_sizes, rng):
    rng.seed(0)
    return [
        {"learning_rate": math.exp(rng.uniform(math.log(low), math.log(high))), "batch_size": rng.choice(batch_sizes)}
        for _ in range(count)
    ]


# one random number decides rate and size
def wrong_same_draw_for_both(count, low, high, batch_sizes, rng):
    out = []
    for _ in range(count):
        u = rng.random()
        out.append({"learning_rate": low * (high / low) ** u, "batch_size": batch_sizes[int(u * len(batch_sizes))]})
    return out


# the rate from rng, the batch size from the module random
def wrong_size_from_global(count, low, high, batch_sizes, rng):
    return [
        {"learning_rate": math.exp(rng.uniform(math.log(low), math.log(high))), "batch_size": random.choice(batch_sizes)}
        for _ in range(count)
    ]


# the settings are sorted by rate
def wrong_sorted(count, low, high, batch_sizes, rng):
    found = [
        {"learning_rate": math.exp(rng.uniform(math.log(low), math.log(high))), "batch_size": rng.choice(batch_sizes)}
        for _ in range(count)
    ]
    return sorted(found, key=lambda s: s["learning_rate"])


# one random rate in each of `count` equal parts (Latin hypercube), so draws are not independent
def wrong_stratified(count, low, high, batch_sizes, rng):
    places = [(i + rng.random()) / count for i in range(count)]
    rng.shuffle(places)
    return [{"learning_rate": low * (high / low) ** u, "batch_size": rng.choice(batch_sizes)} for u in places]


# the rate itself is uniform
def wrong_uniform_rate(count, low, high, batch_sizes, rng):
    return [{"learning_rate": rng.uniform(low, high), "batch_size": rng.choice(batch_sizes)} for _ in range(count)]


# deals the batch sizes out in turn and does not draw them
def wrong_second_batch_sizes_in_turn(count, low, high, batch_sizes, rng):
    return [
        {"learning_rate": low * (high / low) ** rng.random(), "batch_size": batch_sizes[i % len(batch_sizes)]}
        for i in range(count)
    ]


# draws the rate and not its logarithm uniformly
def wrong_second_rate_itself_uniform(count, low, high, batch_sizes, rng):
    return [{"learning_rate": rng.uniform(low, high), "batch_size": rng.choice(batch_sizes)} for _ in range(count)]


# one random number chooses both the rate and the batch size, so they are not independent
def wrong_second_same_number_for_both(count, low, high, batch_sizes, rng):
    settings = []
    for _ in range(count):
        u = rng.random()
        size = batch_sizes[int(u * len(batch_sizes))]
        settings.append({"learning_rate": low * (high / low) ** u, "batch_size": size})
    return settings


# each rate is a fixed step after the one before it
def wrong_fourth_golden(count, low, high, batch_sizes, rng):
    out = []
    for i in range(count):
        u = rng.random()
        u = u if i == 0 else (prev + 0.6180339887) % 1
        prev = u
        size = rng.choice(batch_sizes)
        out.append({"learning_rate": low * (high / low) ** u, "batch_size": size})
    return out


# rates in the middle of the range have the first sizes
def wrong_fourth_folded(count, low, high, batch_sizes, rng):
    out = []
    for i in range(count):
        u = rng.random()
        size = batch_sizes[int(abs(2 * u - 1) * len(batch_sizes)) if u else 0]
        out.append({"learning_rate": low * (high / low) ** u, "batch_size": size})
    return out


# the first rate is always the middle of the range
def wrong_fourth_first_fixed(count, low, high, batch_sizes, rng):
    out = []
    for i in range(count):
        u = rng.random()
        u = 0.5 if i == 0 else u
        size = rng.choice(batch_sizes)
        out.append({"learning_rate": low * (high / low) ** u, "batch_size": size})
    return out


# the ends of the range are left out
def wrong_fifth_without_the_ends(count, low, high, batch_sizes, rng):
    return [
        {
            "learning_rate": low * (high / low) ** rng.uniform(0.02, 0.98),
            "batch_size": rng.choice(batch_sizes),
        }
        for _ in range(count)
    ]


# Shuffles batch_sizes in place and takes the first.
def wrong_fifth_shuffles_the_sizes(count, low, high, batch_sizes, rng):
    settings = []
    for _ in range(count):
        rng.shuffle(batch_sizes)
        settings.append({"learning_rate": low * (high / low) ** rng.random(), "batch_size": batch_sizes[0]})
    return settings


# one dict, put into the list each time
def wrong_fifth_same_dict(count, low, high, batch_sizes, rng):
    setting, settings = {}, []
    for _ in range(count):
        setting["learning_rate"] = low * (high / low) ** rng.random()
        setting["batch_size"] = rng.choice(batch_sizes)
        settings.append(setting)
    return settings


# a bell-shaped logarithm, cut off at the ends of the range
def wrong_fifth_gaussian(count, low, high, batch_sizes, rng):
    a, b = math.log(low), math.log(high)
    return [
        {
            "learning_rate": math.exp(min(b, max(a, rng.gauss((a + b) / 2, (b - a) / 4)))),
            "batch_size": rng.choice(batch_sizes),
        }
        for _ in range(count)
    ]


# The rng is copied first, so that a second call with the same rng repeats the settings and the rng is not used.
def wrong_tenth_copied_rng(count, low, high, batch_sizes, rng):
    mine = random.Random()
    mine.setstate(rng.getstate())
    return [{"learning_rate": low * (high / low) ** mine.random(), "batch_size": mine.choice(batch_sizes)} for _ in range(count)]
