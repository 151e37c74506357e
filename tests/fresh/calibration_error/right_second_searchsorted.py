# bin numbers from the inner edges with numpy, one bincount of the gaps
def calibration_error(confidences, right, bins):
    c, hit = np.array(confidences, dtype=float), np.array(right, dtype=float)
    inner = np.array([k / bins for k in range(1, bins)])
    which = np.searchsorted(inner, c, side="right")  # 1 is beyond all inner edges: the last bin
    gaps = np.bincount(which, weights=hit - c, minlength=bins)
    return float(np.abs(gaps).sum() / c.size)
