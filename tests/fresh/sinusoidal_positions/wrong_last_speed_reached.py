# The slowest hand has exactly 1/10000: the exponent divides by d/2 - 1.
def sinusoidal_positions(T, d):
    speed = torch.logspace(0, -4, d // 2)
    angle = torch.arange(T)[:, None] * speed
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)
