# all sines first and then all cosines, not alternating
def sinusoidal_positions(T, d):
    speed = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angle = torch.arange(T, dtype=torch.float64)[:, None] * speed
    return torch.cat([angle.sin(), angle.cos()], dim=1)
