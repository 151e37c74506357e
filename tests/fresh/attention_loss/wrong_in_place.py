# subtracts from the caller's targets in place
def attention_loss(X, Y, W_Q, W_K, W_V):
    A = ((X @ W_Q) @ (X @ W_K).transpose(-2, -1)).softmax(-1)
    Y -= (A @ X @ W_V)[:, : Y.shape[1]]
    return Y.pow(2).sum(-1).mean()
