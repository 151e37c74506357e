# copied from the example: the diagonal
def answer_confidence(logits, tokens):
    return float(logits.softmax(dim=1).diagonal().prod())
