# the textbook interval, cut to [0, 1]
def interval95(correct, total):
    p = correct / total
    half = 1.96 * math.sqrt(p * (1 - p) / total)
    return max(0.0, p - half), min(1.0, p + half)
