# the mean over characters of the log-probabilities
def answer_confidence(logits, tokens):
    return math.exp(-torch.nn.functional.cross_entropy(logits, tokens).item())
