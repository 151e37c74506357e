# Counters, in float32 at the end
def name_bias(name_regions, guess_regions):
    N, names, said = len(name_regions), Counter(name_regions), Counter(guess_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    return np.float32(agree - sum(names[r] * said[r] for r in names) / N**2)
