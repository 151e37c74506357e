# multiplies the query with the mixed keys by einsum, the softmax by hand
def linformer_attention(q, k, v, E, F):
    logits = torch.einsum("ntd,nsd,rs->ntr", q, k, E) * q.shape[-1] ** -0.5
    weights = (logits - logits.amax(dim=-1, keepdim=True)).exp()
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return torch.einsum("ntr,rs,nsd->ntd", weights, F, v)
