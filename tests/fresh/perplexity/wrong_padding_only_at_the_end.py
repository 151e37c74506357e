# Counts the real targets of a row and takes that many from its start.
def perplexity(logits, targets):
    log_p = logits.log_softmax(-1)
    losses = []
    for b in range(len(targets)):
        n = int((targets[b] != 0).sum())
        losses += [-log_p[b, t, targets[b, t]] for t in range(n)]
    return torch.stack(losses).mean().exp()
