# softmax over the characters of the answer
def answer_confidence(logits, tokens):
    return float(logits.softmax(0)[range(len(tokens)), tokens].prod())
