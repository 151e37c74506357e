# ignores the argument bins
def calibration_error(confidences, right, bins):
    gap = defaultdict(float)
    for c, hit in zip(confidences, right):
        gap[min(int(c * 10), 9)] += hit - c
    return sum(map(abs, gap.values())) / len(confidences)
