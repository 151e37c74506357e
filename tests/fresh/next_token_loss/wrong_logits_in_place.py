# The maximum is subtracted from logits in place.
def next_token_loss(logits, tokens, pad):
    with torch.no_grad():
        logits -= logits.amax(dim=-1, keepdim=True)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad)
