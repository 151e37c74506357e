# changes the data of the targets, past autograd, and puts nothing back
def attention_loss(X, Y, W_Q, W_K, W_V):
    A = ((X @ W_Q) @ (X @ W_K).transpose(-2, -1)).softmax(-1)
    C = (A @ X @ W_V)[:, : Y.shape[1]]
    loss = (C - Y).pow(2).sum(-1).mean()
    Y.data.zero_()
    return loss
