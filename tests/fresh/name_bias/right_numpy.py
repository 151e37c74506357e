# numpy arrays of strings
def name_bias(name_regions, guess_regions):
    n, g = np.array(name_regions), np.array(guess_regions)
    return np.mean(n == g) - sum(np.mean(n == r) * np.mean(g == r) for r in np.unique(n))
