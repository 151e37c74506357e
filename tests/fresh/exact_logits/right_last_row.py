# differences to the last row, inverse
def exact_logits(K, weights):
    D = K[:-1] - K[-1]
    return torch.linalg.inv(D) @ (weights[:-1].log() - weights[-1].log())
