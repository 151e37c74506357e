# Odd columns have a speed of their own.
def sinusoidal_positions(T, d):
    angle = torch.arange(T)[:, None] * 10000 ** (-torch.arange(d) / d)
    table = torch.empty(T, d)
    table[:, 0::2] = angle[:, 0::2].sin()
    table[:, 1::2] = angle[:, 1::2].cos()
    return table
