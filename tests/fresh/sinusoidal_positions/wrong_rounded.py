# Rounds to two digits.
def sinusoidal_positions(T, d):
    angle = torch.arange(T)[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
    return (torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1) * 100).round() / 100
