# first and last start that fit, as numpy arrays over the whole law
def exposures(law, start, stop, epochs):
    L, m = np.array(list(law), dtype=int).T
    p = np.array(list(law.values()), dtype=float)
    first = np.clip(stop - m, 0, None)
    last = np.minimum(start, L - m)
    fits = np.clip(last - first + 1, 0, None)
    return float(epochs * np.sum(p * fits / (L - m + 1)))
