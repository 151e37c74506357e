# the rule of two more successes and two more failures
def interval95(correct, total):
    n = total + 1.96**2
    p = (correct + 1.96**2 / 2) / n
    half = 1.96 * math.sqrt(p * (1 - p) / n)
    return max(0.0, p - half), min(1.0, p + half)
