# logsumexp minus the target's logit, on the chosen positions only.
def next_token_loss(logits, tokens, pad):
    b, t = torch.nonzero(tokens[:, 1:] != pad, as_tuple=True)
    chosen = logits[b, t]
    return (chosen.logsumexp(dim=1) - chosen[torch.arange(len(b)), tokens[b, t + 1]]).mean()
