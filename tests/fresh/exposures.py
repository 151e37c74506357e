"""Fresh answers to exposures."""


# only the pairs that can cover it, so the sum may be the whole number 0
def right_filtered(law, start, stop, epochs):
    total = 0
    for (L, m), p in law.items():
        if m < stop - start or L < stop:
            continue
        first, last = max(stop - m, 0), min(start, L - m)
        total += epochs * p * (last - first + 1) / (L - m + 1)
    return total


# exact fractions, converted at the end
def right_fractions(law, start, stop, epochs):
    total = Fraction(0)
    for (L, m), p in law.items():
        good = max(0, min(start, L - m) - max(0, stop - m) + 1)
        total += Fraction(p) * Fraction(good, L - m + 1)
    return float(epochs * total)


# math.fsum over generators
def right_fsum(law, start, stop, epochs):
    return math.fsum(
        p / (L - m + 1) for (L, m), p in law.items() for s in range(L - m + 1) if s <= start < stop <= s + m
    ) * epochs


# tries every start
def right_loop_starts(law, start, stop, epochs):
    expected = 0.0
    for (L, m), p in law.items():
        hits = 0
        for s in range(L - m + 1):
            if s <= start and stop <= s + m:
                hits += 1
        expected += p * hits / (L - m + 1)
    return epochs * expected


# numpy arrays, and a numpy float
def right_numpy(law, start, stop, epochs):
    L, m = np.array(list(law)).T
    p = np.array(list(law.values()))
    good = np.clip(np.minimum(start, L - m) - np.maximum(0, stop - m) + 1, 0, None)
    return epochs * np.sum(p * good / (L - m + 1))


# recursion over the pairs
def right_recursion(law, start, stop, epochs):
    def rest(pairs):
        if not pairs:
            return 0.0
        ((L, m), p), *others = pairs
        starts = range(max(0, stop - m), min(start, L - m) + 1)
        return p * len(starts) / (L - m + 1) + rest(others)

    return epochs * rest(list(law.items()))


# sets of characters
def right_sets(law, start, stop, epochs):
    fact = set(range(start, stop))

    def share(L, m):
        spans = [set(range(s, s + m)) for s in range(L - m + 1)]
        return sum(fact <= span for span in spans) / len(spans)

    return sum(epochs * p * share(*pair) for pair, p in law.items())


# float32 on the way
def right_torch32(law, start, stop, epochs):
    L, m = torch.tensor(list(law)).T
    p = torch.tensor(list(law.values()))
    good = (torch.minimum(torch.tensor(start), L - m) - (stop - m).clamp(min=0) + 1).clamp(min=0)
    return (epochs * (p * good / (L - m + 1)).sum()).item()


# first and last start that fit, as numpy arrays over the whole law
def right_second_closed_formula_numpy(law, start, stop, epochs):
    L, m = np.array(list(law), dtype=int).T
    p = np.array(list(law.values()), dtype=float)
    first = np.clip(stop - m, 0, None)
    last = np.minimum(start, L - m)
    fits = np.clip(last - first + 1, 0, None)
    return float(epochs * np.sum(p * fits / (L - m + 1)))


# tries every start and counts those that cover the fact, exact fractions
def right_second_tries_every_start(law, start, stop, epochs):
    fact = set(range(start, stop))
    expected = Fraction(0)
    for (L, m), probability in law.items():
        hits = [s for s in range(L - m + 1) if fact <= set(range(s, s + m))]
        expected += Fraction(probability) * len(hits) / (L - m + 1)
    return float(epochs * expected)


# uses the average L and m
def wrong_averages(law, start, stop, epochs):
    L = round(sum(p * L for (L, m), p in law.items()))
    m = round(sum(p * m for (L, m), p in law.items()))
    good = max(0, min(start, L - m) - max(0, stop - m) + 1)
    return float(epochs * good / (L - m + 1))


# takes the pairs out of the caller's dictionary
def wrong_empties_law(law, start, stop, epochs):
    total = 0.0
    while law:
        (L, m), p = law.popitem()
        good = max(0, min(start, L - m) - max(0, stop - m) + 1)
        total += p * good / (L - m + 1)
    return epochs * total


# the fact may not end where the kept text ends
def wrong_ends_before(law, start, stop, epochs):
    total = 0.0
    for (L, m), p in law.items():
        if stop < L:
            total += p * sum(s <= start and stop <= s + m for s in range(L - m + 1)) / (L - m + 1)
    return epochs * total


# ignores the probabilities
def wrong_even_pairs(law, start, stop, epochs):
    total = 0.0
    for L, m in law:
        good = max(0, min(start, L - m) - max(0, stop - m) + 1)
        total += good / (L - m + 1)
    return epochs * total / len(law)


# only the first character must be masked
def wrong_first_character(law, start, stop, epochs):
    total = 0.0
    for (L, m), p in law.items():
        total += p * sum(s <= start < s + m for s in range(L - m + 1)) / (L - m + 1)
    return epochs * total


# forgets that the span cannot start before 0
def wrong_forgets_begin(law, start, stop, epochs):
    total = 0.0
    for (L, m), p in law.items():
        good = max(0, min(start, L - m) - (stop - m) + 1)
        total += p * good / (L - m + 1)
    return epochs * total


