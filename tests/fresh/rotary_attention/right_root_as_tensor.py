# Divides by torch.sqrt(torch.tensor(d)), a float32 number.
def rotary_attention(q, k, v):
    T, d = q.shape[-2:]

    def turn(x):
        phi = torch.arange(T)[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
        c, s = phi.cos().to(x), phi.sin().to(x)
        a, b = x[..., 0::2], x[..., 1::2]
        return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)

    scores = turn(q) @ turn(k).mT / torch.sqrt(torch.tensor(d))
    mask = torch.full((T, T), float("-inf"), device=q.device).triu(1)
    return torch.softmax(scores + mask, dim=-1) @ v
