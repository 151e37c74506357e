# sorts the list that it is given, and pairs are lost
def calibration_error(confidences, right, bins):
    gap = defaultdict(float)
    for c, hit in zip(confidences, right):
        gap[min(int(c * bins), bins - 1)] += hit - c
    confidences.sort()
    return sum(map(abs, gap.values())) / len(confidences)
