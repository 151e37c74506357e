# the targets of the whole rows, the last one filled with pad, and the sums of the rows added up
def next_token_loss(logits, tokens, pad):
    total, count = 0.0, 0
    for row, ids in zip(logits, tokens):
        targets = torch.cat((ids[1:], ids.new_full((1,), pad)))
        total = total + F.cross_entropy(row, targets, ignore_index=pad, reduction="sum")
        count += int((targets != pad).sum())
    return total / count
