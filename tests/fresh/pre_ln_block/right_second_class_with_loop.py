# a class that reads the dict, with a loop over the heads
class Block:
    def __init__(self, weights, n_head):
        self.weights, self.n_head = weights, n_head

    def linear(self, name, y):
        return torch.einsum("...i,oi->...o", y, self.weights[f"{name}.weight"]) + self.weights[f"{name}.bias"]

    def norm(self, name, y):
        centred = y - y.mean(-1, keepdim=True)
        scaled = centred / torch.sqrt((centred * centred).mean(-1, keepdim=True) + 1e-5)
        return scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def attention(self, y):
        q, k, v = (self.linear(f"attention.{n}", y).chunk(self.n_head, -1) for n in ("query", "key", "value"))
        blocked = torch.full((y.shape[1], y.shape[1]), -math.inf, dtype=y.dtype, device=y.device).triu(1)
        heads = []
        for q_j, k_j, v_j in zip(q, k, v):
            scores = q_j @ k_j.mT / math.sqrt(q_j.shape[-1]) + blocked
            heads.append(scores.softmax(-1) @ v_j)
        return self.linear("attention.projection", torch.cat(heads, -1))

    def __call__(self, x):
        x = x + self.attention(self.norm("norm_1", x))
        h = self.linear("mlp.0", self.norm("norm_2", x))
        h = h * (1 + torch.erf(h / math.sqrt(2))) / 2
        return x + self.linear("mlp.2", h)


def pre_ln_block(x, weights, n_head):
    """One pre-LN block with the weights of a checkpoint, by name: x (B, T, d) → (B, T, d)."""
    return Block(weights, n_head)(x)
