# The mean of e to the loss, not e to the mean loss.
def perplexity(logits, targets):
    loss = F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")
    return loss.exp()[targets != 0].mean()
