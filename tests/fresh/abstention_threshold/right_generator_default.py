# min of a generator with a default
def abstention_threshold(confidences, right, target):
    def share(t):
        given = [hit for c, hit in zip(confidences, right) if c >= t]
        return sum(given) / len(given)

    return min((t for t in confidences if share(t) >= target), default=float("inf"))
