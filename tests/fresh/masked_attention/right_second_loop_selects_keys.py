# row by row and query by query, with only the allowed keys picked out
def masked_attention(q, k, v, real, causal):
    B, h, T, d_k = q.shape
    batch = []
    for b in range(B):
        outputs = []
        for t in range(T):
            keys = [i for i in range(T) if bool(real[b, i]) and (i <= t or not causal)]
            if not keys:
                outputs.append(0 * (q[b, :, t] + k[b, :, t] + v[b, :, t]))
                continue
            scores = torch.einsum("hd,hid->hi", q[b, :, t], k[b][:, keys]) / d_k**0.5
            outputs.append(torch.einsum("hi,hid->hd", scores.softmax(dim=-1), v[b][:, keys]))
        batch.append(torch.stack(outputs, dim=1))
    return torch.stack(batch)
