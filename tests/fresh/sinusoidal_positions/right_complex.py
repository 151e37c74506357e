# The clock hands as complex numbers: view_as_real gives cosine and sine, which change places.
def sinusoidal_positions(T, d):
    speeds = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    hands = torch.exp(1j * torch.outer(torch.arange(T).double(), speeds))
    return torch.view_as_real(hands).flip(-1).flatten(1)
