# the first sentence only
def attention_loss(X, Y, W_Q, W_K, W_V):
    x, y = X[0], Y[0]
    A = ((x @ W_Q) @ (x @ W_K).T).softmax(-1)
    return ((A @ x @ W_V)[: len(y)] - y).pow(2).sum(-1).mean()
