# subtracts one maximum for all rows
def answer_confidence(logits, tokens):
    e = (logits - logits.max()).exp()
    return float((e[range(len(tokens)), tokens] / e.sum(1)).prod())
