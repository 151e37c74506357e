# the largest probability of each row, whatever was written
def answer_confidence(logits, tokens):
    return float(logits.softmax(dim=1).max(dim=1).values.prod())
