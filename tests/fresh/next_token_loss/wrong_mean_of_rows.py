# The mean of the rows' means.
def next_token_loss(logits, tokens, pad):
    rows = [F.cross_entropy(l[:-1], n[1:], ignore_index=pad) for l, n in zip(logits, tokens)]
    return torch.stack(rows).mean()
