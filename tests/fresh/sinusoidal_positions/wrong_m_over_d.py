# The exponent is m/d, not 2m/d.
def sinusoidal_positions(T, d):
    angle = torch.arange(T)[:, None] * 10000 ** (-torch.arange(d // 2) / d)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)
