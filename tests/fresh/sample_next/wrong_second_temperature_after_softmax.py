# divides the probabilities by the temperature instead of the logits
def sample_next(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    sums = (torch.softmax(logits, dim=-1) / temperature).cumsum(dim=-1)
    return min(int((sums <= u).sum()), len(logits) - 1)
