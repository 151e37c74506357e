# Rounds the loss to three digits.
def perplexity(logits, targets):
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)
    return math.exp(round(loss.item(), 3))
