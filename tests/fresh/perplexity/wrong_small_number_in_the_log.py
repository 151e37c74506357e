# Adds 1e-8 inside the logarithm, which hides confident mistakes.
def perplexity(logits, targets):
    p = logits.softmax(-1).gather(-1, targets[..., None])[..., 0]
    return torch.exp(-torch.log(p + 1e-8)[targets != 0].mean())
