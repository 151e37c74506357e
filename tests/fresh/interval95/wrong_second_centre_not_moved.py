# the half-width of Wilson, but around the measured share
def interval95(correct, total):
    p, z = correct / total, 1.96
    half = z / (1 + z * z / total) * math.sqrt(p * (1 - p) / total + z * z / (4 * total**2))
    return max(0.0, p - half), min(1.0, p + half)
