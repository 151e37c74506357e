# torch's own mask of 0 and minus infinity, compared with 0.
def causal_mask(T):
    return torch.nn.Transformer.generate_square_subsequent_mask(T) == 0
