# A loop over rows and queries.
def masked_attention(q, k, v, real, causal):
    out = torch.zeros_like(q)
    for b in range(q.shape[0]):
        for t in range(q.shape[2]):
            keys = [i for i in range(q.shape[2]) if real[b, i] and (i <= t or not causal)]
            if keys:
                scores = k[b][:, keys] @ q[b, :, t, :, None] / q.shape[-1] ** 0.5
                out[b, :, t] = (torch.softmax(scores, dim=1) * v[b][:, keys]).sum(dim=1)
    return out
