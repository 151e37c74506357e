# The x*cos + rotated*sin form, with every cosine twice.
def rotate_every_two(x):
    return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)


def rope(x, theta=10000.0):
    freq = 1.0 / theta ** (torch.arange(0, x.size(-1), 2, device=x.device).float() / x.size(-1))
    phi = torch.arange(x.size(-2), device=x.device).float()[:, None] * freq
    cos, sin = (f(phi).repeat_interleave(2, dim=-1).to(x) for f in (torch.cos, torch.sin))
    return x * cos + rotate_every_two(x) * sin
