# All sines first, then all cosines.
def sinusoidal_positions(T, d):
    angle = torch.arange(T)[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
    return torch.cat((angle.sin(), angle.cos()), dim=1)
