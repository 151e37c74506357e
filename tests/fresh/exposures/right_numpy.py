# numpy arrays, and a numpy float
def exposures(law, start, stop, epochs):
    L, m = np.array(list(law)).T
    p = np.array(list(law.values()))
    good = np.clip(np.minimum(start, L - m) - np.maximum(0, stop - m) + 1, 0, None)
    return epochs * np.sum(p * good / (L - m + 1))
