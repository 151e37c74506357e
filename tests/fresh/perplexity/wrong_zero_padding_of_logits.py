# Multiplies the logits of padding by 0 and counts them with the loss ln V.
def perplexity(logits, targets):
    mask = (targets != 0).unsqueeze(-1)
    return F.cross_entropy((logits * mask).flatten(0, 1), targets.flatten()).exp()
