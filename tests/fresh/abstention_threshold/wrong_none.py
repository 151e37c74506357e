# returns None if there is no threshold
def abstention_threshold(confidences, right, target):
    good = [t for t in confidences if np.mean([hit for c, hit in zip(confidences, right) if c >= t]) >= target]
    return min(good) if good else None
