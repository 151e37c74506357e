# Targets of full length: the last one is padding.
def next_token_loss(logits, tokens, pad):
    target = F.pad(tokens[:, 1:], (0, 1), value=pad)
    return F.nll_loss(F.log_softmax(logits, dim=-1).flatten(0, 1), target.flatten(), ignore_index=pad)
