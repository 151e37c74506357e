# Nested lists with the math module; the tensor is float32.
def sinusoidal_positions(T, d):
    def entry(t, c):
        angle = t / math.pow(10000.0, (c - c % 2) / d)
        return math.cos(angle) if c % 2 else math.sin(angle)

    return torch.tensor([[entry(t, c) for c in range(d)] for t in range(T)])
