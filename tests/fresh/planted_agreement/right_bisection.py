# bisection on a in [0, 1]
def planted_agreement(hit, follow, k):
    def gap(a):
        return follow * a + (1 - follow) * (1 - a) / (k - 1) - hit

    if math.isclose(gap(0), gap(1), abs_tol=1e-12):
        raise ValueError("nothing to find")
    low, high = -10.0, 10.0
    for _ in range(200):
        middle = (low + high) / 2
        if (gap(middle) > 0) == (gap(high) > 0):
            high = middle
        else:
            low = middle
    return low
