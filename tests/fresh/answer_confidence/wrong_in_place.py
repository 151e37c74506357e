# right number, but logits are changed
def answer_confidence(logits, tokens):
    logits -= logits.logsumexp(dim=1, keepdim=True)
    return float(logits[range(len(tokens)), tokens].sum().exp())
