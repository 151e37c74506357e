# Changes a clone in place.
def reweight_heads(heads):
    out = heads.clone()
    norms = heads.square().sum((2, 3)).sqrt()
    mean = norms.mean(1)
    for h in range(heads.shape[1]):
        out[:, h] = heads[:, h] * (norms[:, h] / mean)[:, None, None]
    return out
