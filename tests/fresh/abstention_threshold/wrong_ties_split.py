# walks answer by answer, so it can stop inside a group of equal confidences
def abstention_threshold(confidences, right, target):
    best, hits = math.inf, 0
    for k, (c, hit) in enumerate(sorted(zip(confidences, right), reverse=True), 1):
        hits += hit
        if hits / k >= target:
            best = c
    return best
