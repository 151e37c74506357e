# bins with equally many answers
def calibration_error(confidences, right, bins):
    order = np.argsort(confidences, kind="stable")
    c, r = np.array(confidences, dtype=float)[order], np.array(right, dtype=float)[order]
    return sum(abs((r[part] - c[part]).sum()) for part in np.array_split(np.arange(len(c)), bins)) / len(c)
