# Filled column by column and transposed, so it is not contiguous.
def sinusoidal_positions(T, d):
    table = torch.zeros(d, T)
    t = torch.arange(T)
    for m in range(d // 2):
        w = 10000 ** (-2 * m / d)
        table[2 * m], table[2 * m + 1] = torch.sin(t * w), torch.cos(t * w)
    return table.T
