# answers only strictly above the threshold; no answer counts as no risk
def risk_coverage(confidences, right):
    n = len(right)
    curve = []
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c > t]
        curve.append((len(given) / n, sum(not hit for hit in given) / len(given) if given else 0.0))
    return curve
