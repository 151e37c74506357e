# divides by d/2 - 1, so that the last speed is exactly 1/10000
def sinusoidal_positions(T, d):
    half = d // 2
    table = torch.zeros(T, d)
    for t in range(T):
        for m in range(half):
            angle = t * 10000.0 ** (-m / max(1, half - 1))
            table[t, 2 * m], table[t, 2 * m + 1] = math.sin(angle), math.cos(angle)
    return table
