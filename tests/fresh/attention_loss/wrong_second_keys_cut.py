# cuts the tokens before attention, so the first m attend to each other only
def attention_loss(X, Y, W_Q, W_K, W_V):
    X = X[:, : Y.shape[1]]
    A = torch.softmax((X @ W_Q) @ (X @ W_K).transpose(-2, -1), dim=-1)
    return ((A @ (X @ W_V) - Y) ** 2).sum(dim=-1).mean()
