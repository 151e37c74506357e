"""Fresh answers to gelu_mlp."""


# addmm on flattened tokens.
def right_addmm(x, w_1, b_1, w_2, b_2):
    rows = x.reshape(-1, x.shape[-1])
    return torch.addmm(b_2, torch.nn.GELU()(torch.addmm(b_1, rows, w_1)), w_2).reshape(x.shape)


# The complementary error function.
def right_erfc(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    return (0.5 * z * torch.erfc(-z / math.sqrt(2))) @ w_2 + b_2


# A sum over the hidden units.
def right_hidden_in_loops(x, w_1, b_1, w_2, b_2):
    out = b_2
    for i in range(len(b_1)):
        z = (x * w_1[:, i]).sum(-1, keepdim=True) + b_1[i]
        out = out + F.gelu(z) * w_2[i]
    return out


# Φ from torch.special, and F.linear.
def right_ndtr(x, w_1, b_1, w_2, b_2):
    z = F.linear(x, w_1.T, b_1)
    return F.linear(z * torch.special.ndtr(z), w_2.T, b_2)


# torch's normal distribution.
def right_normal(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    return z * torch.distributions.Normal(0.0, 1.0).cdf(z) @ w_2 + b_2


# erf of z / torch.sqrt(torch.tensor(2.0)), in float32.
def right_root_of_a_tensor(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    return (0.5 * z * (1.0 + torch.erf(z / torch.sqrt(torch.tensor(2.0))))) @ w_2 + b_2


# Two Linear modules, called with other weights.
def right_sequential(x, w_1, b_1, w_2, b_2):
    net = torch.nn.Sequential(torch.nn.Linear(*w_1.shape), torch.nn.GELU(), torch.nn.Linear(*w_2.shape))
    given = {"0.weight": w_1.T, "0.bias": b_1, "2.weight": w_2.T, "2.bias": b_2}
    return torch.func.functional_call(net, given, (x,))


# GELU by the complementary error function of the negative argument
def right_second_erfc(x, w_1, b_1, w_2, b_2):
    hidden = torch.einsum("btd,dn->btn", x, w_1) + b_1
    below = torch.erfc(-hidden / math.sqrt(2)) / 2
    return torch.einsum("btn,nd->btd", hidden * below, w_2) + b_2


# F.linear with transposed matrices, and the normal distribution function of torch
def right_second_linear_and_ndtr(x, w_1, b_1, w_2, b_2):
    z = F.linear(x, w_1.T, b_1)
    return F.linear(z * torch.special.ndtr(z), w_2.T, b_2)


# The product is added to b_1 in place.
def wrong_bias_in_place(x, w_1, b_1, w_2, b_2):
    b_1 *= 1.0
    b_2 -= b_2.mean() - b_2.mean()
    w_1 *= 2
    return F.gelu(x @ w_1 / 2 + b_1) @ w_2 + b_2


# GELU is replaced by z above 3 and by 0 below −3.
def wrong_clipped_gelu(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    g = torch.where(z > 3, z, torch.where(z < -3, torch.zeros_like(z), F.gelu(z)))
    return g @ w_2 + b_2


# Dropout, always on.
def wrong_dropout(x, w_1, b_1, w_2, b_2):
    return F.dropout(F.gelu(x @ w_1 + b_1) @ w_2 + b_2, 0.1)


# erf(z).
def wrong_erf_without_root(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    return (0.5 * z * (1 + torch.erf(z))) @ w_2 + b_2


# b_1 is added after GELU.
def wrong_first_bias_after(x, w_1, b_1, w_2, b_2):
    return (F.gelu(x @ w_1) + b_1) @ w_2 + b_2


# Fresh Linear layers that ignore the given weights.
def wrong_fresh_layers(x, w_1, b_1, w_2, b_2):
    first, second = torch.nn.Linear(*w_1.shape).to(x.dtype), torch.nn.Linear(*w_2.shape).to(x.dtype)
    return second(F.gelu(first(x)))


# GELU after both maps.
def wrong_gelu_at_the_end(x, w_1, b_1, w_2, b_2):
    return F.gelu((x @ w_1 + b_1) @ w_2 + b_2)


# F.linear with weights as they are.
def wrong_linear_untransposed(x, w_1, b_1, w_2, b_2):
    return F.linear(F.gelu(F.linear(x, w_1, b_1)), w_2, b_2)


# b_1 is missing.
def wrong_no_first_bias(x, w_1, b_1, w_2, b_2):
    return F.gelu(x @ w_1) @ w_2 + b_2


# x is added.
def wrong_residual(x, w_1, b_1, w_2, b_2):
    return x + F.gelu(x @ w_1 + b_1) @ w_2 + b_2


# The approximation with a sigmoid.
def wrong_sigmoid(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    return (z * torch.sigmoid(1.702 * z)) @ w_2 + b_2


# SiLU.
def wrong_silu(x, w_1, b_1, w_2, b_2):
    return F.silu(x @ w_1 + b_1) @ w_2 + b_2


# The approximation with tanh, written out.
def wrong_tanh(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    g = 0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))
    return g @ w_2 + b_2


# the first bias is added after the GELU
def wrong_second_bias_after_gelu(x, w_1, b_1, w_2, b_2):
    return (F.gelu(x @ w_1) + b_1) @ w_2 + b_2


# erf without the division by the root of 2
def wrong_second_root_two_missing(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    return (z * (1 + torch.erf(z)) / 2) @ w_2 + b_2


# the approximation with tanh instead of the exact GELU
def wrong_second_tanh(x, w_1, b_1, w_2, b_2):
    return F.gelu(x @ w_1 + b_1, approximate="tanh") @ w_2 + b_2


# the hidden width is 4 d, always
def wrong_four(x, w_1, b_1, w_2, b_2):
    n = 4 * x.shape[-1]
    return F.gelu(x @ w_1[:, :n] + b_1[:n]) @ w_2[:n] + b_2


# z is limited to 10
def wrong_limited(x, w_1, b_1, w_2, b_2):
    return F.gelu((x @ w_1 + b_1).clamp(-10, 10)) @ w_2 + b_2


# The hidden layer is cut at 1,000.
def wrong_fourth_cut(x, w_1, b_1, w_2, b_2):
    return F.gelu((x @ w_1 + b_1).clamp(max=1e3)) @ w_2 + b_2


# GELU is 0 below -5.
def wrong_fourth_zero_below(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    return torch.where(z < -5, torch.zeros_like(z), F.gelu(z)) @ w_2 + b_2
