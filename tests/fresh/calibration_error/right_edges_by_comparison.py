# for each bin the comparisons of the statement
def calibration_error(confidences, right, bins):
    total = 0
    for k in range(bins):
        inside = [i for i, c in enumerate(confidences) if k / bins <= c < (k + 1) / bins or (c == 1 and k == bins - 1)]
        if inside:
            claimed = np.mean([confidences[i] for i in inside])
            true = np.mean([right[i] for i in inside])
            total += len(inside) / len(confidences) * abs(true - claimed)
    return total
