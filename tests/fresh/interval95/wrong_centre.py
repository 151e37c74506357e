# the centre is not moved
def interval95(correct, total):
    z, p = 1.96, correct / total
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2)) / (1 + z**2 / total)
    return max(0.0, p - half), min(1.0, p + half)
