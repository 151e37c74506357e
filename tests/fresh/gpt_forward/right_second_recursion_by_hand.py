# recursion over the blocks, everything by hand, numbers of blocks sorted as integers
def gpt_forward(tokens, weights, n_head):
    """The logits (B, T, n_vocab) of a GPT with the weights of a checkpoint, for tokens (B, T)."""
    T = tokens.size(1)
    numbers = sorted({int(name.split(".")[1]) for name in weights.keys() if name.split(".")[0] == "blocks"})

    def norm(y, name):
        y = y - y.mean(dim=-1, keepdim=True)
        return y / (y.var(dim=-1, correction=0, keepdim=True) + 1e-5).sqrt() * weights[name + ".weight"] + weights[name + ".bias"]

    def linear(y, name):
        return torch.einsum("bti,oi->bto", y, weights[name + ".weight"]) + weights[name + ".bias"]

    def attend(y, name):
        q, k, v = (linear(y, name + part).unflatten(2, (n_head, -1)) for part in ("query", "key", "value"))
        scores = torch.einsum("bthc,bihc->bhti", q, k) * q.shape[-1] ** -0.5
        allowed = torch.arange(T, device=y.device)[:, None] >= torch.arange(T, device=y.device)
        shares = torch.softmax(torch.where(allowed, scores, -math.inf), dim=-1)
        return linear(torch.einsum("bhti,bihc->bthc", shares, v).flatten(2), name + "projection")

    def run(x, left):
        if not left:
            return x
        name = f"blocks.{left[0]}."
        x = x + attend(norm(x, name + "norm_1"), name + "attention.")
        h = linear(norm(x, name + "norm_2"), name + "mlp.0")
        return run(x + linear(h * torch.special.ndtr(h), name + "mlp.2"), left[1:])

    start = weights["token_embedding.weight"][tokens] + weights["position_embedding"][None, :T]
    return norm(run(start, numbers), "norm") @ weights["head.weight"].transpose(0, 1)
