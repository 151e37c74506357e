# Cut out of a larger mask: strides of the larger one.
def causal_mask(T):
    return torch.ones(2 * T, 2 * T, dtype=torch.bool).tril()[T:, T:]
