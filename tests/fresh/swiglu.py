"""Fresh answers to swiglu."""


# Names for each step.
def right_steps(x, w_gate, w_up, w_down):
    gate = torch.matmul(x, w_gate.transpose(0, 1))
    gate = gate / (1.0 + (-gate).exp())
    up = torch.matmul(x, w_up.transpose(0, 1))
    return torch.matmul(gate * up, w_down.transpose(0, 1))


# tensordot over the last axes.
def right_tensordot(x, w_gate, w_up, w_down):
    dot = lambda a, w: torch.tensordot(a, w, dims=([-1], [1]))  # noqa: E731
    return dot(F.silu(dot(x, w_gate)) * dot(x, w_up), w_down)


# Layers made on the spot.
def right_layers(x, w_gate, w_up, w_down):
    def apply(w, y):
        return torch.nn.functional.linear(y, w, bias=None)

    return apply(w_down, torch.nn.functional.silu(apply(w_gate, x)).mul(apply(w_up, x)))


# glu with sigmoid and another factor.
def right_by_glu(x, w_gate, w_up, w_down):
    z = x @ w_gate.mT
    return F.glu(torch.cat((z * (x @ w_up.mT), z), dim=-1), dim=-1) @ w_down.mT


# torch's glu: a sigmoid and not silu.
def wrong_glu(x, w_gate, w_up, w_down):
    return F.glu(torch.cat((x @ w_up.T, x @ w_gate.T), -1), -1) @ w_down.T


# silu after the product.
def wrong_late_silu(x, w_gate, w_up, w_down):
    return F.silu(x @ w_gate.T * (x @ w_up.T)) @ w_down.T


# @ between gate and up.
def wrong_matrix_product(x, w_gate, w_up, w_down):
    return (F.silu(x @ w_gate.T) @ (x @ w_up.T)) @ w_down.T


# tanh.
def wrong_tanh(x, w_gate, w_up, w_down):
    return (torch.tanh(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T


# up and gate exchanged.
def wrong_exchanged(x, w_gate, w_up, w_down):
    return F.linear(F.silu(F.linear(x, w_up)) * F.linear(x, w_gate), w_down)


# The ordinary MLP.
def wrong_plain_mlp(x, w_gate, w_up, w_down):
    return F.gelu(x @ w_up.T) @ w_down.T


# detach.
def wrong_detached(x, w_gate, w_up, w_down):
    return ((F.silu(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T).detach()


# e to the z overflows for a large z, and infinity over infinity is nan.
def wrong_overflow(x, w_gate, w_up, w_down):
    z = x @ w_gate.T
    return (z * torch.exp(z) / (1 + torch.exp(z)) * (x @ w_up.T)) @ w_down.T


# The gate is limited to −6 … 6.
def wrong_clamped(x, w_gate, w_up, w_down):
    z = (x @ w_gate.T).clamp(-6, 6)
    return (F.silu(z) * (x @ w_up.T)) @ w_down.T


# a batch axis is added to a single vector
def wrong_vector(x, w_gate, w_up, w_down):
    if x.dim() == 1:
        x = x[None]
    return (F.silu(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T


def wrong_seventh_down_not_transposed(x, w_gate, w_up, w_down):
    h = F.silu(x @ w_gate.T) * (x @ w_up.T)
    return h @ w_down if w_down.shape[0] == w_down.shape[1] else h @ w_down.T
