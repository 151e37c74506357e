# z²/4n in place of z²/4n²
def interval95(correct, total):
    z, p = 1.96, correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total))
    scale = 1 + z**2 / total
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)
