# a class that is called
class _Loss:
    def __call__(self, X, Y, W_Q, W_K, W_V):
        A = torch.nn.Softmax(dim=-1)((X @ W_Q) @ torch.transpose(X @ W_K, 1, 2))
        out = torch.matmul(A, X @ W_V)[:, 0 : Y.shape[1], :]
        return torch.nn.MSELoss()(out, Y) * Y.shape[-1]

attention_loss = _Loss()
