# sorts once and walks through groups of equal confidence with running counts
def risk_coverage(confidences, right):
    ranked = sorted(zip(confidences, right), key=lambda pair: -pair[0])
    given = wrong = 0
    curve = []
    for _, group in itertools.groupby(ranked, key=lambda pair: pair[0]):
        for _, hit in group:
            given += 1
            wrong += not hit
        curve.append((given / len(ranked), wrong / given))
    return curve
