# a causal mask
def attention_loss(X, Y, W_Q, W_K, W_V):
    S = (X @ W_Q) @ (X @ W_K).transpose(-2, -1)
    mask = torch.ones(X.shape[1], X.shape[1], dtype=torch.bool).tril()
    A = S.masked_fill(~mask, float("-inf")).softmax(-1)
    return ((A @ X @ W_V)[:, : Y.shape[1]] - Y).pow(2).sum(-1).mean()
