# exponentials without subtracting the largest logit
def answer_confidence(logits, tokens):
    e = logits.float().exp()
    return float((e[range(len(tokens)), tokens] / e.sum(1)).prod())
