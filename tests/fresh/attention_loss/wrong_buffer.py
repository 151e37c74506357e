# a buffer for eight tokens
def attention_loss(X, Y, W_Q, W_K, W_V):
    A = torch.zeros(X.shape[0], 8, 8, dtype=X.dtype)
    T = X.shape[1]
    A[:, :T, :T] = ((X @ W_Q) @ (X @ W_K).transpose(-2, -1)).softmax(-1)
    return ((A[:, :T, :T] @ X @ W_V)[:, : Y.shape[1]] - Y).pow(2).sum(-1).mean()
