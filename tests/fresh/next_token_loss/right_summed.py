# A sum, divided by the number of targets.
def next_token_loss(logits, tokens, pad):
    target = tokens[:, 1:].reshape(-1)
    total = F.cross_entropy(logits[:, :-1].reshape(len(target), -1), target, ignore_index=pad, reduction="sum")
    return total / (target != pad).sum()
