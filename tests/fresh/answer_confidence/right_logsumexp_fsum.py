# math.fsum of differences
def answer_confidence(logits, tokens):
    total = torch.logsumexp(logits, dim=1)
    return math.exp(math.fsum((logits[t, k] - total[t]).item() for t, k in enumerate(tokens.tolist())))
