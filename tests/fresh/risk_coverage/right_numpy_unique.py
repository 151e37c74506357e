# numpy arrays of comparisons; pairs are tuples of numpy floats
def risk_coverage(confidences, right):
    c, r = np.array(confidences), np.array(right, dtype=bool)
    return [(np.mean(c >= t), np.mean(~r[c >= t])) for t in np.unique(c)[::-1]]
