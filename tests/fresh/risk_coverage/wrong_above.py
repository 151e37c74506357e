# answers where the confidence is above t
def risk_coverage(confidences, right):
    points = []
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c > t]
        points.append((len(given) / len(right), given.count(False) / max(1, len(given))))
    return points
