# answers with confidence exactly 1 are in no bin
def calibration_error(confidences, right, bins):
    c, hit = np.array(confidences, dtype=float), np.array(right, dtype=float)
    error = 0.0
    for k in range(bins):
        inside = (c >= k / bins) & (c < (k + 1) / bins)
        if inside.any():
            error += inside.mean() * abs(hit[inside].mean() - c[inside].mean())
    return float(error)
