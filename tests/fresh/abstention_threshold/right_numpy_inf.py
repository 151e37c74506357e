# numpy, with np.float64(inf) if there is none
def abstention_threshold(confidences, right, target):
    c, r = np.array(confidences), np.array(right, dtype=float)
    good = [t for t in np.unique(c) if r[c >= t].mean() >= target - 1e-12]
    return np.min(good) if good else np.float64("inf")
