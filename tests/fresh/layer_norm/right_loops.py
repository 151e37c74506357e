# Token by token.
def layer_norm(x, gain, shift):
    out = torch.empty_like(x)
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            row = x[b, t] - x[b, t].mean()
            out[b, t] = row / torch.sqrt(row @ row / len(row) + 1e-5) * gain + shift
    return out
