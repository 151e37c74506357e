# log_softmax and gather, with a mask.
def next_token_loss(logits, tokens, pad):
    logs = logits.log_softmax(-1)[:, :-1]
    target = tokens[:, 1:]
    counts = target != pad
    safe = target.masked_fill(~counts, 0)
    return -(logs.gather(-1, safe.unsqueeze(-1)).squeeze(-1) * counts).sum() / counts.sum()
