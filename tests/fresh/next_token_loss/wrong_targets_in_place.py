# Padding becomes −100 in tokens itself.
def next_token_loss(logits, tokens, pad):
    target = tokens[:, 1:]
    target[target == pad] = -100
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), target.flatten())
