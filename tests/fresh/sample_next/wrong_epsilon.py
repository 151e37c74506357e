# A small number is added to the temperature.
def sample_next(logits, temperature, u):
    sums = torch.softmax(logits / (temperature + 1e-2), dim=-1).cumsum(-1)
    return int((sums <= u).sum())
