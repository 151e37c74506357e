# the hit rate is a straight line in a: its value at 0 and at 1, then the inverse
def planted_agreement(hit, follow, k):
    all_true = follow
    none_true = (1 - follow) / (k - 1)
    if math.isclose(follow * k, 1, rel_tol=1e-9):
        raise ValueError("guesses that follow the name in 1/k of the cases say nothing")
    return (hit - none_true) / (all_true - none_true)
