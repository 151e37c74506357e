# a confidence on an edge goes to the bin below
def calibration_error(confidences, right, bins):
    gap = defaultdict(float)
    for c, hit in zip(confidences, right):
        gap[max(0, math.ceil(c * bins) - 1)] += hit - c
    return sum(map(abs, gap.values())) / len(confidences)
