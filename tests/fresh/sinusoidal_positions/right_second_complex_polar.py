# unit complex numbers; sine and cosine are their imaginary and real parts
def sinusoidal_positions(T, d):
    speed = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angle = torch.outer(torch.arange(T, dtype=torch.float64), speed)
    hands = torch.polar(torch.ones_like(angle), angle)  # (T, d/2)
    return torch.stack([hands.imag, hands.real], dim=2).reshape(T, d)
