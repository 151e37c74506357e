# uses the column number in place of the pair number: each column has its own speed
def sinusoidal_positions(T, d):
    column = torch.arange(d, dtype=torch.float64)
    angle = torch.arange(T, dtype=torch.float64)[:, None] * 10000.0 ** (-column / d)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())
