# loops over sentences and tokens
def attention_loss(X, Y, W_Q, W_K, W_V):
    N, m, _ = Y.shape
    total = 0
    for n in range(N):
        for t in range(m):
            w = torch.exp(X[n] @ W_K @ (W_Q.T @ X[n, t]))
            c = (w / w.sum()) @ X[n] @ W_V
            total = total + torch.dot(c - Y[n, t], c - Y[n, t])
    return total / (N * m)
