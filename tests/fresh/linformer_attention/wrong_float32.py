# computed and returned in float32
def linformer_attention(q, k, v, E, F):
    q, k, v, E, F = (each.float() for each in (q, k, v, E, F))
    return (q @ (E @ k).transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ (F @ v)
