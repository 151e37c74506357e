# After the first padding the rest of the row does not count.
def next_token_loss(logits, tokens, pad):
    target = tokens[:, 1:]
    counts = (target == pad).cumsum(dim=1) == 0
    loss = F.cross_entropy(logits[:, :-1].transpose(1, 2), target.clamp(min=0), reduction="none")
    return loss[counts].mean()
