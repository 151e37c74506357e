# Positions in bfloat16: above 256 they are rounded.
def sinusoidal_positions(T, d):
    t = torch.arange(T).to(torch.bfloat16).float()
    angle = t[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)
