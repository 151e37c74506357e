# squares both sides and solves the quadratic equation with Vieta's rule
def interval95(correct, total):
    share, z = correct / total, 1.96
    # (share − p)² = z² p (1 − p) / n  →  a p² − 2 b p + c = 0
    a, b, c = 1 + z * z / total, share + z * z / (2 * total), share * share
    high = (b + math.sqrt(max(0.0, b * b - a * c))) / a
    low = c / (a * high)  # the product of both solutions is c / a
    return low, min(1.0, high)
