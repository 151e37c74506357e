# the risk is divided by all questions and not by the answers given
def risk_coverage(confidences, right):
    n = len(right)
    curve = []
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        curve.append((len(given) / n, given.count(False) / n))
    return curve
