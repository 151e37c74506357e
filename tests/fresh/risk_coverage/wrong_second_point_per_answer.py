# one point for each answer, also where confidences are equal
def risk_coverage(confidences, right):
    order = sorted(range(len(right)), key=lambda i: confidences[i], reverse=True)
    curve, wrong = [], 0
    for given, i in enumerate(order, start=1):
        wrong += not right[i]
        curve.append((given / len(right), wrong / given))
    return curve
