# the highest threshold that reaches the target
def abstention_threshold(confidences, right, target):
    good = [t for t in confidences if np.mean([hit for c, hit in zip(confidences, right) if c >= t]) >= target]
    return max(good, default=math.inf)
