# E for both
def linformer_attention(q, k, v, E, F):
    return (q @ (E @ k).transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ (E @ v)
