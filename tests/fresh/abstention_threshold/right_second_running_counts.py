# from above with running counts; the last good threshold wins, groups of ties close first
def abstention_threshold(confidences, right, target):
    counts = defaultdict(lambda: [0, 0])
    for c, hit in zip(confidences, right):
        counts[c][0] += 1
        counts[c][1] += int(hit)
    best, given, good = math.inf, 0, 0
    for t in sorted(counts)[::-1]:
        given, good = given + counts[t][0], good + counts[t][1]
        if good / given >= target:
            best = t
    return best
