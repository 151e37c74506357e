# a confidence on an edge falls into the lower bin, as in (low, high]
def calibration_error(confidences, right, bins):
    error = 0.0
    for k in range(bins):
        inside = [i for i, c in enumerate(confidences) if k / bins < c <= (k + 1) / bins or (c == 0 and k == 0)]
        if inside:
            error += abs(sum(right[i] - confidences[i] for i in inside))
    return error / len(confidences)
