# forgets the factor 4 under the root
def interval95(correct, total):
    p, z = correct / total, 1.96
    centre = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(p * (1 - p) / total + z * z / total**2)
    return max(0.0, centre - half), min(1.0, centre + half)
