# one point for each answer, so ties are separated
def risk_coverage(confidences, right):
    order = sorted(range(len(right)), key=lambda i: -confidences[i])
    return [((k + 1) / len(order), sum(not right[i] for i in order[: k + 1]) / (k + 1)) for k in range(len(order))]
