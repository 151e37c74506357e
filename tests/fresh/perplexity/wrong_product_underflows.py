# The root of a product of probabilities: it is 0 for a long text.
def perplexity(logits, targets):
    p = logits.softmax(-1).gather(-1, targets[..., None])[..., 0]
    p = p[targets != 0]
    return torch.prod(p) ** (-1 / len(p))
