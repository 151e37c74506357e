# takes the answers one by one, so a group of equal confidences can be cut in the middle
def abstention_threshold(confidences, right, target):
    best, good = math.inf, 0
    ranked = sorted(zip(confidences, right), reverse=True)  # among equal ones, right answers first
    for given, (c, hit) in enumerate(ranked, start=1):
        good += hit
        if good / given >= target:
            best = c
    return best
