# never rotates a vector: each logit from the distance, then masked softmax
def rotary_attention(q, k, v):
    """The relative property written out: pair m contributes Re(q conj(k) exp(i (t - i) w))."""
    T, d = q.shape[-2:]
    t = torch.arange(T, dtype=torch.float64, device=q.device)
    distance = t[:, None] - t
    logits = 0
    for m in range(d // 2):
        phi = distance * 10000.0 ** (-2 * m / d)
        c, s = phi.cos().to(q.dtype), phi.sin().to(q.dtype)
        qa, qb = q[..., 2 * m, None], q[..., 2 * m + 1, None]
        ka, kb = k[..., None, :, 2 * m], k[..., None, :, 2 * m + 1]
        logits = logits + c * (qa * ka + qb * kb) + s * (qa * kb - qb * ka)
    logits = logits / d**0.5
    later = distance < 0
    return logits.masked_fill(later, -torch.inf).softmax(dim=-1) @ v
