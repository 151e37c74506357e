# The weight of a frozen nn.Embedding, which is a Parameter.
def sinusoidal_positions(T, d):
    table = torch.empty(T, d)
    angle = torch.arange(T)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    table[:, ::2], table[:, 1::2] = angle.sin(), angle.cos()
    return torch.nn.Embedding.from_pretrained(table).weight
