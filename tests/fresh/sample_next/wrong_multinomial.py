# torch draws; u is not used.
def sample_next(logits, temperature, u):
    if temperature == 0:
        return int(logits.argmax())
    return int(torch.multinomial(torch.softmax(logits / temperature, dim=-1), 1))
