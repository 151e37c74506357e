# recursion from the lowest confidence upwards
def risk_coverage(confidences, right, N=None):
    if not confidences:
        return []
    N = N or len(confidences)
    lowest = min(confidences)
    here = (len(right) / N, 1 - sum(right) / len(right))
    rest = [(c, hit) for c, hit in zip(confidences, right) if c > lowest]
    return risk_coverage([c for c, _ in rest], [hit for _, hit in rest], N) + [here]
