# goes up from the lowest confidence and stops at the first that reaches the target
def abstention_threshold(confidences, right, target):
    for t in sorted(confidences):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        if np.mean(given) >= target:
            return t
    return np.inf
