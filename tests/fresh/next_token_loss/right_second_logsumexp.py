# logsumexp minus the logit of the target, averaged over the selected places
def next_token_loss(logits, tokens, pad):
    guesses, targets = logits[:, :-1], tokens[:, 1:]
    keep = targets != pad
    guesses, targets = guesses[keep], targets[keep]
    picked = guesses[torch.arange(len(targets), device=targets.device), targets]
    return (torch.logsumexp(guesses, dim=-1) - picked).sum() / len(targets)
