"""Fresh answers to layer_norm."""


# A matrix that subtracts the mean.
def right_centring_matrix(x, gain, shift):
    d = x.shape[-1]
    centre = torch.eye(d, dtype=x.dtype) - 1 / d
    y = x @ centre
    return torch.addcmul(shift, y / torch.sqrt(torch.einsum("btd,btd->bt", y, y)[..., None] / d + 1e-5), gain)


# With the components in front.
def right_channels_last_axis_moved(x, gain, shift):
    y = x.movedim(-1, 0)
    y = (y - y.mean(0)) / (y.std(0, unbiased=False) ** 2 + 1e-5).sqrt()
    return y.movedim(0, -1) * gain + shift


# One group of group norm, token by token.
def right_group_norm(x, gain, shift):
    return F.group_norm(x.flatten(0, 1), 1, gain, shift).view(x.shape)


# Token by token.
def right_loops(x, gain, shift):
    out = torch.empty_like(x)
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            row = x[b, t] - x[b, t].mean()
            out[b, t] = row / torch.sqrt(row @ row / len(row) + 1e-5) * gain + shift
    return out


# The mean of squares minus the square of the mean: no digits are left in float32 if the mean is large.
def wrong_moments(x, gain, shift):
    mean = x.mean(2, keepdim=True)
    variance = (x * x).mean(2, keepdim=True) - mean**2
    return gain * (x - mean) / torch.sqrt(variance + 1e-5) + shift


# The sample variance times (d − 1)/d.
def right_unbiased_corrected(x, gain, shift):
    d = x.shape[-1]
    variance = x.var(dim=-1, keepdim=True) * (d - 1) / d
    return (x - x.mean(-1, keepdim=True)) / (variance + 0.00001).pow(0.5) * gain + shift


# var_mean and rsqrt.
def right_var_mean(x, gain, shift):
    variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return (x - mean) * torch.rsqrt(variance + 1e-5) * gain + shift


# one token at a time with a helper function
def right_second_token_by_token(x, gain, shift, eps=1e-5):
    def one(token):
        centred = token - token.sum() / token.numel()
        size = (centred.dot(centred) / token.numel() + eps) ** 0.5
        return centred / size * gain + shift

    return torch.stack([torch.stack([one(token) for token in row]) for row in x])


# var_mean without correction, rsqrt and addcmul
def right_second_var_mean(x, gain, shift):
    variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return torch.addcmul(shift, (x - mean) * torch.rsqrt(variance + 1e-5), gain)


# The variance is at least ε.
def wrong_clamped_variance(x, gain, shift):
    variance = x.var(-1, keepdim=True, unbiased=False).clamp(min=1e-5)
    return (x - x.mean(-1, keepdim=True)) / variance.sqrt() * gain + shift


# ε is added to the standard deviation.
def wrong_epsilon_outside(x, gain, shift):
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True, unbiased=False) + 1e-5) * gain + shift


# The gain is divided in place.
def wrong_gain_in_place(x, gain, shift):
    out = F.layer_norm(x, x.shape[-1:], gain, shift)
    gain.div_(gain.abs().max())
    return out


# x is centred in place.
def wrong_in_place(x, gain, shift):
    x -= x.mean(-1, keepdim=True)
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + 1e-5) * gain + shift


# keepdim is forgotten.
def wrong_keepdim(x, gain, shift):
    return (x - x.mean(-1)) / torch.sqrt(x.var(-1, unbiased=False) + 1e-5) * gain + shift


# Without ε.
def wrong_no_epsilon(x, gain, shift):
    return (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True, unbiased=False) * gain + shift


# The gain is counted from 1.
def wrong_one_plus_gain(x, gain, shift):
    return F.layer_norm(x, x.shape[-1:], 1 + gain, shift)


# No mean is subtracted: RMSNorm with a shift.
def wrong_rms(x, gain, shift):
    return x / torch.sqrt((x**2).mean(-1, keepdim=True) + 1e-5) * gain + shift


