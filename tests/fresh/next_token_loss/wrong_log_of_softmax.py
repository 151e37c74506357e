# The logarithm of a softmax.
def next_token_loss(logits, tokens, pad):
    p = torch.softmax(logits, dim=-1)[:, :-1]
    target = tokens[:, 1:]
    counts = target != pad
    chosen = p.gather(-1, target.masked_fill(~counts, 0)[..., None])[..., 0]
    return -torch.log(chosen + 1e-9)[counts].mean()
