# skips a confidence of 0 as if it were missing
def risk_coverage(confidences, right):
    points = []
    for t in sorted({c for c in confidences if c}, reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        points.append((len(given) / len(right), given.count(False) / len(given)))
    return points
