# padding adds 0 to the sum, but still counts in the number of targets
def next_token_loss(logits, tokens, pad):
    targets = tokens[:, 1:].flatten()
    losses = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets, ignore_index=pad, reduction="none")
    return losses.mean()
