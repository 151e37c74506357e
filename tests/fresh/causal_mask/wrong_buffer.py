# A buffer of 256 positions.
MASK = torch.tril(torch.ones(256, 256)).bool()


def causal_mask(T):
    return MASK[:T, :T]
