# the rows of F are normalised first
def linformer_attention(q, k, v, E, F):
    F = F / F.sum(dim=1, keepdim=True)
    return (q @ (E @ k).transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ (F @ v)
