# leaves out the last character, the ⁇ that ends the answer
def answer_confidence(logits, tokens):
    p = torch.softmax(logits, dim=-1)
    result = 1.0
    for t in range(len(tokens) - 1):
        result *= float(p[t, tokens[t]])
    return result
