# halving on both sides
def interval95(correct, total):
    share = correct / total

    def inside(p):
        return abs(share - p) <= 1.96 * math.sqrt(p * (1 - p) / total)

    def border(good, bad):
        for _ in range(100):
            middle = (good + bad) / 2
            good, bad = (middle, bad) if inside(middle) else (good, middle)
        return good

    return (border(share, 0.0), border(share, 1.0))
