# demands a share above the target, although the target itself is enough
def abstention_threshold(confidences, right, target):
    found = [
        t
        for t in confidences
        if np.mean([hit for c, hit in zip(confidences, right) if c >= t]) > target
    ]
    return min(found, default=math.inf)
