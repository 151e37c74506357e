# compares each name with the guesses of the other people only (n − 1 in the denominator)
def name_bias(name_regions, guess_regions):
    n = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / n
    pairs = [name_regions[i] == guess_regions[j] for i in range(n) for j in range(n) if i != j]
    return agree - sum(pairs) / max(1, len(pairs))
