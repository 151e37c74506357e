# The softmax runs over the positions.
def perplexity(logits, targets):
    log_p = torch.log_softmax(logits, dim=1)
    return torch.exp(-log_p.gather(-1, targets[..., None])[..., 0][targets != 0].mean())
