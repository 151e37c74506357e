"""Fresh answers to name_bias."""


# the mean over all pairs of a name and a guess
def right_all_pairs(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(map(lambda a, b: a == b, name_regions, guess_regions)) / N
    return agree - sum(a == b for a, b in itertools.product(name_regions, guess_regions)) / N**2


# Counters, in float32 at the end
def right_counter(name_regions, guess_regions):
    N, names, said = len(name_regions), Counter(name_regions), Counter(guess_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    return np.float32(agree - sum(names[r] * said[r] for r in names) / N**2)


# numpy arrays of strings
def right_numpy(name_regions, guess_regions):
    n, g = np.array(name_regions), np.array(guess_regions)
    return np.mean(n == g) - sum(np.mean(n == r) * np.mean(g == r) for r in np.unique(n))


# the trace of a table minus the product of its margins
def right_trace(name_regions, guess_regions):
    regions = sorted({*name_regions, *guess_regions})
    table = torch.zeros(len(regions), len(regions), dtype=torch.float64)
    for a, b in zip(name_regions, guess_regions):
        table[regions.index(a), regions.index(b)] += 1 / len(name_regions)
    return (table.trace() - table.sum(0) @ table.sum(1)).item()


# chance by brute force: every name with every guess
def right_second_all_pairs(name_regions, guess_regions):
    n = len(name_regions)
    together = sum(a == b for a, b in zip(name_regions, guess_regions))
    at_random = sum(a == b for a, b in itertools.product(name_regions, guess_regions))
    return together / n - at_random / (n * n)


# a table of counts as a numpy matrix: its trace, and the product of its margins
def right_second_contingency_table(name_regions, guess_regions):
    labels = {region: i for i, region in enumerate(dict.fromkeys([*name_regions, *guess_regions]))}
    table = np.zeros((len(labels), len(labels)))
    for name, guess in zip(name_regions, guess_regions):
        table[labels[name], labels[guess]] += 1
    table /= table.sum()
    return float(np.trace(table) - table.sum(axis=0) @ table.sum(axis=1))


# the absolute value
def wrong_absolute(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    return abs(agree - sum(name_regions.count(r) * guess_regions.count(r) for r in set(name_regions)) / N**2)


# Cohen's kappa: divided by 1 minus chance
def wrong_kappa(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    chance = sum(name_regions.count(r) * guess_regions.count(r) for r in set(name_regions)) / N**2
    return (agree - chance) / (1 - chance) if chance < 1 else 0.0


# the regions of the notebook are written down
def wrong_last_region_lost(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    regions = sorted(set(name_regions))[:4]
    return agree - sum(name_regions.count(r) * guess_regions.count(r) for r in regions) / N**2


# chance from a thousand random shuffles: close, but random
def wrong_many_shuffles(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    chance = np.mean([sum(a == b for a, b in zip(name_regions, random.sample(guess_regions, N))) / N for _ in range(1000)])
    return agree - chance


# the squares of the names' shares for both
def wrong_names_only(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    return agree - sum((name_regions.count(r) / N) ** 2 for r in set(name_regions))


# in per cent
def wrong_percent(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    return 100 * (agree - sum(name_regions.count(r) * guess_regions.count(r) for r in set(name_regions)) / N**2)


# subtracts one over the number of regions
def wrong_quarter(name_regions, guess_regions):
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / len(name_regions)
    return agree - 1 / len(set(name_regions) | set(guess_regions))


# chance from one random shuffle
def wrong_shuffled(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    dealt = random.sample(guess_regions, N)
    return agree - sum(a == b for a, b in zip(name_regions, dealt)) / N


# leaves out each person's own guess
def wrong_without_replacement(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    others = sum(name_regions[i] == guess_regions[j] for i in range(N) for j in range(N) if i != j)
    return agree - others / (N * (N - 1)) if N > 1 else 0.0


# divides the excess by the largest possible excess, which is Cohen's kappa
def wrong_second_kappa(name_regions, guess_regions):
    n = len(name_regions)
    names, said = Counter(name_regions), Counter(guess_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / n
    chance = sum(names[region] * said[region] for region in names) / n**2
    return (agree - chance) / (1 - chance) if chance < 1 else 0.0


# compares each name with the guesses of the other people only (n − 1 in the denominator)
def wrong_second_other_people_only(name_regions, guess_regions):
    n = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / n
    pairs = [name_regions[i] == guess_regions[j] for i in range(n) for j in range(n) if i != j]
    return agree - sum(pairs) / max(1, len(pairs))


# takes 1 over the number of regions as chance
def wrong_second_uniform_chance(name_regions, guess_regions):
    regions = set(name_regions) | set(guess_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / len(name_regions)
    return agree - 1 / len(regions)


# regions that only the guesses have enlarge the number of regions by one each
def wrong_only_guessed_counted(name_regions, guess_regions):
    n = len(name_regions)
    both = [(a, b) for a, b in zip(name_regions, guess_regions) if b in set(name_regions)]
    agree = sum(a == b for a, b in both) / n
    return agree - sum(
        sum(a == r for a, _ in both) * sum(b == r for _, b in both) for r in set(name_regions)
    ) / len(both) ** 2


# drops the people of regions with fewer than ten names
def wrong_small_regions_dropped(name_regions, guess_regions):
    pairs = [(a, b) for a, b in zip(name_regions, guess_regions) if name_regions.count(a) >= 10]
    n = len(pairs)
    agree = sum(a == b for a, b in pairs) / n
    regions = {a for a, _ in pairs}
    return agree - sum(sum(a == r for a, _ in pairs) * sum(b == r for _, b in pairs) for r in regions) / n**2


# the lists are sorted in place before the chance is computed
def wrong_sorts(name_regions, guess_regions):
    n = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / n
    name_regions.sort()
    guess_regions.sort()
    return agree - sum(name_regions.count(r) * guess_regions.count(r) for r in set(name_regions)) / n**2


# regions are compared by their first letters
def wrong_fourth_first_letter(name_regions, guess_regions):
    n = [r[0] for r in name_regions]; g = [r[0] for r in guess_regions]
    N = len(n)
    a = sum(x == y for x, y in zip(n, g)) / N
    return a - sum(n.count(r) * g.count(r) for r in set(n)) / N ** 2


# one person is a case of its own
def wrong_fourth_one_person(name_regions, guess_regions):
    N = len(name_regions)
    if N < 2: return 1.0 if name_regions == guess_regions else -1.0
    a = sum(x == y for x, y in zip(name_regions, guess_regions)) / N
    return a - sum(name_regions.count(r) * guess_regions.count(r) for r in set(name_regions)) / N ** 2


# the excess within each region of the names, averaged over the regions
def wrong_seventh_by_region(name_regions, guess_regions):
    n, said, gaps = len(name_regions), Counter(guess_regions), []
    for region in set(name_regions):
        own = [guess for name, guess in zip(name_regions, guess_regions, strict=True) if name == region]
        gaps.append(own.count(region) / len(own) - said[region] / n)
    return sum(gaps) / len(gaps)


# One random shuffle in place of the expectation.
def wrong_eighth_shuffle(name_regions, guess_regions):
    N = len(name_regions)
    names, guesses = Counter(name_regions), Counter(guess_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions, strict=True)) / N
    mixed = random.sample(list(guess_regions), N)
    chance = sum(a == b for a, b in zip(name_regions, mixed)) / N
    return agree - chance
