# sorts the points by risk
def risk_coverage(confidences, right):
    points = []
    for t in set(confidences):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        points.append((len(given) / len(right), given.count(False) / len(given)))
    return sorted(points, key=lambda point: (point[1], point[0]))
