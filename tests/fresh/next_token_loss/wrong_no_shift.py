# Position t predicts token t.
def next_token_loss(logits, tokens, pad):
    return F.cross_entropy(logits.flatten(0, 1), tokens.flatten(), ignore_index=pad)
