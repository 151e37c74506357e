# sorts the given list in place after use
def risk_coverage(confidences, right):
    points = []
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        points.append((len(given) / len(right), given.count(False) / len(given)))
    confidences.sort(reverse=True)
    return points
