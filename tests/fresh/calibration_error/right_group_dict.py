# a defaultdict of sums of differences
def calibration_error(confidences, right, bins):
    gap = defaultdict(float)
    for c, hit in zip(confidences, right):
        gap[bins - 1 if c == 1 else int(c * bins)] += hit - c
    return sum(map(abs, gap.values())) / len(confidences)
