# Newton's method from outside
def interval95(correct, total):
    share, c = correct / total, 1.96**2 / total

    def root(p):
        for _ in range(200):
            value = (share - p) ** 2 - c * p * (1 - p)
            slope = -2 * (share - p) - c * (1 - 2 * p)
            p -= value / slope
        return p

    return max(0.0, root(0.0)), min(1.0, root(1.0))
