# counts the answers above t only
def abstention_threshold(confidences, right, target):
    good = []
    for t in confidences:
        given = [hit for c, hit in zip(confidences, right) if c > t]
        if given and np.mean(given) >= target:
            good.append(t)
    return min(good, default=math.inf)
