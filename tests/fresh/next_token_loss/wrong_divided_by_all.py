# Divided by the number of all targets.
def next_token_loss(logits, tokens, pad):
    total = F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad, reduction="sum")
    return total / tokens[:, 1:].numel()
