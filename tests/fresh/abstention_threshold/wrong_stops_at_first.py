# stops at the first threshold that misses the target
def abstention_threshold(confidences, right, target):
    best = math.inf
    for t in sorted(set(confidences), reverse=True):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        if sum(given) / len(given) < target:
            break
        best = t
    return best
