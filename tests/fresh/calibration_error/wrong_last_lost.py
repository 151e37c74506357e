# a confidence of 1 is in no bin
def calibration_error(confidences, right, bins):
    total = 0
    for k in range(bins):
        inside = [i for i, c in enumerate(confidences) if k / bins <= c < (k + 1) / bins]
        total += abs(sum(right[i] - confidences[i] for i in inside)) / len(confidences)
    return total
