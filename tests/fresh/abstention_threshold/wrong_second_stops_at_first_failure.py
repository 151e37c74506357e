# goes down from the top and stops when the share falls below the target once
def abstention_threshold(confidences, right, target):
    best = math.inf
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        if sum(given) / len(given) < target:
            break
        best = t
    return best
