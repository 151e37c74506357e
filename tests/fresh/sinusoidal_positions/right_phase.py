# A cosine is a sine that is a quarter turn ahead.
def sinusoidal_positions(T, d):
    column = torch.arange(d, dtype=torch.float64)
    speed = 10000 ** (-(column - column % 2) / d)
    return torch.sin(torch.arange(T).unsqueeze(1) * speed + (column % 2) * math.pi / 2)
