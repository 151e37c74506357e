# a grid of thousandths
def interval95(correct, total):
    grid = [i / 1000 for i in range(1001)]
    inside = [p for p in grid if abs(correct / total - p) <= 1.96 * math.sqrt(p * (1 - p) / total)]
    return inside[0], inside[-1]
