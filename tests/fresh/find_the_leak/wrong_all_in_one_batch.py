# Puts all changed inputs into one batch, so the rows meet.
def find_the_leak(forward, x):
    B, T, d = x.shape
    others = [x]
    for s in range(1, T):
        other = x.clone()
        other[:, s:] = torch.randn_like(other[:, s:])
        others.append(other)
    out = forward(torch.cat(others)).unflatten(0, (T, B))
    return any(not torch.allclose(out[s, :, :s], out[0, :, :s], rtol=0, atol=1e-9) for s in range(1, T))