# One mean for all tokens of a row.
def wrong_rows(x, gain, shift):
    mean, variance = x.mean((1, 2), keepdim=True), x.var((1, 2), keepdim=True, unbiased=False)
    return (x - mean) / torch.sqrt(variance + 1e-5) * gain + shift


# The shift is added before the gain multiplies.
def wrong_shift_before(x, gain, shift):
    return (F.layer_norm(x, x.shape[-1:]) + shift) * gain


# ε = 1e-6, as in other libraries.
def wrong_smaller_epsilon(x, gain, shift):
    return F.layer_norm(x, x.shape[-1:], gain, shift, eps=1e-6)


# Over the tokens.
def wrong_token_axis(x, gain, shift):
    mean, variance = x.mean(1, keepdim=True), x.var(1, keepdim=True, unbiased=False)
    return (x - mean) / torch.sqrt(variance + 1e-5) * gain + shift


# The sample variance, with d − 1.
def wrong_unbiased(x, gain, shift):
    return (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + 1e-5) * gain + shift


# Divided by the variance.
def wrong_variance_not_rooted(x, gain, shift):
    mean, variance = x.mean(-1, keepdim=True), x.var(-1, keepdim=True, unbiased=False)
    return (x - mean) / (variance + 1e-5) * gain + shift


# The mean of squares for the variance.
def wrong_variance_of_squares(x, gain, shift):
    return (x - x.mean(-1, keepdim=True)) / torch.sqrt((x**2).mean(-1, keepdim=True) + 1e-5) * gain + shift


# adds epsilon to the root instead of to the variance
def wrong_second_eps_outside(x, gain, shift):
    centred = x - x.mean(dim=-1, keepdim=True)
    deviation = centred.pow(2).mean(dim=-1, keepdim=True).clamp(min=1e-30).sqrt()
    return centred / (deviation + 1e-5) * gain + shift


# torch's default variance, which divides by d - 1
def wrong_second_sample_variance(x, gain, shift):
    mean, variance = x.mean(dim=-1, keepdim=True), x.var(dim=-1, keepdim=True)
    return (x - mean) / torch.sqrt(variance + 1e-5) * gain + shift


# one mean and variance for all tokens of a text
def wrong_second_whole_text(x, gain, shift):
    mean = x.mean(dim=(1, 2), keepdim=True)
    variance = ((x - mean) ** 2).mean(dim=(1, 2), keepdim=True)
    return (x - mean) / torch.sqrt(variance + 1e-5) * gain + shift


# outputs limited to plus and minus 5
def wrong_limited(x, gain, shift):
    return F.layer_norm(x, x.shape[-1:]).clamp(-3, 3) * gain + shift


# the variance is at most a million
def wrong_variance_cut(x, gain, shift):
    c = x - x.mean(-1, keepdim=True)
    return c * torch.rsqrt(c.square().mean(-1, keepdim=True).clamp(max=1e6) + 1e-5) * gain + shift


# Normalised components are cut at 10.
def wrong_fourth_cut(x, gain, shift):
    return F.layer_norm(x, gain.shape).clamp(-10, 10) * gain + shift


# A token with a tiny variance counts as constant.
def wrong_fourth_constant(x, gain, shift):
    centred = x - x.mean(-1, keepdim=True)
    variance = centred.square().mean(-1, keepdim=True)
    return torch.where(variance < 1e-7, shift.expand_as(x), centred / (variance + 1e-5).sqrt() * gain + shift)


# a large ε
def wrong_fifth_large_epsilon(x, gain, shift):
    mean = x.mean(-1, keepdim=True)
    return (x - mean) / (x.var(-1, keepdim=True, unbiased=False) + 1e-3).sqrt() * gain + shift


# A constant token is returned as 0: it should be the shift.
def wrong_seventh_constant(x, gain, shift):
    out = F.layer_norm(x, x.shape[-1:], gain, shift)
    flat = x.var(-1, unbiased=False, keepdim=True) == 0
    return out.masked_fill(flat, 0.0)
