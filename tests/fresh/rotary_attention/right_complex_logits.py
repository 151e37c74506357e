# The logit is the real part of q times the conjugate of k, turned by the distance.
def rotary_attention(q, k, v):
    T, d = q.shape[-2:]
    w = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64, device=q.device) / d)
    t = torch.arange(T, device=q.device)
    far = torch.exp(1j * (t[:, None] - t)[..., None] * w)
    qc, kc = (torch.view_as_complex(each.double().unflatten(-1, (-1, 2)).contiguous()) for each in (q, k))
    logits = torch.einsum("nhtm,nhim,tim->nhti", qc, kc.conj(), far).real / d**0.5
    logits = logits.masked_fill(t > t[:, None], float("-inf"))
    return (logits.softmax(-1) @ v.double()).to(v.dtype)
