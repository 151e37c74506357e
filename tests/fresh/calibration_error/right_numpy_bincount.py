# bincount with weights
def calibration_error(confidences, right, bins):
    c, r = np.array(confidences, dtype=float), np.array(right, dtype=float)
    k = np.minimum((c * bins).astype(int), bins - 1)
    return np.abs(np.bincount(k, r - c, minlength=bins)).sum() / len(c)
