# leaves out the closing mark
def answer_confidence(logits, tokens):
    p = logits.softmax(1)
    return float(torch.stack([p[t, k] for t, k in enumerate(tokens[:-1])]).prod()) if len(tokens) > 1 else 1.0
