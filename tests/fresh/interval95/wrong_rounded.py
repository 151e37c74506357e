# rounded to three places
def interval95(correct, total):
    z, p = 1.96, correct / total
    middle = p + z**2 / (2 * total)
    half = z * math.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    scale = 1 + z**2 / total
    return round((middle - half) / scale, 3), round((middle + half) / scale, 3)
