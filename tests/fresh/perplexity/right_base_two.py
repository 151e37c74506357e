# Two to the mean loss in bits, which is the same number.
def perplexity(logits, targets):
    bits = -torch.log_softmax(logits, -1) / math.log(2)
    real = targets > 0
    chosen = torch.gather(bits, 2, targets.unsqueeze(2)).squeeze(2)
    return 2 ** ((chosen * real).sum() / real.sum())
