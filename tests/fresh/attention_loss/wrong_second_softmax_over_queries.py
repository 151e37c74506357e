# the softmax runs over the queries instead of the keys
def attention_loss(X, Y, W_Q, W_K, W_V):
    A = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=1)
    C = A @ (X @ W_V)
    return ((C[:, : Y.shape[1]] - Y) ** 2).sum(dim=-1).mean()
