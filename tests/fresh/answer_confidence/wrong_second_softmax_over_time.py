# the softmax is over the characters of the answer and not over the vocabulary
def answer_confidence(logits, tokens):
    p = logits.softmax(dim=0)
    return float(p[torch.arange(len(tokens)), tokens].prod())
