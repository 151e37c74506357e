# the share of right answers instead of wrong ones
def risk_coverage(confidences, right):
    points = []
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        points.append((len(given) / len(right), sum(given) / len(given)))
    return points
