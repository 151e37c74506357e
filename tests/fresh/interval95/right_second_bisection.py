# no algebra: bisection on both sides of the measured share
def interval95(correct, total):
    share = correct / total

    def inside(p):
        return abs(share - p) <= 1.96 * math.sqrt(p * (1 - p) / total)

    def border(good, bad):
        if inside(bad):
            return bad
        for _ in range(200):
            middle = (good + bad) / 2
            good, bad = (middle, bad) if inside(middle) else (good, middle)
        return good

    return border(share, 0.0), border(share, 1.0)
