# Label smoothing.
def next_token_loss(logits, tokens, pad):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad, label_smoothing=0.1)