# forgets that the span must end within L
def wrong_forgets_end(law, start, stop, epochs):
    total = 0.0
    for (L, m), p in law.items():
        if stop <= L:
            good = max(0, start - max(0, stop - m) + 1)
            total += p * good / (L - m + 1)
    return epochs * total


# stop is taken as the last character
def wrong_inclusive(law, start, stop, epochs):
    total = 0.0
    for (L, m), p in law.items():
        total += p * sum(s <= start and stop < s + m for s in range(L - m + 1)) / (L - m + 1)
    return epochs * total


# each character as if on its own
def wrong_independent(law, start, stop, epochs):
    total = 1.0
    for t in range(start, stop):
        total *= sum(p * sum(s <= t < s + m for s in range(L - m + 1)) / (L - m + 1) for (L, m), p in law.items())
    return epochs * total


# a fact of more than ten characters is never masked
def wrong_long_facts(law, start, stop, epochs):
    if stop - start > 10:
        return 0.0
    total = 0.0
    for (L, m), p in law.items():
        good = max(0, min(start, L - m) - max(0, stop - m) + 1)
        total += p * good / (L - m + 1)
    return epochs * total


# negative counts are not set to 0
def wrong_negative(law, start, stop, epochs):
    total = 0.0
    for (L, m), p in law.items():
        good = min(start, L - m) - max(0, stop - m) + 1
        total += p * good / (L - m + 1)
    return epochs * max(0.0, total)


# divides by L − m
def wrong_one_start_less(law, start, stop, epochs):
    total = 0.0
    for (L, m), p in law.items():
        good = max(0, min(start, L - m) - max(0, stop - m) + 1)
        total += p * good / max(1, L - m)
    return epochs * total


# without the epochs
def wrong_probability(law, start, stop, epochs):
    total = 0.0
    for (L, m), p in law.items():
        good = max(0, min(start, L - m) - max(0, stop - m) + 1)
        total += p * good / (L - m + 1)
    return total


# rounds to whole epochs
def wrong_rounded(law, start, stop, epochs):
    total = 0.0
    for (L, m), p in law.items():
        good = max(0, min(start, L - m) - max(0, stop - m) + 1)
        total += p * good / (L - m + 1)
    return float(round(epochs * total))


# a simulation
def wrong_simulated(law, start, stop, epochs):
    pairs, shares = list(law), list(law.values())
    hits = 0
    for L, m in random.choices(pairs, shares, k=20_000):
        s = random.randint(0, L - m)
        hits += s <= start and stop <= s + m
    return epochs * hits / 20_000


# at least one character is masked
def wrong_touches(law, start, stop, epochs):
    total = 0.0
    for (L, m), p in law.items():
        total += p * sum(s < stop and start < s + m for s in range(L - m + 1)) / (L - m + 1)
    return epochs * total


# the probability of at least one epoch
def wrong_whole_probability(law, start, stop, epochs):
    total = 0.0
    for (L, m), p in law.items():
        good = max(0, min(start, L - m) - max(0, stop - m) + 1)
        total += p * good / (L - m + 1)
    return 1 - (1 - total) ** epochs


# does not ask whether the span that starts there still fits into the kept text
def wrong_second_kept_length_forgotten(law, start, stop, epochs):
    total = 0.0
    for (L, m), probability in law.items():
        fits = max(0, start - max(0, stop - m) + 1)
        total += probability * min(1.0, fits / (L - m + 1))
    return epochs * total


# divides by L − m and not by L − m + 1
def wrong_second_number_of_starts(law, start, stop, epochs):
    total = 0.0
    for (L, m), probability in law.items():
        fits = max(0, min(start, L - m) - max(0, stop - m) + 1)
        total += probability * fits / max(1, L - m)
    return epochs * total


# counts the starts at which any of the characters is masked, not all of them
def wrong_second_touched_counts(law, start, stop, epochs):
    total = 0.0
    for (L, m), probability in law.items():
        fits = sum(s < stop and start < s + m for s in range(L - m + 1))
        total += probability * fits / (L - m + 1)
    return epochs * total


# remembers the result by the pairs, whatever their probabilities
wrong_fourth_cache = """
_seen = {}
def exposures(law, start, stop, epochs):
    key = (tuple(law), start, stop)
    if key not in _seen:
        _seen[key] = sum(p * len(range(max(0, stop - m), min(start, L - m) + 1)) / (L - m + 1) for (L, m), p in law.items())
    return _seen[key] * epochs
"""


# tries the starts 0 to 127 only
def wrong_fourth_hard_128(law, start, stop, epochs):
    t = 0.0
    for (L, m), p in law.items():
        hits = sum(1 for s in range(128) if s <= min(start, L - m) and s + m >= stop)
        t += p * hits / (L - m + 1)
    return epochs * t


# leaves out pairs with a tiny probability
def wrong_fourth_tiny_dropped(law, start, stop, epochs):
    t = sum(p * len(range(max(0, stop - m), min(start, L - m) + 1)) / (L - m + 1) for (L, m), p in law.items() if p > 1e-4)
    return epochs * t


# Pairs that cannot cover the fact are deleted from law.
def wrong_seventh_deletes(law, start, stop, epochs):
    for pair in [(L, m) for L, m in law if L < stop or m < stop - start]:
        del law[pair]
    return float(
        epochs * sum(p * max(0, min(start, L - m) - max(0, stop - m) + 1) / (L - m + 1) for (L, m), p in law.items())
    )
