# The loss is computed in float32.
def perplexity(logits, targets):
    loss = F.cross_entropy(logits.float().reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=0, reduction="mean")
    return torch.exp(loss)
