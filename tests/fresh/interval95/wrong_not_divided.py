# the division by 1 + z²/n is missing
def interval95(correct, total):
    z, p = 1.96, correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    return max(0.0, middle - half), min(1.0, middle + half)
