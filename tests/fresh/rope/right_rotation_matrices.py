# A rotation matrix of size (2, 2) for each position and pair, applied by einsum.
def rope(x, theta=10000.0):
    *_, T, d = x.shape
    phi = torch.arange(T)[:, None] * theta ** (-2 * torch.arange(d // 2) / d)
    R = torch.stack((phi.cos(), -phi.sin(), phi.sin(), phi.cos()), dim=-1).unflatten(-1, (2, 2)).to(x)
    return torch.einsum("tmij,...tmj->...tmi", R, x.unflatten(-1, (-1, 2))).flatten(-2)
