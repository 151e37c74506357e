# Positions are counted from 1.
def sinusoidal_positions(T, d):
    angle = torch.arange(1, T + 1)[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)
