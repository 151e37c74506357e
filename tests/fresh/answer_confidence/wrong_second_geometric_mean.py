# the mean log probability in place of the sum
def answer_confidence(logits, tokens):
    return float(torch.exp(-torch.nn.functional.cross_entropy(logits, tokens)))
