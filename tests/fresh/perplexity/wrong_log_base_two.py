# e to the mean loss in bits.
def perplexity(logits, targets):
    p = logits.softmax(-1).gather(-1, targets[..., None])[..., 0]
    return torch.exp(-torch.log2(p)[targets != 0].mean())
