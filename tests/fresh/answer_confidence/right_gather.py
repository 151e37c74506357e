# gather and a product, as a zero-dimensional tensor
def answer_confidence(logits, tokens):
    return logits.softmax(-1).gather(1, tokens[:, None]).prod()
