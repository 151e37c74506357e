# Shifts the targets once more: position t is compared with the target of t + 1.
def perplexity(logits, targets):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), targets[:, 1:].flatten(), ignore_index=0).exp()
