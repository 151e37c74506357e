# Temperatures below 0.1 are greedy.
def sample_next(logits, temperature, u):
    if temperature < 0.1:
        return int(logits.argmax())
    return int((torch.softmax(logits / temperature, dim=-1).cumsum(-1) <= u).sum())
