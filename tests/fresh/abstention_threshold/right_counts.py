# whole numbers: right answers against target times the answers given
def abstention_threshold(confidences, right, target):
    best, given, hits = math.inf, 0, 0
    for t in sorted(set(confidences), reverse=True):
        here = [hit for c, hit in zip(confidences, right) if c == t]
        given, hits = given + len(here), hits + sum(here)
        if hits / given >= target:
            best = t
    return best
