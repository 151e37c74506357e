# The maximum is subtracted by hand.
def next_token_loss(logits, tokens, pad):
    z, y = logits[:, :-1], tokens[:, 1:]
    z = z - z.max(dim=-1, keepdim=True).values
    hit = y[..., None] == torch.arange(z.shape[-1])
    loss = z.exp().sum(-1).log() - torch.where(hit, z, 0.0).sum(-1)
    return loss[y != pad].mean()
