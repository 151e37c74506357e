# tries the thresholds from below and returns at the first that is good enough
def abstention_threshold(confidences, right, target):
    def share(t):
        given = [bool(hit) for c, hit in zip(confidences, right) if c >= t]
        return sum(given) / len(given)

    for t in sorted(set(confidences)):
        if share(t) >= target:
            return t
    return math.inf
