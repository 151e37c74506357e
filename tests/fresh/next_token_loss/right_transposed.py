# cross_entropy with the classes on axis 1.
def next_token_loss(logits, tokens, pad):
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], ignore_index=pad)
