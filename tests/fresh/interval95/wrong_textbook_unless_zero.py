# Wilson at the ends, the textbook elsewhere
def interval95(correct, total):
    p, c = correct / total, 1.96**2
    if correct == 0:
        return 0.0, c / (total + c)
    if correct == total:
        return total / (total + c), 1.0
    half = 1.96 * math.sqrt(p * (1 - p) / total)
    return max(0.0, p - half), min(1.0, p + half)
