# A softmax before cross_entropy.
def next_token_loss(logits, tokens, pad):
    p = torch.softmax(logits, dim=-1)
    return F.cross_entropy(p[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=pad)
