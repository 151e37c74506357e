# the exponential of minus the summed cross-entropy
def answer_confidence(logits, tokens):
    return math.exp(-torch.nn.functional.cross_entropy(logits, tokens, reduction="sum").item())
