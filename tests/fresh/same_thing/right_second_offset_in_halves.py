# width d_k + 2: two components of 1/2 that both meet b2
def same_thing(x, A, b1, B, b2):
    N, T, _ = x.shape
    hidden = torch.maximum(torch.einsum("ntd,dk->ntk", x, A) + b1, torch.zeros((), dtype=x.dtype, device=x.device))
    half = x.new_full((N, T, 2), 0.5)
    key = x.new_empty(T, B.shape[0] + 2)
    key[:, :-2] = B[:, :T].mT
    key[:, -2:] = b2[:T, None]
    return torch.cat((hidden, half), dim=-1), key
