# from the lowest confidence to the highest
def risk_coverage(confidences, right):
    points = []
    for t in sorted(set(confidences)):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        points.append((len(given) / len(right), given.count(False) / len(given)))
    return points
