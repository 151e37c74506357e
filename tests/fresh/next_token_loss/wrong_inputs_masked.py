# Predictions made at padding do not count, those of padding do.
def next_token_loss(logits, tokens, pad):
    loss = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
    return loss[tokens[:, :-1] != pad].mean()
