# A running sum.
def sample_next(logits, temperature, u):
    if temperature == 0:
        return max(range(len(logits)), key=lambda i: float(logits[i]))
    total = 0.0
    for token, share in enumerate(torch.softmax(logits.double() / temperature, dim=0).tolist()):
        total += share
        if total > u:
            return token
    return len(logits) - 1
