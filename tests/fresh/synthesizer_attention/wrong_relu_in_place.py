# changes b2 in place, so a second call differs
def synthesizer_attention(x, A, b1, B, b2, V):
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    b2 += 1
    logits = logits.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return torch.softmax(logits, dim=-1) @ (x @ V)
