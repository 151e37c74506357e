# the weights are computed without gradients
def synthesizer_attention(x, A, b1, B, b2, V):
    T = x.shape[1]
    with torch.no_grad():
        logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
        weights = logits.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf).softmax(-1)
    return weights @ (x @ V)
