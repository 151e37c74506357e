# Exponentials times a lower triangle, divided by their sum; heads and batch in one axis.
def rotary_attention(q, k, v):
    N, h, T, d = q.shape
    phi = torch.arange(T, device=q.device)[:, None] * 10000.0 ** (-torch.arange(0, d, 2, device=q.device) / d)
    c, s = phi.cos().to(q.dtype), phi.sin().to(q.dtype)

    def turn(x):
        x = x.reshape(N * h, T, d // 2, 2)
        return torch.stack((x[..., 0] * c - x[..., 1] * s, x[..., 0] * s + x[..., 1] * c), -1).reshape(N * h, T, d)

    scores = torch.bmm(turn(q), turn(k).transpose(1, 2)) / d**0.5
    e = torch.exp(scores - scores.amax(-1, keepdim=True)).tril()
    return torch.bmm(e / e.sum(-1, keepdim=True), v.reshape(N * h, T, d)).reshape(N, h, T, d)
