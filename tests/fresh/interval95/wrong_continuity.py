# with a correction for continuity
def interval95(correct, total):
    z, n, p = 1.96, total, correct / total
    low = (2 * n * p + z * z - 1 - z * math.sqrt(max(0, z * z - 2 - 1 / n + 4 * p * (n * (1 - p) + 1)))) / (2 * (n + z * z))
    high = (2 * n * p + z * z + 1 + z * math.sqrt(max(0, z * z + 2 - 1 / n + 4 * p * (n * (1 - p) - 1)))) / (2 * (n + z * z))
    return max(0.0, low), min(1.0, high)
