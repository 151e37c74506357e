# A matrix that subtracts the mean.
def layer_norm(x, gain, shift):
    d = x.shape[-1]
    centre = torch.eye(d, dtype=x.dtype) - 1 / d
    y = x @ centre
    return torch.addcmul(shift, y / torch.sqrt(torch.einsum("btd,btd->bt", y, y)[..., None] / d + 1e-5), gain)
