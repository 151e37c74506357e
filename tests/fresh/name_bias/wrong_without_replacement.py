# leaves out each person's own guess
def name_bias(name_regions, guess_regions):
    N = len(name_regions)
    agree = sum(a == b for a, b in zip(name_regions, guess_regions)) / N
    others = sum(name_regions[i] == guess_regions[j] for i in range(N) for j in range(N) if i != j)
    return agree - others / (N * (N - 1)) if N > 1 else 0.0
