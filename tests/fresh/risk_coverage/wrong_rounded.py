# confidences rounded to two digits, so close ones are put together
def risk_coverage(confidences, right):
    confidences = [round(c, 2) for c in confidences]
    points = []
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        points.append((len(given) / len(right), given.count(False) / len(given)))
    return points
