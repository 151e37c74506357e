# wrong answers as a share of all questions
def risk_coverage(confidences, right):
    points = []
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        points.append((len(given) / len(right), given.count(False) / len(right)))
    return points
