"""Fresh answers to rms_norm."""


# The root of the mean square by norm.
def right_by_norm(x, gain):
    rms2 = x.norm(dim=-1, keepdim=True) ** 2 / x.shape[-1]
    return gain * (x / (rms2 + 1e-5).sqrt())


# torch's module with the gain put in.
def right_by_module(x, gain):
    layer = torch.nn.RMSNorm(x.shape[-1], eps=1e-5, elementwise_affine=False)
    return layer(x) * gain


# The axis is added by hand.
def right_unsqueeze(x, gain):
    scale = 1 / torch.sqrt(torch.mean(x.pow(2), -1) + 1e-5)
    return x * scale.unsqueeze(-1) * gain


# As rows of a matrix.
def right_rows(x, gain):
    rows = x.reshape(-1, x.shape[-1])
    size = (rows * rows).sum(1) / rows.shape[1]
    rows = rows / (size + 1e-5).pow(0.5)[:, None]
    return (rows * gain[None]).reshape(x.shape)


# layer_norm without a shift.
def wrong_layer_norm(x, gain):
    return F.layer_norm(x, x.shape[-1:], gain)


# The mean of x, squared.
def wrong_square_of_mean(x, gain):
    return x / torch.sqrt(x.mean(-1, keepdim=True) ** 2 + 1e-5) * gain


# normalize gives length 1.
def wrong_normalize(x, gain):
    return F.normalize(x, dim=-1) * gain


# The last axis is dropped.
def wrong_no_keepdim(x, gain):
    return x / torch.sqrt((x * x).mean(-1) + 1e-5) * gain


# A default ε that is the dtype's.
def wrong_default_eps(x, gain):
    return F.rms_norm(x, x.shape[-1:], gain)


# The gain is under the root.
def wrong_gain_under_root(x, gain):
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) * gain + 1e-5)


# In place.
def wrong_in_place(x, gain):
    return x.div_(torch.sqrt((x**2).mean(-1, keepdim=True) + 1e-5)) * gain


# The largest entry in place of the root mean square.
def wrong_largest(x, gain):
    return x / (x.abs().amax(-1, keepdim=True) + 1e-5) * gain


# entries are limited to ±10,000
def wrong_fourth_clamped_x(x, gain):
    x = x.clamp(-1e4, 1e4)
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * gain


# the larger of ε and the mean of the squares
def wrong_fourth_max_eps(x, gain):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True).clamp(min=1e-5)) * gain


def wrong_seventh_gain_squared(x, gain):
    return x / ((x**2).mean(-1, keepdim=True) + 1e-5).sqrt() * gain.abs()


# keepdim is left out: for square tensors rows and columns are exchanged.
def wrong_seventh_no_keepdim(x, gain):
    root = torch.sqrt(x.square().mean(dim=-1) + 1e-5)
    return x / (root if x.ndim == 1 or root.shape[-1] == x.shape[-1] else root[..., None]) * gain
