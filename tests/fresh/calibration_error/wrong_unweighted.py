# the plain mean over the bins that are used
def calibration_error(confidences, right, bins):
    groups = defaultdict(list)
    for c, hit in zip(confidences, right):
        groups[min(int(c * bins), bins - 1)].append(hit - c)
    return sum(abs(sum(g) / len(g)) for g in groups.values()) / len(groups)
