# 1.645, the one-sided number
def interval95(correct, total):
    z, p = 1.645, correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    return (middle - half) / (1 + z**2 / total), (middle + half) / (1 + z**2 / total)
