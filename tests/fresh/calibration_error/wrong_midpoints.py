# the middle of the bin in place of the mean confidence
def calibration_error(confidences, right, bins):
    groups = defaultdict(list)
    for c, hit in zip(confidences, right):
        groups[min(int(c * bins), bins - 1)].append(hit)
    return sum(abs(sum(g) - len(g) * (k + 0.5) / bins) for k, g in groups.items()) / len(confidences)
