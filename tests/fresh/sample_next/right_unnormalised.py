# u times the whole sum, instead of probabilities.
def sample_next(logits, temperature, u):
    if temperature == 0:
        return int(torch.argmax(logits))
    e = torch.exp((logits - logits.max()) / temperature).cumsum(0)
    return int(torch.nonzero(e > u * e[-1])[0])
