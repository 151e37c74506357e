# itertools.groupby over sorted pairs; pairs are lists
def risk_coverage(confidences, right):
    pairs = sorted(zip(confidences, right), key=lambda pair: -pair[0])
    points, given, wrong = [], 0, 0
    for _, group in itertools.groupby(pairs, key=lambda pair: pair[0]):
        for _, hit in group:
            given, wrong = given + 1, wrong + (not hit)
        points.append([given / len(pairs), wrong / given])
    return points
