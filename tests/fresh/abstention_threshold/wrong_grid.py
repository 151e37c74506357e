# tries thresholds on a grid of hundredths
def abstention_threshold(confidences, right, target):
    for t in np.linspace(0, 1, 101):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        if given and np.mean(given) >= target:
            return float(t)
    return math.inf
